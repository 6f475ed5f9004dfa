/**
 * Replays witnesses on a Kubernetes API server: under a group of their own, the old CRD must accept each object and the
 * new CRD must refuse it.
 *
 * The `status` subresource is left out of both CRDs, so that an object can be created with its status. All versions are
 * served, so that an object can be written in the version that stores it.
 */
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
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
  /** The versions that store it before and after the upgrade, if it only shows something once it was stored there. */
  readonly storedIn?: readonly [old: string, next: string] | undefined;
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
    const [before, after] = [await this.#define(old), await this.#define(next)];
    for (const each of witnesses) {
      if (before === undefined || after === undefined) count(result.skipped, "the server does not accept the CRD");
      else await this.#try(each, { old: before, next: after, oldDefinition: old, nextDefinition: next }, result);
    }
    for (const side of [before, after]) if (side !== undefined) await this.#request("DELETE", `${CRDS}/${side.name}`);
  }

  async #try({ version, witness, storedIn }: VersionedWitness, sides: Sides, result: ServerResult): Promise<void> {
    const { old, next } = sides;
    if (!old.versions.includes(version) || !next.versions.includes(version)) {
      count(result.skipped, "one of the CRDs does not have the version");
      return;
    }
    const text = exactText(witness.object);
    const [first, second] =
      storedIn === undefined
        ? [await this.#isAccepted(old, version, witness), await this.#isAcceptedAfter(sides, version, witness)]
        : [
            await this.#isAcceptedStored(old, [storedIn[0], version], witness),
            await this.#isAcceptedStored(next, [storedIn[1], version], witness),
          ];
    if (first !== true) result.contradictions.push(`${old.name} ${version}: refused before: ${text}`);
    else if (second === undefined) count(result.skipped, "the server does not accept the upgrade");
    else if (second) result.contradictions.push(`${next.name} ${version}: accepted: ${text}`);
    else result.confirmed++;
  }

  /** Whether the object can be created or, if the witness is an update, be written over the one before. */
  async #isAccepted(served: Served, version: string, witness: Witness): Promise<boolean | undefined> {
    if (witness.before !== undefined) return this.#update(served, version, witness);
    return (await this.#create(served, version, witness.object)).status === 201;
  }

  /** The same under the new CRD, where an object counts that the old one stored as well as a new one. */
  async #isAcceptedAfter(sides: Sides, version: string, witness: Witness): Promise<boolean | undefined> {
    const { old, next } = sides;
    const isAccepted = await this.#isAccepted(next, version, witness);
    if (witness.before !== undefined) return isAccepted ?? this.#upgrade(sides, version, witness);
    if (isAccepted !== true) return isAccepted;
    const { object } = await this.#create(old, version, witness.object);
    return (await this.#create(next, version, withoutSystem(object))).status === 201;
  }

  /** The same of an object that is read from storage; any version may have written it. */
  async #isAcceptedStored(
    served: Served,
    [stored, version]: readonly [string, string],
    witness: Witness,
  ): Promise<boolean | undefined> {
    const { object, before } = witness;
    const writers = [...new Set([stored, version, ...served.versions])];
    let created: Answer | undefined;
    for (const writer of writers) {
      created = await this.#create(served, writer, before ?? object, "");
      if (created.status === 201) break;
    }
    if (created?.status !== 201) return undefined;
    const path = `${pathOf(served, version, object)}/${nameOf(created.object)}`;
    if (before !== undefined) {
      const { status } = await this.#request("PUT", path, overwriting(served, version, witness, created.object));
      await this.#request("DELETE", path);
      return status === 200;
    }
    const read = await this.#request("GET", path);
    await this.#request("DELETE", path);
    return (await this.#create(served, version, withoutSystem(read.object))).status === 201;
  }

  /** Undefined if the object before the update cannot be created; otherwise whether the update is accepted. */
  async #update(served: Served, version: string, witness: Witness): Promise<boolean | undefined> {
    const created = await this.#create(served, version, witness.before ?? witness.object, "");
    if (created.status !== 201) return undefined;
    const path = `${pathOf(served, version, witness.object)}/${nameOf(created.object)}`;
    const { status } = await this.#request("PUT", path, overwriting(served, version, witness, created.object));
    await this.#request("DELETE", path);
    return status === 200;
  }

  /**
   * For an object that only the old CRD lets in: it is created under it, the CRD is upgraded, and then the update is
   * tried until the new schema is in force. Undefined if the server does not take the upgrade.
   */
  async #upgrade(sides: Sides, version: string, witness: Witness): Promise<boolean | undefined> {
    const served = await this.#define(sides.oldDefinition);
    if (served === undefined) return undefined;
    const { name, group } = served;
    const { object, before = object } = witness;
    const created = await this.#create(served, version, before, "");
    const { object: stored } = await this.#request("GET", `${CRDS}/${name}`);
    const body = { ...inGroup(sides.nextDefinition, group), metadata: memberOf(stored, "metadata") };
    const upgraded = await this.#request("PUT", `${CRDS}/${name}`, body);
    let isAccepted: boolean | undefined;
    if (upgraded.status === 200) {
      const path = `${pathOf(served, version, object)}/${nameOf(created.object)}?dryRun=All`;
      const update = overwriting(served, version, witness, created.object);
      isAccepted = true;
      for (let tried = 0; tried < MAX_WAITS && isAccepted; tried++) {
        if (tried > 0) await sleep(WAIT_MS);
        isAccepted = (await this.#request("PUT", path, update)).status !== 422;
      }
    }
    await this.#request("DELETE", `${CRDS}/${name}`);
    return isAccepted;
  }

  #create(served: Served, version: string, object: JsonObject, query = "?dryRun=All"): Promise<Answer> {
    return this.#request("POST", `${pathOf(served, version, object)}${query}`, typed(served, version, object));
  }

  /** Undefined if the server does not accept the CRD. */
  async #define(definition: JsonObject): Promise<Served | undefined> {
    const group = `g${this.#groups++}.${this.#run}.example.com`;
    const body = inGroup(definition, group);
    const spec = memberOf(body, "spec");
    const { plural, kind } = memberOf(spec, "names");
    const { status } = await this.#request("POST", CRDS, body);
    if (status !== 201) return undefined;
    const served: Served = {
      name: `${String(plural)}.${group}`,
      group,
      plural: String(plural),
      isNamespaced: spec["scope"] === "Namespaced",
      kind: String(kind),
      versions: versionsOf(spec).map((version) => String(version["name"])),
      withStatus: versionsOf(memberOf(definition, "spec"))
        .filter((version) => memberOf(version, "subresources")["status"] !== undefined)
        .map((version) => String(version["name"])),
    };
    for (const version of served.versions) await this.#wait(`/apis/${group}/${version}/${served.plural}`);
    return served;
  }

  async #wait(path: string): Promise<void> {
    for (let tried = 0; tried < MAX_WAITS; tried++) {
      const { status } = await this.#request("GET", path);
      if (status === 200) return;
      await sleep(WAIT_MS);
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
  readonly versions: readonly string[];
  /** Those whose status is a subresource in the CRD that is replayed. */
  readonly withStatus: readonly string[];
}

