/**
 * Deletes dependents whose owners are gone, and finishes deletions that wait for dependents: in the foreground, or by
 * leaving them alone.
 *
 * Follows kubernetes pkg/controller/garbagecollector. An owner is looked up in the store by the kind and name that the
 * dependent gives, in the dependent's namespace; one with another uid is another object.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { DeleteOptions } from "@portcullis/engine/internal/review/write";
import { StatusError } from "@portcullis/engine/internal/status/error";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { finalizersOf, metaOf, metaText, objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import type { ServerContext } from "../../registry/context.ts";
import { DelayedKeys } from "../../registry/delayed-keys.ts";
import { keyOf, parseStored } from "../../registry/object-codec.ts";
import { type ControllerWrite, controllerUser, deleteAs, patchAs } from "../../registry/server-writes.ts";
import { NotYet, WorkQueue } from "../../registry/work-queue.ts";
import type { Entry } from "../../storage/store.ts";
import { FOREGROUND, type Node, nodeOf, ORPHAN, OwnerGraph, type OwnerReference, ownersOf } from "./graph.ts";
import { StoredKinds } from "./stored-kinds.ts";

const ROOT = "/registry/";
const USER = controllerUser("generic-garbage-collector");
/** Texts without these neither have owners nor wait for dependents. */
const RELEVANT = ['"ownerReferences"', '"deletionTimestamp"'];

interface Item {
  readonly node: Node;
  readonly object: JsonObject;
  readonly write: ControllerWrite;
}

/** The references of a dependent, by the state of their owners. */
interface Classified {
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  readonly waiting: readonly OwnerReference[];
}

/**
 * Collecting starts this long after a change, as it does in a cluster, where another process collects: a client that
 * creates an object before its owner, or adds a finalizer right after, is not surprised.
 */
const DELAY_MS = 1000;

export class GarbageCollector {
  readonly #server: ServerContext;
  readonly #kinds: StoredKinds;
  readonly #graph = new OwnerGraph();
  readonly #queue: WorkQueue;
  readonly #delayed: DelayedKeys;
  /** The revision at which an owner was created, by key: a new object under an old name has other dependents. */
  readonly #created = new Map<string, number>();
  /** Dependents of kinds that are not served. */
  readonly #unknown = new Set<string>();

  constructor(server: ServerContext) {
    this.#server = server;
    this.#kinds = new StoredKinds(server.registry);
    this.#queue = new WorkQueue("garbage_collector_attempt_to_delete", (key) => this.#process(key), server);
    this.#delayed = new DelayedKeys(DELAY_MS, (key) => this.#queue.add(key));
  }

