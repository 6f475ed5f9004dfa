/**
 * Keeps the status of quotas: what their namespaces use. Admission adds to it; this controller counts again where a quota
 * is new or changed, where objects are deleted or stop to count, and every few minutes.
 *
 * Follows kubernetes pkg/controller/resourcequota.
 */
import { amountsOf } from "@portcullis/engine/internal/builtin/limits/pod-resources";
import { isEqualTo } from "@portcullis/engine/internal/quota/amounts";
import { type ListKind, quotaStatus } from "@portcullis/engine/internal/quota/usage";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { StatusError } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import type { Pause } from "../../endpoints/request-time.ts";
import type { ServerContext } from "../../registry/context.ts";
import { decodeEntry, prefixOf } from "../../registry/object-codec.ts";
import { controllerUser, patchAs } from "../../registry/server-writes.ts";
import { NotYet, WorkQueue } from "../../registry/work-queue.ts";
import type { Entry } from "../../storage/store.ts";

const ROOT = "/registry/";
const USER = controllerUser("resourcequota-controller");
const RESYNC_MS = 5 * 60_000;
/** Kinds whose changes can free something. */
const CHANGING = /^\/registry\/(services\/specs|services|persistentvolumeclaims)\//;
const PODS = "/registry/pods/";
const ENDED = /"phase":"(Failed|Succeeded)"/;

export class QuotaController {
  readonly #server: ServerContext;
  readonly #newPause: () => Pause;
  readonly #queue: WorkQueue;
  /** The keys of the quotas of each namespace. */
  readonly #quotas = new Map<string, Set<string>>();
  #type: ResourceKind | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(server: ServerContext, newPause: () => Pause) {
    this.#server = server;
    this.#newPause = newPause;
    this.#queue = new WorkQueue("resourcequota_primary", (key) => this.#sync(key), server);
  }

  async start(): Promise<void> {
    const type = this.#server.registry.find("", "v1", "resourcequotas");
    if (type === undefined) return;
    this.#type = type;
    const { followers } = this.#server;
    const see = (key: string, entry: Entry | undefined): void => this.#seeQuota(key, entry, type);
    await followers.follow({ name: "resourcequotas", prefix: type.storagePrefix, see, isBackground: true });
    const replenish = (key: string, entry: Entry | undefined): void => this.#seeObject(key, entry);
    await followers.follow({ name: "quota usage", prefix: ROOT, see: replenish, isBackground: true });
    this.#timer = setInterval(() => this.#queueAll(), RESYNC_MS);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#queue.close();
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  #seeQuota(key: string, entry: Entry | undefined, type: ResourceKind): void {
    const namespace = namespaceOf(key);
    const keys = this.#quotas.get(namespace) ?? new Set();
    if (entry === undefined) {
      if (keys.delete(key) && keys.size === 0) this.#quotas.delete(namespace);
      return;
    }
    this.#quotas.set(namespace, keys.add(key));
    if (isOutdated(decodeEntry(entry, type))) this.#queue.add(key);
  }

  /** Only deletions, and changes after which an object may count for less. */
  #seeObject(key: string, entry: Entry | undefined): void {
    const keys = this.#quotas.get(namespaceOf(key));
    if (keys === undefined) return;
    const isChange = entry !== undefined && entry.revision !== entry.created;
    const frees =
      entry === undefined || (isChange && (CHANGING.test(key) || (key.startsWith(PODS) && ENDED.test(entry.value))));
    if (frees) for (const quota of keys) this.#queue.add(quota);
  }

  #queueAll(): void {
    for (const keys of this.#quotas.values()) for (const key of keys) this.#queue.add(key);
  }

  async #sync(key: string): Promise<void> {
    const { store, system } = this.#server;
    const entry = await store.get(key);
    if (entry === undefined || this.#type === undefined) return;
    const quota = decodeEntry(entry, this.#type);
    const status = await quotaStatus(quota, this.#lister(metaText(quota, "namespace")), system.now());
    if (!isOutdated(quota) && isSameUsage(quota, status)) return;
    const metadata = objectOf({ resourceVersion: metaText(quota, "resourceVersion") });
    try {
      await patchAs(
        { server: this.#server, user: USER, type: this.#type, object: quota },
        objectOf({ metadata, status: withRemovals(quota, status) }),
        "status",
      );
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.reason !== "NotFound") throw new NotYet();
    }
  }

  #lister(namespace: string): ListKind {
    const { registry, store } = this.#server;
    return async (group, plural) => {
      const type = registry.findAny(group, plural);
      if (type?.namespaced !== true) return undefined;
      const { entries } = await store.list(prefixOf(type, namespace));
      const pause = this.#newPause();
      const objects: JsonObject[] = [];
      for (const entry of entries) {
        await pause();
        // Of custom resources only the number matters, and reading them may need a webhook.
        objects.push(type.isCustom ? objectOf({}) : decodeEntry(entry, type));
      }
      return objects;
    };
  }
}

function namespaceOf(key: string): string {
  const name = key.lastIndexOf("/");
  return key.slice(key.lastIndexOf("/", name - 1) + 1, name);
}

/** Whether the status was not written for the limits of today. */
function isOutdated(quota: JsonObject): boolean {
  const [spec, status] = [memberOf(quota, "spec"), memberOf(quota, "status")];
  if (status?.["hard"] === undefined || status["used"] === undefined) return true;
  return !isEqualTo(amountsOf(spec?.["hard"]), amountsOf(status["hard"]));
}

function isSameUsage(quota: JsonObject, status: JsonObject): boolean {
  return isEqualTo(amountsOf(memberOf(quota, "status")?.["used"]), amountsOf(status["used"]));
}

/** As a merge patch: what is no longer limited goes. */
function withRemovals(quota: JsonObject, status: JsonObject): JsonObject {
  const patch = objectOf({});
  for (const part of ["hard", "used"]) {
    const [before, now] = [memberOf(memberOf(quota, "status") ?? objectOf({}), part), memberOf(status, part)];
    const removed = Object.keys(before ?? {}).filter((name) => now?.[name] === undefined);
    patch[part] = objectOf({ ...now, ...Object.fromEntries(removed.map((name) => [name, null])) });
  }
  return patch;
}

function memberOf(object: JsonObject, key: string): JsonObject | undefined {
  const member = object[key];
  return isObject(member) ? member : undefined;
}
