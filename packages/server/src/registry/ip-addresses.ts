/**
 * Every address of a service has an object that says so, which comes and goes with the service; the default range of
 * addresses has one too. Follows the allocator of kubernetes pkg/registry/core/service and its default ServiceCIDR; there
 * the object is made before the service is, here right after.
 */

import { findCondition, setCondition } from "@portcullis/engine/crd/conditions";
import { apiVersionOf, type ResourceKind } from "@portcullis/engine/review/kind";
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/value/json";
import { labelsOf, metaText, objectOf, textOf } from "@portcullis/engine/value/metadata";
import { withMember } from "@portcullis/engine/value/rewrite";
import type { ServerContext } from "./context.ts";
import { decodeEntry, keyOf } from "./object-codec.ts";
import { changeStored, createStored, deleteStored } from "./stored.ts";
import { WorkQueue } from "./work-queue.ts";

const GROUP = "networking.k8s.io";
const MANAGER = "ipaddress.kubernetes.io/managed-by";
const ALLOCATOR = "ipallocator.k8s.io";
const FAMILY = "ipaddress.kubernetes.io/ip-family";

export class IpAddresses {
  readonly #server: ServerContext;
  readonly #queue: WorkQueue;
  /** By the key of a service: its addresses; and by address: the key of the service it belongs to. */
  readonly #wanted = new Map<string, readonly string[]>();
  readonly #owners = new Map<string, string>();

  constructor(server: ServerContext) {
    this.#server = server;
    this.#queue = new WorkQueue((key) => this.#settle(key), server.onDefect);
  }

  async start(range: string): Promise<void> {
    const { registry } = this.#server;
    const [ranges, addresses] = ["servicecidrs", "ipaddresses"].map((plural) => registry.find(GROUP, "v1", plural));
    const services = registry.find("", "v1", "services");
    if (ranges !== undefined) await this.#createRange(ranges, range);
    if (addresses === undefined || services === undefined) return;
    await this.#follow(addresses, (key, object) => this.#seeAddress(addresses, services, key, object));
    await this.#follow(services, (key, object) => this.#seeService(key, object));
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  /** Ready as soon as it is there, since this server hands out its addresses. */
  async #createRange(type: ResourceKind, range: string): Promise<void> {
    const { store, system } = this.#server;
    const key = keyOf(type, "", "kubernetes");
    const metadata = objectOf({ name: "kubernetes", uid: system.uid(), creationTimestamp: system.now() });
    const spec = objectOf({ cidrs: [range] });
    const object = objectOf({ apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec });
    await createStored(store, key, type, withReady(object, system.now()));
    await changeStored(store, key, type, (found) => {
      const cidrs = memberOf(found, "spec")["cidrs"];
      const isOurs = isArray(cidrs) && cidrs.length === 1 && cidrs[0] === range;
      return isOurs && findCondition(found, "Ready") === undefined ? withReady(found, system.now()) : found;
    });
  }

  async #follow(type: ResourceKind, see: (key: string, object: JsonObject | undefined) => void): Promise<void> {
    const { store } = this.#server;
    const { entries, revision } = await store.list(type.storagePrefix);
    for (const entry of entries) see(entry.key, decodeEntry(entry, type));
    await store.watch(type.storagePrefix, revision, {
      event: ({ key, entry }) => see(key, entry && decodeEntry(entry, type)),
      failed: () => {},
    });
  }

  #seeService(key: string, service: JsonObject | undefined): void {
    if (service === undefined) this.#wanted.delete(key);
    else this.#wanted.set(key, addressesOf(service));
    this.#queue.add(key);
  }

  #seeAddress(type: ResourceKind, services: ResourceKind, key: string, object: JsonObject | undefined): void {
    const name = key.slice(type.storagePrefix.length);
    const owner = object === undefined ? this.#owners.get(name) : ownerOf(object, services);
    if (object === undefined || owner === undefined) this.#owners.delete(name);
    else this.#owners.set(name, owner);
    if (owner !== undefined) this.#queue.add(owner);
  }

  /** What a service has and what stands there for it are made the same. */
  async #settle(service: string): Promise<void> {
    const { store, registry, system } = this.#server;
    const [type, services] = [registry.find(GROUP, "v1", "ipaddresses"), registry.find("", "v1", "services")];
    if (type === undefined || services === undefined) return;
    const wanted = this.#wanted.get(service) ?? [];
    const [namespace = "", name = ""] = service.slice(services.storagePrefix.length).split("/");
    for (const [address, owner] of [...this.#owners]) {
      if (owner === service && !wanted.includes(address)) await deleteStored(store, keyOf(type, "", address));
    }
    for (const address of wanted.filter((each) => !this.#owners.has(each))) {
      const labels = objectOf({ [FAMILY]: address.includes(":") ? "IPv6" : "IPv4", [MANAGER]: ALLOCATOR });
      const metadata = objectOf({ name: address, uid: system.uid(), creationTimestamp: system.now(), labels });
      const spec = objectOf({ parentRef: objectOf({ resource: "services", namespace, name }) });
      const object = objectOf({ apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec });
      await createStored(store, keyOf(type, "", address), type, object);
    }
  }
}

function addressesOf(service: JsonObject): string[] {
  const all = memberOf(service, "spec")["clusterIPs"];
  return (isArray(all) ? all.map(textOf) : []).filter((each) => each !== "" && each !== "None");
}

/** The key of the service that an object of ours belongs to; those that others made are theirs. */
function ownerOf(address: JsonObject, services: ResourceKind): string | undefined {
  const parent = memberOf(memberOf(address, "spec"), "parentRef");
  const isOurs = labelsOf(address)[MANAGER] === ALLOCATOR && parent["resource"] === "services";
  if (!isOurs || metaText(address, "deletionTimestamp") !== "") return undefined;
  return keyOf(services, textOf(parent["namespace"]), textOf(parent["name"]));
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
