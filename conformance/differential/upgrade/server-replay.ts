/**
 * Replays witnesses on a Kubernetes API server: under a group of their own, the old CRD must accept each object and the
 * new CRD must refuse it.
 *
 * The `status` subresource is left out of both CRDs, so that an object can be created with its status.
 */
import http from "node:http";
import https from "node:https";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import type { Witness } from "@portcullis/engine/internal/upgrade/witness/witness-check";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export interface ServerAddress {
  readonly url: string;
  readonly token: string;
}

export interface VersionedWitness {
  readonly version: string;
  readonly witness: Witness;
  /** Whether it only shows something after it was stored in another version. */
  readonly isStored: boolean;
}

export interface ServerResult {
  confirmed: number;
  /** Witnesses that could not be tried, by reason. */
  skipped: Record<string, number>;
  /** Witnesses that the old CRD refuses or the new one accepts. */
  readonly contradictions: string[];
}

interface Answer {
  readonly status: number;
  readonly object: JsonObject;
}

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const WAIT_MS = 100;
const MAX_WAITS = 150;

export class ServerReplay {
  readonly #address: ServerAddress;
  readonly #agent: http.Agent;
  readonly #run = Date.now().toString(36);
  #groups = 0;

  constructor(address: ServerAddress) {
    this.#address = address;
    // A test server has a certificate of its own.
    const options = { keepAlive: true, rejectUnauthorized: false };
    this.#agent = address.url.startsWith("https:") ? new https.Agent(options) : new http.Agent(options);
  }

  /** Adds the results of the witnesses of one upgrade to `result`. */
  async replay(
    [old, next]: readonly [JsonObject, JsonObject],
    witnesses: readonly VersionedWitness[],
    result: ServerResult,
  ): Promise<void> {
    const sides = [await this.#define(old), await this.#define(next)] as const;
    const [before, after] = sides;
    for (const each of witnesses) {
      if (before === undefined || after === undefined) count(result.skipped, "the server does not accept the CRD");
      else await this.#try(each, before, after, result);
    }
    for (const side of sides) if (side !== undefined) await this.#request("DELETE", `${CRDS}/${side.name}`);
  }

  async #try(
    { version, witness, isStored }: VersionedWitness,
    old: Served,
    next: Served,
    result: ServerResult,
  ): Promise<void> {
    if (isStored) {
      count(result.skipped, "it is about objects that are stored in another version");
      return;
    }
    if (!old.versions.includes(version) || !next.versions.includes(version)) {
      count(result.skipped, "the version is not served");
      return;
    }
    const text = exactText(witness.object);
    if (witness.before !== undefined) {
      const [first, second] = [await this.#update(old, version, witness), await this.#update(next, version, witness)];
      if (second === undefined) count(result.skipped, "the new CRD refuses the object before the update");
      else if (first !== true) result.contradictions.push(`${old.name} ${version}: update refused before: ${text}`);
      else if (second) result.contradictions.push(`${next.name} ${version}: update accepted: ${text}`);
      else result.confirmed++;
      return;
    }
    const stored = await this.#create(old, version, witness.object);
    if (stored.status !== 201) {
      result.contradictions.push(`${old.name} ${version}: refused before: ${messageOf(stored)}: ${text}`);
      return;
    }
    const written = await this.#create(next, version, witness.object);
    const kept = await this.#create(next, version, withoutSystem(stored.object));
    if (written.status === 201 && kept.status === 201)
      result.contradictions.push(`${next.name} ${version}: accepted: ${text}`);
    else result.confirmed++;
  }

  /** Undefined if the object before the update cannot be created; otherwise whether the update is accepted. */
  async #update(served: Served, version: string, { object, before }: Witness): Promise<boolean | undefined> {
    const created = await this.#create(served, version, before ?? object, "");
    if (created.status !== 201) return undefined;
    const metadata = memberOf(created.object, "metadata");
    const path = `${pathOf(served, version, object)}/${String(metadata["name"])}`;
    const body = withMember(
      typed(served, version, object),
      "metadata",
      Object.assign(
        { ...memberOf(object, "metadata") },
        { name: metadata["name"], resourceVersion: metadata["resourceVersion"] },
      ),
    );
    const { status } = await this.#request("PUT", path, body);
    await this.#request("DELETE", path);
    return status === 200;
  }

