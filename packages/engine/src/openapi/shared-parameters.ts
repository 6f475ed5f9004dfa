/**
 * Parameters of version 2 that many operations have: they stand once at the root and are referred to.
 *
 * Follows kube-openapi pkg/builder/parameters.go, names included: the parameter's own and a hash of its JSON.
 */
import type { JsonObject } from "../value/json.ts";
import { fromEntries, object } from "./json.ts";

/** Clients look for these at the operation itself. */
const UNSHARED: ReadonlySet<string> = new Set(["name", "fieldValidation", "dryRun"]);
const GENERIC = "#/definitions/io.k8s.apimachinery";

interface Shared {
  readonly name: string;
  readonly reference: JsonObject;
  readonly parameter: JsonObject;
}

/** All that were ever shared, by their JSON. There are few: they do not depend on the kind. */
const all = new Map<string, Shared>();

export class SharedParameters {
  readonly #byJson = new Map<string, Shared>();

  /** The parameter itself, or a reference where it is shared. */
  share(parameter: JsonObject): JsonObject {
    if (!isShared(parameter)) return parameter;
    const json = JSON.stringify(parameter);
    const shared = all.get(json) ?? shareNew(parameter, json);
    this.#byJson.set(json, shared);
    return shared.reference;
  }

  /** By name, in order. */
  finish(): JsonObject {
    const named = [...this.#byJson.values()].map(({ name, parameter }) => [name, parameter] as const);
    return fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function shareNew(parameter: JsonObject, json: string): Shared {
  const name = `${parameter["name"]}-${hash(json)}`;
  const shared = { name, parameter, reference: object({ $ref: `#/parameters/${name}` }) };
  all.set(json, shared);
  return shared;
}

function isShared({ name, in: place, schema }: JsonObject): boolean {
  if (place !== "body") return typeof name === "string" && !UNSHARED.has(name);
  const target = typeof schema === "object" && schema !== null && "$ref" in schema ? schema.$ref : "";
  return typeof target === "string" && target.startsWith(GENERIC);
}

const [OFFSET, PRIME] = [0xcbf29ce484222325n, 0x100000001b3n];
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const [KEPT_BITS, BITS_EACH] = [48n, 6n];

/** The first six bytes of FNV-1 of 64 bits, in base 64. */
function hash(text: string): string {
  let value = OFFSET;
  for (let i = 0; i < text.length; i++) value = BigInt.asUintN(64, value * PRIME) ^ BigInt(text.charCodeAt(i));
  const kept = value >> (64n - KEPT_BITS);
  let encoded = "";
  for (let shift = KEPT_BITS - BITS_EACH; shift >= 0n; shift -= BITS_EACH) {
    encoded += ALPHABET.charAt(Number((kept >> shift) & 63n));
  }
  return encoded;
}