interface Sides {
  readonly old: Served;
  readonly next: Served;
  readonly oldDefinition: JsonObject;
  readonly nextDefinition: JsonObject;
}

/** The CRD in another group, as it is replayed. */
function inGroup(definition: JsonObject, group: string): JsonObject {
  const spec = memberOf(definition, "spec");
  const { plural } = memberOf(spec, "names");
  const versions = versionsOf(spec).map((version) => ({ ...withoutStatusSubresource(version), served: true }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${String(plural)}.${group}` },
    spec: { ...spec, group, conversion: { strategy: "None" }, versions },
  };
}

function versionsOf({ versions }: JsonObject): JsonObject[] {
  return isArray(versions) ? versions.filter(isObject) : [];
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

/**
 * The body of an update of a stored object. Without the subresource it has what an update of the other part would keep.
 */
function overwriting(served: Served, version: string, witness: Witness, stored: JsonObject): JsonObject {
  const { object, before = object, path } = witness;
  const { name, resourceVersion } = memberOf(stored, "metadata");
  const metadata = Object.assign({ ...memberOf(object, "metadata") }, { name, resourceVersion });
  const [rest, { status }] = path[0] === "status" ? [before, object] : [object, before];
  const { status: _, ...members } = typed(served, version, rest);
  const whole = served.withStatus.includes(version)
    ? { ...members, ...(status === undefined ? {} : { status }) }
    : typed(served, version, object);
  return withMember(whole, "metadata", metadata);
}

function nameOf(object: JsonObject): string {
  return String(memberOf(object, "metadata")["name"]);
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

function count(counts: Record<string, number>, reason: string): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}
