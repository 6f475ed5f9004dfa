/**
 * Writes `status.typeChecking` and `status.observedGeneration` of policies.
 *
 * Upstream checks a policy once for each generation. Here it is checked again when a kind it names comes, goes or changes,
 * so that warnings are about the schemas of today; of several servers, only one that is not behind writes.
 */

import type { GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import { POLICY_GROUP } from "@portcullis/engine/internal/policy/objects/decode";
import { readPolicy } from "@portcullis/engine/internal/policy/policy";
import { populateRefs } from "@portcullis/engine/internal/policy/typecheck/openapi-refs";
import {
  checkPolicyTypes,
  kindsToCheck,
  type TypeResolver,
  typeCheckedStatus,
} from "@portcullis/engine/internal/policy/typecheck/typecheck";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { VALIDATING_POLICIES } from "@portcullis/engine/internal/review/kinds/admission-configuration";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import { isArray, isInteger, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { OpenApiPublisher } from "../openapi/publisher.ts";
import type { ServerContext } from "../registry/context.ts";
import { DelayedKeys } from "../registry/delayed-keys.ts";
import { decodeEntry } from "../registry/object-codec.ts";
import { changeStored } from "../registry/stored.ts";
import { WorkQueue } from "../registry/work-queue.ts";
import type { PolicyCatalog } from "./catalog.ts";

/** As in a cluster, where another process checks: a client that writes the status right after the policy is first. */
const DELAY_MS = 1000;

export class TypeCheckController {
  readonly #server: ServerContext;
  readonly #version: KubernetesVersion;
  readonly #publisher: OpenApiPublisher;
  readonly #catalog: PolicyCatalog;
  readonly #queue: WorkQueue;
  readonly #delayed: DelayedKeys;
  /** By policy: the kinds it was last checked against. */
  readonly #checked = new Map<string, readonly (ResourceKind | undefined)[]>();

  constructor(server: ServerContext, publisher: OpenApiPublisher, catalog: PolicyCatalog, version: KubernetesVersion) {
    this.#server = server;
    this.#version = version;
    this.#publisher = publisher;
    this.#catalog = catalog;
    this.#queue = new WorkQueue("validatingadmissionpolicy-status", (key) => this.#check(key), server);
    this.#delayed = new DelayedKeys(DELAY_MS, (key) => this.#queue.add(key));
  }

  start(): void {
    this.#catalog.onPolicy((key) => this.#delayed.add(key));
    this.#server.registry.onChange(() => {
      for (const key of this.#catalog.keys) this.#delayed.add(key);
    });
  }

  close(): void {
    this.#delayed.close();
    this.#queue.close();
  }

  async settled(): Promise<void> {
    await this.#queue.idle();
    while (this.#delayed.flush()) await this.#queue.idle();
  }

  async #check(key: string): Promise<void> {
    const { store, registry } = this.#server;
    const type = registry.find(POLICY_GROUP, "v1", VALIDATING_POLICIES);
    const entry = type && (await store.get(key));
    if (type === undefined || entry === undefined) {
      this.#checked.delete(key);
      return;
    }
    const object = decodeEntry(entry, type);
    const policy = readPolicy(object);
    const resolver = this.#resolver();
    const kinds = kindsToCheck(policy, resolver).map((kind) => this.#typeOf(kind));
    const isBehind = progressOf(object) > 0;
    const before = this.#checked.get(key);
    this.#checked.set(key, kinds);
    if (!isBehind && (before === undefined || isSame(kinds, before))) return;
    const status = typeCheckedStatus(object, checkPolicyTypes(policy, resolver, this.#version));
    await changeStored(store, key, type, (current) => {
      const isOther = metaOf(current)["generation"] !== metaOf(object)["generation"];
      const isOutdated = isBehind ? progressOf(current) <= 0 : progressOf(current) < 0;
      return isOther || isOutdated ? current : withStatus(current, status);
    });
  }

  #resolver(): TypeResolver {
    return {
      kindsFor: ({ group, version, resource }) => {
        const type = this.#server.registry.find(group, version, resource);
        return type === undefined ? [] : [{ group, version, kind: type.kind }];
      },
      schemaOf: (kind) => this.#schemaOf(kind),
    };
  }

  #typeOf({ group, version, kind }: GroupVersionKind): ResourceKind | undefined {
    return this.#server.registry.findKind(group, version, kind);
  }

  /** As published, references filled in. */
  #schemaOf(kind: GroupVersionKind): Structural | undefined {
    const type = this.#typeOf(kind);
    if (type === undefined) return undefined;
    const schemas = memberOf(memberOf(this.#publisher.v3([type]), "components"), "schemas");
    const name = Object.keys(schemas).find((each) => isOfKind(memberOf(schemas, each), kind));
    const lookup = (ref: string): JsonObject | undefined => {
      const found = schemas[ref.slice(ref.lastIndexOf("/") + 1)];
      return isObject(found) ? found : undefined;
    };
    const populated = name === undefined ? undefined : populateRefs(lookup, name);
    return populated && parseSchema(populated);
  }
}

/** How many generations the status is behind; negative where it is ahead. */
function progressOf(policy: JsonObject): number {
  const [generation, observed] = [metaOf(policy)["generation"], memberOf(policy, "status")["observedGeneration"]];
  return (isInteger(generation) ? Number(generation) : 0) - (isInteger(observed) ? Number(observed) : 0);
}

/** Conditions have other writers. */
function withStatus(policy: JsonObject, status: JsonObject): JsonObject {
  const { conditions } = memberOf(policy, "status");
  return withMember(policy, "status", conditions === undefined ? status : withMember(status, "conditions", conditions));
}

function isSame(now: readonly unknown[], before: readonly unknown[]): boolean {
  return before.length === now.length && now.every((each, index) => each === before[index]);
}

function isOfKind(schema: JsonObject, { group, version, kind }: GroupVersionKind): boolean {
  const kinds = schema["x-kubernetes-group-version-kind"];
  if (!isArray(kinds)) return false;
  return kinds.some(
    (each) => isObject(each) && each["group"] === group && each["version"] === version && each["kind"] === kind,
  );
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : newObject();
}
