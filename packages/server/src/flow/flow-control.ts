/**
 * The stored flow schemas and priority levels: requests are classified by them, the mandatory ones are maintained, and
 * the status of a schema shows whether its level exists.
 *
 * A request runs when its level has a free seat. Follows apiserver pkg/util/flowcontrol/apf_controller.go and
 * kubernetes pkg/registry/flowcontrol; what upstream checks every minute is checked on every change.
 */

import { findCondition, setCondition } from "@portcullis/engine/internal/crd/conditions";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, objectOf, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { parseBool } from "@portcullis/gostd/strconv";
import type { ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { ServerContext } from "../registry/context.ts";
import { inEveryServer } from "../registry/leadership.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import { changeStored, createStored } from "../registry/stored.ts";
import { WorkQueue } from "../registry/work-queue.ts";
import type { Entry } from "../storage/store.ts";
import {
  AUTO_UPDATE,
  type BootstrapObject,
  bootstrapFlowSchemas,
  bootstrapPriorityLevels,
  FLOW_GROUP,
} from "./bootstrap-objects.ts";
import { type Flow, FlowClassifier, isLongRunning, specOf } from "./classify.ts";
import { levelLimits } from "./level-limits.ts";
import * as messages from "./messages.ts";
import { type FlowRequest, type LimiterOptions, RequestLimiter } from "./request-limiter.ts";

/** The objects of one of the two kinds, by name. */
interface Kept {
  readonly type: ResourceKind;
  readonly objects: Map<string, JsonObject>;
  readonly bootstrap: readonly BootstrapObject[];
}

export class FlowControl {
  readonly #server: ServerContext;
  readonly #queue: WorkQueue;
  #levels: Kept | undefined;
  #schemas: Kept | undefined;
  #classifier: FlowClassifier | undefined;
  readonly #limiter: RequestLimiter;

  constructor(server: ServerContext, options: LimiterOptions) {
    this.#server = server;
    this.#limiter = new RequestLimiter(server, options);
    this.#queue = new WorkQueue(
      "priority_and_fairness_config_queue",
      (key) => this.#look(key),
      server,
      inEveryServer(server.leadership),
    );
  }

  /** Skips kinds that are not served. */
  async start(): Promise<void> {
    this.#levels = this.#kept("prioritylevelconfigurations", bootstrapPriorityLevels());
    this.#schemas = this.#kept("flowschemas", bootstrapFlowSchemas());
    for (const kept of [this.#levels, this.#schemas]) {
      if (kept === undefined) continue;
      await this.#follow(kept);
      if (!this.#server.leadership.canLead) continue;
      await Promise.all(kept.bootstrap.map((each) => this.#ensure(kept, each)));
    }
  }

  /** Undefined for requests of unlimited duration that are not watches. */
  classify(info: RequestInfo, user: User): Flow | undefined {
    if (isLongRunning(info)) return undefined;
    if (this.#schemas === undefined || this.#levels === undefined) return undefined;
    this.#classifier ??= this.#compile(this.#schemas, this.#levels);
    return this.#classifier.classify(info, user);
  }

  /** Runs the work when there are seats for it, or responds that there are none. */
  run(flow: Flow | undefined, of: FlowRequest, work: () => Promise<ApiResponse>): Promise<ApiResponse> {
    return this.#limiter.run(flow, of, work);
  }

  #compile(schemas: Kept, levels: Kept): FlowClassifier {
    const { flows } = this.#server.metrics;
    this.#limiter.configure(new Map([...levels.objects].map(([name, level]) => [name, levelLimits(specOf(level))])));
    return new FlowClassifier(usable(schemas, levels), (...names) => flows.tally(...names));
  }

  close(): void {
    this.#queue.close();
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  #kept(plural: string, bootstrap: readonly BootstrapObject[]): Kept | undefined {
    const type = this.#server.registry.find(FLOW_GROUP, "v1", plural);
    return type && { type, objects: new Map(), bootstrap };
  }

  async #follow(kept: Kept): Promise<void> {
    const { type } = kept;
    const see = (key: string, entry: Entry | undefined): void =>
      this.#see(kept, key, entry && decodeEntry(entry, type));
    await this.#server.followers.follow({ name: type.plural, prefix: type.storagePrefix, see });
  }

  #see(kept: Kept, key: string, object: JsonObject | undefined): void {
    const name = key.slice(kept.type.storagePrefix.length);
    const before = kept.objects.get(name);
    if (object === undefined) kept.objects.delete(name);
    else kept.objects.set(name, object);
    if (before !== undefined && object !== undefined && isSameToUs(before, object)) return;
    this.#classifier = undefined;
    this.#queue.add(key);
    // The status of a schema depends on whether its level exists.
    if (kept === this.#levels && (before === undefined || object === undefined)) this.#lookAtSchemasOf(name);
  }

  #lookAtSchemasOf(level: string): void {
    const { type, objects } = this.#schemas ?? {};
    if (type === undefined || objects === undefined) return;
    for (const [name, schema] of objects) if (levelOf(schema) === level) this.#queue.add(keyOf(type, "", name));
  }

  async #look(key: string): Promise<void> {
    for (const kept of [this.#levels, this.#schemas]) {
      if (kept === undefined || !key.startsWith(kept.type.storagePrefix)) continue;
      const name = key.slice(kept.type.storagePrefix.length);
      const bootstrap = kept.bootstrap.find((each) => each.name === name);
      if (bootstrap !== undefined) await this.#ensure(kept, bootstrap);
      if (kept === this.#schemas) await this.#writeStatus(kept, key, name);
    }
  }

  async #ensure({ type, objects }: Kept, { name, isMandatory, object }: BootstrapObject): Promise<void> {
    const { store, system } = this.#server;
    const key = keyOf(type, "", name);
    const found = objects.get(name);
    if (found !== undefined) {
      if (revised(found, object, isMandatory) === found) return;
      return changeStored(store, key, type, (current) => revised(current, object, isMandatory));
    }
    const stamped = withMeta(object, { uid: system.uid(), creationTimestamp: system.now() });
    const isSchema = type === this.#schemas?.type;
    return createStored(store, key, type, isSchema ? this.#withStatus(stamped) : stamped);
  }

  async #writeStatus({ type, objects }: Kept, key: string, name: string): Promise<void> {
    const schema = objects.get(name);
    if (schema === undefined || this.#withStatus(schema) === schema) return;
    await changeStored(this.#server.store, key, type, (current) => this.#withStatus(current));
  }

  /** Returns the same object if its status is already correct. */
  #withStatus(schema: JsonObject): JsonObject {
    const level = levelOf(schema);
    const isFound = this.#levels?.objects.has(level) === true;
    const condition = {
      type: "Dangling",
      status: isFound ? "False" : "True",
      reason: isFound ? "Found" : "NotFound",
      message: isFound ? messages.levelFound(level) : messages.levelNotFound(level),
    };
    const present = findCondition(schema, condition.type);
    if (present !== undefined && Object.entries(condition).every(([key, value]) => present[key] === value)) {
      return schema;
    }
    const status = isObject(schema["status"]) ? schema["status"] : newObject();
    return withMember(schema, "status", setCondition(status, objectOf(condition), this.#server.system.now()));
  }
}

function levelOf(schema: JsonObject): string {
  const reference = specOf(schema)["priorityLevelConfiguration"];
  return isObject(reference) ? textOf(reference["name"]) : "";
}

/** Whether two versions are equal for classification and maintenance. */
function isSameToUs(before: JsonObject, object: JsonObject): boolean {
  return (
    metaText(before, "uid") === metaText(object, "uid") &&
    annotationOf(before) === annotationOf(object) &&
    deepEqual(before["spec"] ?? null, object["spec"] ?? null) &&
    deepEqual(before["status"] ?? null, object["status"] ?? null)
  );
}

/** Schemas whose level exists; missing mandatory ones are replaced by their built-in version. */
function usable(schemas: Kept, levels: Kept): { schema: JsonObject; level: JsonObject }[] {
  const [allSchemas, allLevels] = [schemas, levels].map(
    ({ objects, bootstrap }) =>
      new Map([
        ...bootstrap.filter(({ isMandatory }) => isMandatory).map(({ name, object }) => [name, object] as const),
        ...objects,
      ]),
  );
  return [...(allSchemas?.values() ?? [])].flatMap((schema) => {
    const level = allLevels?.get(levelOf(schema));
    return level === undefined ? [] : [{ schema, level }];
  });
}

/** The maintained object: the same one if nothing has to change. */
function revised(found: JsonObject, wanted: JsonObject, isMandatory: boolean): JsonObject {
  const isOurs = isMandatory || isAutoUpdated(found);
  const annotated = isAnnotated(found, isOurs) ? found : withAnnotation(found, String(isOurs));
  if (!isOurs || isSameSpec(found, wanted)) return annotated;
  const generation = metaOf(found)["generation"];
  const next = typeof generation === "number" ? generation + 1 : 1;
  return withMember(withMeta(annotated, { generation: next }), "spec", specOf(wanted));
}

/** Exempt levels may have other shares; every other field must be as wanted. */
function isSameSpec(found: JsonObject, wanted: JsonObject): boolean {
  if (isObject(specOf(wanted)["exempt"]))
    return isObject(specOf(found)["exempt"]) && specOf(found)["type"] === "Exempt";
  return deepEqual(specOf(found), specOf(wanted));
}

/** Without the annotation, an unchanged spec belongs to the server. */
function isAutoUpdated(object: JsonObject): boolean {
  const parsed = parseBool(annotationOf(object));
  return parsed.error === undefined ? parsed.value : metaOf(object)["generation"] === 1;
}

function isAnnotated(object: JsonObject, wanted: boolean): boolean {
  const parsed = parseBool(annotationOf(object));
  return parsed.error === undefined && parsed.value === wanted;
}

function annotationOf(object: JsonObject): string {
  const annotations = metaOf(object)["annotations"];
  return isObject(annotations) ? textOf(annotations[AUTO_UPDATE]) : "";
}

function withAnnotation(object: JsonObject, value: string): JsonObject {
  const { annotations } = metaOf(object);
  return withMeta(object, {
    annotations: withMember(isObject(annotations) ? annotations : newObject(), AUTO_UPDATE, value),
  });
}