  async start(): Promise<void> {
    const { followers, registry } = this.#server;
    registry.onChange(() => this.#retryUnknown());
    const see = (key: string, entry: Entry | undefined): void => this.#see(key, entry);
    await followers.follow({ name: "garbage collector", prefix: ROOT, see, isBackground: true });
  }

  close(): void {
    this.#delayed.close();
    this.#queue.close();
  }

  async settled(): Promise<void> {
    await this.#queue.idle();
    while (this.#delayed.flush()) await this.#queue.idle();
  }

  #see(key: string, entry: Entry | undefined): void {
    const before = this.#graph.get(key);
    const node = entry && readNode(entry);
    this.#graph.set(key, node);
    this.#seeOwner(key, entry);
    if (before !== undefined) this.#releaseOwners(before, node);
    if (node === undefined || isSame(before, node)) return;
    this.#add(key);
    if (node.waitsFor === "deletion")
      for (const dependent of this.#graph.dependentsOf(node.uid)) this.#add(dependent.key);
  }

  /** Looks at the dependents of an object that is gone, or that another one has replaced. */
  #seeOwner(key: string, entry: Entry | undefined): void {
    const type = this.#kinds.ofKey(key);
    if (type === undefined) return;
    const dependents = this.#graph.dependentsOn(type.group, type.kind, key.slice(key.lastIndexOf("/") + 1));
    if (dependents.length === 0 || entry === undefined) this.#created.delete(key);
    else if (this.#created.get(key) === entry.created) return;
    else this.#created.set(key, entry.created);
    for (const dependent of dependents) this.#add(dependent);
  }

  /** An owner in deletion may wait for this dependent only. */
  #releaseOwners({ owners }: Node, now: Node | undefined): void {
    const blocked = new Set(now?.owners.filter(({ isBlocking }) => isBlocking).map(({ uid }) => uid));
    const released = owners.filter(({ uid, isBlocking }) => isBlocking && !blocked.has(uid));
    for (const key of this.#graph.waitingAmong(released)) this.#add(key);
  }

  #retryUnknown(): void {
    const keys = [...this.#unknown];
    this.#unknown.clear();
    for (const key of keys) this.#add(key);
  }

  #add(key: string): void {
    if (this.#server.leadership.canLead) this.#delayed.add(key);
  }

  async #process(key: string): Promise<void> {
    const entry = await this.#server.store.get(key);
    const type = this.#kinds.ofKey(key);
    if (entry === undefined || type === undefined) return;
    const stored = parseStored(entry);
    const object = withMember(
      stored,
      "metadata",
      objectOf({ ...metaOf(stored), resourceVersion: String(entry.revision) }),
    );
    const node = nodeOf(key, object);
    if (node === undefined) return;
    const write = { server: this.#server, user: USER, type, object };
    try {
      await this.#collect({ node, object, write });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Refused by admission, or changed in the meantime. What is gone is seen as deleted.
      if (error.reason !== "NotFound") throw new NotYet();
    }
  }

  async #collect(item: Item): Promise<void> {
    const { node, object } = item;
    if (node.waitsFor === "orphaning") return this.#orphanDependents(item);
    if (node.waitsFor === "deletion") return this.#finishForeground(item);
    if (metaText(object, "deletionTimestamp") !== "") return;
    const classified = await this.#classify(item);
    if (classified === "unknown kind") this.#unknown.add(node.key);
    else if (classified !== "invalid") await this.#deleteUnowned(item, classified);
  }

  async #deleteUnowned(item: Item, { solid, dangling, waiting }: Classified): Promise<void> {
    if (solid.length > 0) return this.#dropOwners(item, [...dangling, ...waiting]);
    if (waiting.length > 0 && this.#graph.dependentsOf(item.node.uid).length > 0) {
      await this.#breakCycle(item);
      return this.#delete(item, "Foreground");
    }
    const finalizers = finalizersOf(item.object);
    if (finalizers.includes(ORPHAN)) return this.#delete(item, "Orphan");
    return this.#delete(item, finalizers.includes(FOREGROUND) ? "Foreground" : "Background");
  }

