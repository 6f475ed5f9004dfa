/**
 * CRDs from the JSON schemas of a catalogue, in the layout `GROUP/KIND_VERSION.json` (in lower case).
 *
 * Such a schema is that of one version of a CRD, closed with `additionalProperties: false`. It does not say how the kind
 * is written, whether it is namespaced, which subresources it has, or its plural. The name of the kind is taken from the
 * objects; a schema with `status` is assumed to have the subresource, so that the status of a manifest is not checked.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import type { SourceFile } from "./sources.ts";

/** What the path of a schema says. */
export interface SchemaName {
  readonly group: string;
  readonly version: string;
  /** In lower case. */
  readonly kind: string;
}

const LAYOUT = /(?:^|[\\/])([a-z0-9-]+(?:\.[a-z0-9-]+)+)[\\/]([a-z0-9]+)_(v[0-9]+(?:(?:alpha|beta)[0-9]+)?)\.json$/;

export function schemaNameOf(file: string): SchemaName | undefined {
  const [, group, kind, version] = LAYOUT.exec(file) ?? [];
  return group === undefined || kind === undefined || version === undefined ? undefined : { group, kind, version };
}

/** The kinds that texts may contain; a superset, because only the lines are read. */
export class UsedKinds {
  readonly #apiVersions = new Set<string>();
  /** By its name in lower case. */
  readonly #kinds = new Map<string, string>();

  add(text: string): void {
    for (const [, apiVersion = ""] of text.matchAll(API_VERSION)) this.#apiVersions.add(apiVersion);
    for (const [, kind = ""] of text.matchAll(KIND)) {
      const known = this.#kinds.get(kind.toLowerCase());
      // A kind starts with an upper-case letter; anything else is a mistake that must not count as its name.
      if (known === undefined || /^[a-z]/.test(known)) this.#kinds.set(kind.toLowerCase(), kind);
    }
  }

  /** The name of the kind as objects write it; undefined if there are none. */
  nameOf({ group, version, kind }: SchemaName): string | undefined {
    return this.#apiVersions.has(`${group}/${version}`) ? this.#kinds.get(kind) : undefined;
  }
}

const API_VERSION = /["']?\bapiVersion["']?\s*:\s*["']?([A-Za-z0-9./-]+)/g;
const KIND = /["']?\bkind["']?\s*:\s*["']?([A-Za-z0-9]+)/g;

export interface Catalogued {
  /** One file per CRD. */
  readonly crds: readonly SourceFile[];
  /** Schemas that cannot be used, with the reason. */
  readonly unusable: readonly (readonly [file: string, reason: string])[];
}

/** The CRDs of the kinds that are in use, with all their versions that are in use. */
export function crdsFromSchemas(files: readonly SourceFile[], used: UsedKinds): Catalogued {
  const unusable: [string, string][] = [];
  const byKind = new Map<string, KindSchemas>();
  for (const file of files) {
    const name = schemaNameOf(file.file);
    const kind = name && used.nameOf(name);
    if (name === undefined || kind === undefined) continue;
    const schema = readSchema(file.text);
    if (typeof schema === "string") {
      unusable.push([file.file, schema]);
      continue;
    }
    const key = `${name.group} ${kind}`;
    const known = byKind.get(key) ?? { file: file.file, group: name.group, kind, versions: [] };
    known.versions.push([name.version, schema]);
    byKind.set(key, known);
  }
  const crds = [...byKind.values()].map((each) => ({ file: each.file, text: canonicalJson(crdOf(each)) }));
  return { crds, unusable };
}

interface KindSchemas {
  /** The first of its schemas. */
  readonly file: string;
  readonly group: string;
  readonly kind: string;
  readonly versions: [version: string, schema: JsonObject][];
}

/** A text says why the schema cannot be used. */
function readSchema(text: string): JsonObject | string {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined) return decoded.error;
  if (!isObject(decoded.value)) return "it is not an object";
  if (text.includes('"$ref"')) return "it refers to other schemas with $ref";
  try {
    return asCrdSchema(decoded.value);
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    return problem.message;
  }
}

/** The CRD that a schema of one version was made from, as far as the schema says. */
export function crdOfSchema(schema: JsonObject, apiVersion: string, kind: string): JsonObject {
  const [group = "", version = ""] = apiVersion.split("/");
  return crdOf({ file: "", group, kind, versions: [[version, asCrdSchema(schema)]] });
}

function crdOf({ group, kind, versions }: KindSchemas): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  return object({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: object({ name: `${plural}.${group}` }),
    spec: object({
      group,
      scope: "Namespaced",
      names: object({ plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` }),
      versions: versions.map(([name, schema], index) => {
        const version = { name, served: true, storage: index === 0, schema: object({ openAPIV3Schema: schema }) };
        const { properties } = schema;
        const hasStatus = isObject(properties) && properties["status"] !== undefined;
        return hasStatus ? object({ ...version, subresources: object({ status: newObject() }) }) : object(version);
      }),
    }),
  });
}

const MAX_DEPTH = 200;

/** Undoes what makes a JSON schema of the schema of a CRD. */
function asCrdSchema(schema: JsonObject, depth = 0): JsonObject {
  const result = newObject();
  for (const [key, member] of Object.entries(schema)) {
    if (key === "$schema" || key === "$id") continue;
    // CRDs express the same by listing properties.
    if (key === "additionalProperties" && member === false) continue;
    if (key === "type" && isArray(member)) addType(member, result);
    else if (key === "oneOf" && isIntOrString(member, schema)) result["x-kubernetes-int-or-string"] = true;
    else if (key === "properties" && isObject(member)) result[key] = mapValues(member, depth + 1);
    else if (SCHEMAS.has(key)) result[key] = withinSchema(member, depth + 1);
    else result[key] = member;
  }
  return result;
}

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set(["items", "additionalProperties", "allOf", "anyOf", "oneOf", "not"]);

function mapValues(schemas: JsonObject, depth: number): JsonObject {
  const result = newObject();
  for (const [name, schema] of Object.entries(schemas)) result[name] = withinSchema(schema, depth);
  return result;
}

function withinSchema(value: JsonValue, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new RangeError("it is nested too deeply");
  if (isArray(value)) return value.map((each) => withinSchema(each, depth + 1));
  return isObject(value) ? asCrdSchema(value, depth) : value;
}

/** `["string", "null"]` is a nullable string. */
function addType(types: readonly JsonValue[], result: JsonObject): void {
  const [type, ...others] = types.filter((each) => each !== "null");
  if (type !== undefined && others.length === 0) result["type"] = type;
  if (types.includes("null")) result["nullable"] = true;
}

/** `format: int-or-string` becomes this alternative. */
function isIntOrString(value: JsonValue, { type }: JsonObject): boolean {
  if (type !== undefined || !isArray(value) || value.length !== 2) return false;
  const types = value.map((each) => (isObject(each) && Object.keys(each).length === 1 ? each["type"] : undefined));
  return types.includes("string") && types.includes("integer");
}

function object(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.assign(newObject(), members);
}
