/**
 * Publishes the ranges of the options as the ServiceCIDR `kubernetes`. Follows kubernetes
 * pkg/controlplane/controller/defaultservicecidr.
 */

import { findCondition, setCondition } from "@portcullis/engine/internal/crd/conditions";
import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import type { ServerContext } from "../registry/context.ts";
import { keyOf } from "../registry/object-codec.ts";
import { changeStored, createStored } from "../registry/stored.ts";
import { WorkQueue } from "../registry/work-queue.ts";

const NAME = "kubernetes";

export class DefaultServiceCidr {
  readonly #server: ServerContext;
  readonly #cidrs: readonly string[];
  readonly #queue: WorkQueue;
  #type: ResourceKind | undefined;

  constructor(server: ServerContext, cidrs: readonly string[]) {
    this.#server = server;
    this.#cidrs = cidrs;
    this.#queue = new WorkQueue("servicecidrs", () => this.#sync(), server);
  }

  /** Resolves when it exists; it is created again if it is deleted. */
  async start(type: ResourceKind): Promise<void> {
    this.#type = type;
    await this.#sync();
    const key = keyOf(type, "", NAME);
    await this.#server.followers.follow({
      name: "the default range of service addresses",
      prefix: type.storagePrefix,
      see: (seen, entry) => {
        if (seen === key && entry === undefined) this.#queue.add(key);
      },
    });
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  close(): void {
    this.#queue.close();
  }

  async #sync(): Promise<void> {
    const type = this.#type;
    if (type === undefined) return;
    const { store, system } = this.#server;
    const key = keyOf(type, "", NAME);
    const metadata = objectOf({ name: NAME, uid: system.uid(), creationTimestamp: system.now() });
    const spec = objectOf({ cidrs: [...this.#cidrs] });
    const object = objectOf({ apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec });
    await createStored(store, key, type, withReady(object, system.now()));
    await changeStored(store, key, type, (found) => this.#adjusted(found));
  }

  /** A second range is added, and the condition if there is none. Other ranges than those of the options are kept. */
  #adjusted(found: JsonObject): JsonObject {
    if (metaText(found, "deletionTimestamp") !== "") return found;
    const cidrs = memberOf(found, "spec")["cidrs"];
    const known = isArray(cidrs) ? cidrs : [];
    const wanted = this.#cidrs;
    if (known.length === 1 && wanted.length === 2 && known[0] === wanted[0]) {
      return withMember(found, "spec", withMember(memberOf(found, "spec"), "cidrs", [...wanted]));
    }
    const isOurs = known.length === wanted.length && wanted.every((cidr, index) => known[index] === cidr);
    const isReady = findCondition(found, "Ready") !== undefined;
    return isOurs && !isReady ? withReady(found, this.#server.system.now()) : found;
  }
}

function withReady(range: JsonObject, now: string): JsonObject {
  const message = "Kubernetes default Service CIDR is ready";
  const condition = objectOf({ type: "Ready", status: "True", reason: "", message });
  return withMember(range, "status", setCondition(memberOf(range, "status"), condition, now));
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : newObject();
}
