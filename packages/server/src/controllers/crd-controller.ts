/**
 * Processes a CRD after it was written: its names are accepted or not, it is established, its kinds are served, and its
 * instances are deleted before it is.
 *
 * Follows apiextensions pkg/controller/{status,establish,finalizer}. Upstream waits between accepting and establishing
 * because there may be several servers; here both are one write.
 */

import { isTrue, setCondition } from "@portcullis/engine/internal/crd/conditions";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { CLEANUP_FINALIZER, CRD_PREFIX } from "@portcullis/engine/internal/review/kinds/crd";
import { type CustomKinds, customResourceKinds } from "@portcullis/engine/internal/review/kinds/custom-resource";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { finalizersOf, metaText, objectOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { type WebhookContext, webhookConverter } from "../conversion/webhook.ts";
import type { ServerContext } from "../registry/context.ts";
import { inEveryServer } from "../registry/leadership.ts";
import { APISERVER } from "../registry/server-writes.ts";
import { changeStored, removeStored } from "../registry/stored.ts";
import { WorkQueue } from "../registry/work-queue.ts";
import type { Entry, Store, Subscription } from "../storage/store.ts";
import { approvalCondition } from "./approval.ts";
import { groupOf, isEstablished, NamesInUse, withAcceptedNames } from "./crd-names.ts";
import { DefinitionReader } from "./crd-outline.ts";
import { drainType } from "./drain.ts";

interface Served {
  /** What schemas are read from: the newest entry, so that older texts are not kept. */
  readonly source: { entry: Entry };
  readonly isTerminating: boolean;
  readonly types: CustomKinds;
}

export interface DefinitionControllerOptions {
  readonly engine: EngineOptions;
  readonly webhooks: WebhookContext;
  /** Makes a function that is called during long work and lets requests run. */
  readonly newPause: () => () => Promise<void> | undefined;
}

export class DefinitionController {
  readonly #server: ServerContext;
  readonly #type: ResourceKind;
  readonly #options: DefinitionControllerOptions;
  readonly #queue: WorkQueue;
  readonly #reader: DefinitionReader;
  readonly #definitions = new Map<string, Entry>();
  readonly #names = new NamesInUse();
  readonly #served = new Map<string, Served>();
  /** By the key of a terminating CRD: a subscription that wakes the queue when one of its instances is deleted. */
  readonly #draining = new Map<string, Subscription>();

  constructor(server: ServerContext, options: DefinitionControllerOptions) {
    const type = server.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    if (type === undefined) throw new Error("no kind CustomResourceDefinition");
    this.#server = server;
    this.#type = type;
    this.#options = options;
    this.#reader = new DefinitionReader(type);
    this.#queue = new WorkQueue(
      "crd_naming_condition_controller",
      (key) => this.#sync(key),
      server,
      inEveryServer(server.leadership),
    );
  }

  async start(): Promise<void> {
    const see = (key: string, entry: Entry | undefined): void => this.#see(key, entry);
    await this.#server.followers.follow({ name: this.#type.plural, prefix: CRD_PREFIX, see });
  }

  /** Resolves when all observed changes are processed. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  close(): void {
    this.#queue.close();
  }

  #see(key: string, entry: Entry | undefined): void {
    const outline = entry && this.#reader.outline(entry);
    if (entry === undefined) {
      this.#definitions.delete(key);
      for (const other of this.#names.waitingFor(key)) this.#queue.add(other);
    } else {
      this.#definitions.set(key, entry);
    }
    this.#names.set(key, outline);
    if (entry === undefined || outline === undefined || !isTrue(outline, "Established")) this.#endServing(key);
    else this.#serve(key, entry, outline);
    if (outline !== undefined && !isComplete(outline)) this.#queue.add(key);
  }

  #endServing(key: string): void {
    const before = this.#served.get(key);
    this.#withdraw(key, before);
    this.#retire(before);
  }

  /** Kinds are made again only when the spec or the deletion has changed. */
  #serve(key: string, entry: Entry, outline: JsonObject): void {
    const before = this.#served.get(key);
    const isTerminating = isTrue(outline, "Terminating");
    const isSame = before !== undefined && this.#reader.hasSameSpec(before.source.entry, entry);
    if (isSame) before.source.entry = entry;
    if (isSame && before.isTerminating === isTerminating) return;
    this.#withdraw(key, before);
    // Watches of a terminating CRD continue: they see its instances being deleted.
    if (!isSame) this.#retire(before);
    const definition = readDefinition(outline);
    const { engine, webhooks } = this.#options;
    const converter = webhookConverter(definition, webhooks);
    const source = { entry };
    const load = () => this.#reader.whole(source.entry);
    const { registry } = this.#server;
    const made = customResourceKinds(definition, { engine, converter, isTerminating, load });
    // Built-in kinds come first in their versions.
    const served = made.served.filter(({ group, version }) => !registry.isBuiltInVersion(group, version));
    const types = { ...made, served };
    for (const type of served) registry.add(type);
    this.#served.set(key, { source, isTerminating, types });
  }

  #withdraw(key: string, served: Served | undefined): void {
    for (const type of served?.types.served ?? []) this.#server.registry.remove(type);
    this.#served.delete(key);
  }

  #retire(served: Served | undefined): void {
    for (const type of served?.types.served ?? []) this.#server.registry.retire(type);
  }

  async #sync(key: string): Promise<void> {
    const entry = this.#definitions.get(key);
    if (entry === undefined) return;
    const outline = this.#reader.outline(entry);
    const isDeleted = metaText(outline, "deletionTimestamp") !== "";
    if (isDeleted && finalizersOf(outline).includes(CLEANUP_FINALIZER)) await this.#finalize(key, outline);
    else if (!isDeleted) await this.#acceptNames(key, outline);
  }

  async #acceptNames(key: string, outline: JsonObject): Promise<void> {
    const now = this.#server.system.now();
    const accept = (json: JsonObject): JsonObject => {
      const group = groupOf(json);
      const named = isEstablished(json) ? json : withAcceptedNames(json, this.#names.ofOthers(group, key), now);
      const approval = approvalCondition(json, group);
      return approval === undefined ? named : withCondition(named, approval, now);
    };
    if (deepEqual(accept(outline), outline)) return;
    await this.#changeStatus(key, accept);
  }

  /** Writes as the server's own client does upstream; that client then owns the fields. */
  async #changeStatus(key: string, change: (json: JsonObject) => JsonObject): Promise<void> {
    const endpoint = { type: this.#type, subresource: this.#type.subresources.get("status") };
    await changeStored(this.#server.store, key, this.#type, async (json) => {
      const changed = change(json);
      if (changed === json) return json;
      const pause = this.#options.newPause();
      return this.#server.fieldManager.update(json, changed, { endpoint, manager: OWN_MANAGER, pause });
    });
  }

  /** Deletes the instances first, then the finalizer, and with it the CRD. */
  async #finalize(key: string, json: JsonObject): Promise<void> {
    const { store, system } = this.#server;
    const terminating = (status: string, reason: string, message: string) => (each: JsonObject) =>
      withCondition(each, objectOf({ type: "Terminating", status, reason, message }), system.now());
    await this.#changeStatus(key, terminating("True", "InstanceDeletionInProgress", IN_PROGRESS));
    const isEstablished = isTrue(json, "Established");
    if (isEstablished && !(await this.#drain(key, store))) return;
    const [reason, message] = isEstablished ? COMPLETED : NEVER_ESTABLISHED;
    await removeStored(store, key, this.#type, (each) => {
      const finalizers = finalizersOf(each).filter((name) => name !== CLEANUP_FINALIZER);
      const done = terminating("False", reason, message)(each);
      return withMeta(done, { finalizers: finalizers.length === 0 ? undefined : finalizers });
    });
  }

  async #wakeOnDeletion(key: string, prefix: string): Promise<void> {
    const see = (_: string, entry: Entry | undefined): void => {
      if (entry !== undefined) return;
      this.#draining.get(key)?.close();
      this.#draining.delete(key);
      this.#queue.add(key);
    };
    this.#draining.get(key)?.close();
    const followed = { name: prefix, prefix, see, isBackground: true };
    this.#draining.set(key, await this.#server.followers.follow(followed));
  }

  /** False if instances have finalizers; their removal wakes the queue. */
  async #drain(key: string, store: Store): Promise<boolean> {
    const type = this.#served.get(key)?.types.stored;
    if (type === undefined) return true;
    if (await drainType({ ...this.#server, admission: [] }, type, { namespace: "", user: APISERVER })) return true;
    await this.#wakeOnDeletion(key, type.storagePrefix);
    // An instance that was deleted before the subscription started causes no event.
    const { entries } = await store.list(type.storagePrefix, { limit: 1 });
    if (entries.length === 0) this.#queue.add(key);
    return false;
  }
}

const OWN_MANAGER = "kube-apiserver";
const COMPLETED = ["InstanceDeletionCompleted", "removed all instances"] as const;
const NEVER_ESTABLISHED = ["NeverEstablished", "resource was never established"] as const;
const IN_PROGRESS = "CustomResource deletion is in progress";

/** Whether nothing is left to do: the case of all CRDs when a server starts. */
function isComplete(outline: JsonObject): boolean {
  const isDeleted = metaText(outline, "deletionTimestamp") !== "";
  return !isDeleted && isEstablished(outline) && approvalCondition(outline, groupOf(outline)) === undefined;
}

function withCondition(json: JsonObject, condition: JsonObject, now: string): JsonObject {
  const status = isObject(json["status"]) ? json["status"] : newObject();
  return withMember(json, "status", setCondition(status, condition, now));
}