  #create(served: Served, version: string, object: JsonObject, query = "?dryRun=All"): Promise<Answer> {
    return this.#request("POST", `${pathOf(served, version, object)}${query}`, typed(served, version, object));
  }

  /** Undefined if the server does not accept the CRD. */
  async #define(definition: JsonObject): Promise<Served | undefined> {
    const group = `g${this.#groups++}.${this.#run}.example.com`;
    const spec = memberOf(definition, "spec");
    const names = memberOf(spec, "names");
    const name = `${String(names["plural"])}.${group}`;
    const versions = (isArray(spec["versions"]) ? spec["versions"] : []).filter(isObject);
    const body: JsonObject = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name },
      spec: { ...spec, group, conversion: { strategy: "None" }, versions: versions.map(withoutStatusSubresource) },
    };
    const { status } = await this.#request("POST", CRDS, body);
    if (status !== 201) return undefined;
    const isServed = versions.filter((version) => version["served"] === true).map((version) => String(version["name"]));
    const served: Served = {
      name,
      group,
      plural: String(names["plural"]),
      isNamespaced: spec["scope"] === "Namespaced",
      kind: String(names["kind"]),
      versions: isServed,
    };
    for (const version of isServed) await this.#wait(`/apis/${group}/${version}/${served.plural}`);
    return served;
  }

  async #wait(path: string): Promise<void> {
    for (let tried = 0; tried < MAX_WAITS; tried++) {
      const { status } = await this.#request("GET", path);
      if (status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    throw new Error(`${path} is not served`);
  }

  /** A connection that was idle during a long proof may be closed just as it is used again. */
  async #request(method: string, path: string, body?: JsonObject): Promise<Answer> {
    try {
      return await this.#send(method, path, body);
    } catch (problem) {
      if (!(problem instanceof StaleConnection)) throw problem;
      return this.#send(method, path, body);
    }
  }

  #send(method: string, path: string, body?: JsonObject): Promise<Answer> {
    const { url, token } = this.#address;
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json",
    };
    const { request } = url.startsWith("https:") ? https : http;
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, url), { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const { value } = { value: undefined, ...decodeJson(Buffer.concat(chunks).toString("utf8")) };
          resolve({ status: response.statusCode ?? 0, object: isObject(value) ? value : {} });
        });
      });
      sent.on("error", (problem) => reject(sent.reusedSocket ? new StaleConnection(problem.message) : problem));
      if (body !== undefined) sent.write(exactText(body));
      sent.end();
    });
  }
}

class StaleConnection extends Error {}

interface Served {
  readonly name: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** The served ones. */
  readonly versions: readonly string[];
}

function pathOf({ group, plural, isNamespaced }: Served, version: string, object: JsonObject): string {
  const { namespace = "default" } = memberOf(object, "metadata");
  return `/apis/${group}/${version}/${isNamespaced ? `namespaces/${String(namespace)}/` : ""}${plural}`;
}

function typed({ group, kind, isNamespaced }: Served, version: string, object: JsonObject): JsonObject {
  const { namespace = "default", ...metadata } = memberOf(object, "metadata");
  const placed = { name: "example", ...metadata, ...(isNamespaced ? { namespace } : {}) };
  return { ...object, apiVersion: `${group}/${version}`, kind, metadata: placed };
}

/** Without what the server adds to a created object. */
function withoutSystem(object: JsonObject): JsonObject {
  const {
    uid: _,
    creationTimestamp: __,
    generation: ___,
    managedFields: ____,
    ...metadata
  } = memberOf(object, "metadata");
  return withMember(object, "metadata", metadata);
}

/** With the status in the object itself, so that it is written with it. What is required of a scale stays. */
function withoutStatusSubresource({ subresources, ...version }: JsonObject): JsonObject {
  const scale = isObject(subresources) ? subresources["scale"] : undefined;
  return scale === undefined ? version : { ...version, subresources: { scale } };
}

/** With `1.0` as it is: it is not an integer. */
function exactText(object: JsonObject): string {
  return canonicalJson(object, { keepFloats: true });
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const value: JsonValue | undefined = object[key];
  return isObject(value) ? value : {};
}

function messageOf({ object }: Answer): string {
  return String(object["message"] ?? "");
}

function count(counts: Record<string, number>, reason: string): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}