  async #classify({ node, object }: Item): Promise<Classified | "unknown kind" | "invalid"> {
    const [solid, dangling, waiting]: OwnerReference[][] = [[], [], []];
    const namespace = metaText(object, "namespace");
    for (const owner of node.owners) {
      const type = this.#kinds.ofKind(owner.apiVersion, owner.kind);
      if (type === undefined) return "unknown kind";
      // An object without a namespace cannot have an owner with one; upstream gives up on all its references.
      if (type.namespaced && namespace === "") return "invalid";
      const found = await this.#readOwner(type, namespace, owner);
      if (found === undefined) dangling?.push(owner);
      else if (nodeOf("", found)?.waitsFor === "deletion") waiting?.push(owner);
      else solid?.push(owner);
    }
    return { solid: solid ?? [], dangling: dangling ?? [], waiting: waiting ?? [] };
  }

  async #readOwner(type: ResourceKind, namespace: string, { name, uid }: OwnerReference) {
    const entry = await this.#server.store.get(keyOf(type, type.namespaced ? namespace : "", name));
    const object = entry && parseStored(entry);
    return object !== undefined && metaText(object, "uid") === uid ? object : undefined;
  }

  async #delete({ write, object }: Item, propagationPolicy: string): Promise<void> {
    const options: DeleteOptions = {
      uid: metaText(object, "uid"),
      resourceVersion: metaText(object, "resourceVersion"),
      propagationPolicy,
    };
    await deleteAs(write, options);
  }

  async #dropOwners({ write, object }: Item, dropped: readonly OwnerReference[]): Promise<void> {
    if (dropped.length === 0) return;
    const uids = new Set(dropped.map(({ uid }) => uid));
    const kept = referencesOf(object).filter((each) => !uids.has(textOf(each["uid"])));
    await this.#patch(write, "ownerReferences", kept);
  }

  /** Owners that wait for each other would wait for ever: this one no longer blocks its own. */
  async #breakCycle({ node, write, object }: Item): Promise<void> {
    const isCycle = this.#graph.dependentsOf(node.uid).some(({ waitsFor }) => waitsFor === "deletion");
    if (!isCycle || !node.owners.some(({ isBlocking }) => isBlocking)) return;
    const unblocked = referencesOf(object).map((each) => withMember(each, "blockOwnerDeletion", false));
    await this.#patch(write, "ownerReferences", unblocked);
    // The object has another version now.
    throw new NotYet();
  }

  async #finishForeground({ node, write, object }: Item): Promise<void> {
    const blocking = this.#graph.dependentsOf(node.uid).filter((each) => blocks(each, node.uid));
    for (const { key, waitsFor } of blocking) if (waitsFor !== "deletion") this.#add(key);
    if (blocking.length === 0) await this.#removeFinalizer(write, object, FOREGROUND);
  }

  async #orphanDependents({ node, write, object }: Item): Promise<void> {
    for (const dependent of this.#graph.dependentsOf(node.uid)) await this.#orphan(dependent, node.uid);
    await this.#removeFinalizer(write, object, ORPHAN);
  }

  async #orphan({ key, uid }: Node, owner: string): Promise<void> {
    const entry = await this.#server.store.get(key);
    const type = this.#kinds.ofKey(key);
    const object = entry && parseStored(entry);
    if (type === undefined || object === undefined || metaText(object, "uid") !== uid) return;
    const kept = referencesOf(object).filter((each) => each["uid"] !== owner);
    if (kept.length === ownersOf(object).length) return;
    await this.#patch({ server: this.#server, user: USER, type, object }, "ownerReferences", kept);
  }

  async #removeFinalizer(write: ControllerWrite, object: JsonObject, name: string): Promise<void> {
    const finalizers = finalizersOf(object);
    const kept = finalizers.filter((each) => each !== name);
    if (kept.length < finalizers.length) await this.#patch(write, "finalizers", kept);
  }

  async #patch(write: ControllerWrite, field: string, value: readonly JsonValue[]): Promise<void> {
    const resourceVersion = metaText(write.object, "resourceVersion");
    const precondition = resourceVersion === "" ? {} : { resourceVersion };
    const metadata = objectOf({ ...precondition, [field]: value.length === 0 ? null : [...value] });
    await patchAs(write, objectOf({ metadata }));
  }
}

/** Undefined also for entries that are not objects. */
function readNode({ key, value }: Entry): Node | undefined {
  if (!RELEVANT.some((name) => value.includes(name))) return undefined;
  const decoded = decodeJson(value);
  return decoded.error === undefined && isObject(decoded.value) ? nodeOf(key, decoded.value) : undefined;
}

function isSame(before: Node | undefined, now: Node): boolean {
  if (before === undefined || before.uid !== now.uid || before.waitsFor !== now.waitsFor) return false;
  return JSON.stringify(before.owners) === JSON.stringify(now.owners);
}

function blocks({ owners }: Node, uid: string): boolean {
  return owners.some((owner) => owner.uid === uid && owner.isBlocking);
}

function referencesOf(object: JsonObject): JsonObject[] {
  const references = metaOf(object)["ownerReferences"];
  return isArray(references) ? references.filter(isObject) : [];
}
