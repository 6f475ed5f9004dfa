/**
 * The leader among several servers on one store holds a Lease. It renews the Lease; another server takes it over when it
 * has not changed for its duration. Clocks of different servers are never compared.
 *
 * Follows client-go tools/leaderelection, with its default times.
 */
import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { isInteger, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { type Entry, KeyExists, RevisionConflict, type Store } from "../storage/store.ts";
import type { Leadership } from "./leadership.ts";
import { decodeEntry, encodeObject, keyOf } from "./object-codec.ts";

export interface LeaseOptions {
  /** Different for every server. */
  readonly identity: string;
  /** Milliseconds since 1970, for the times in the Lease. */
  readonly now: () => number;
  /** Milliseconds of a clock that is never set back. */
  readonly clock: () => number;
  readonly uid: () => string;
  /** Milliseconds; default those of kube-controller-manager. */
  readonly times?: LeaseTimes;
}

export interface LeaseTimes {
  /** How long others wait for a renewal. */
  readonly duration: number;
  /** How long the leader tries to renew before it gives up. */
  readonly renewal: number;
  /** Between two attempts. */
  readonly retry: number;
}

const TIMES: LeaseTimes = { duration: 15_000, renewal: 10_000, retry: 2_000 };
const [NAMESPACE, NAME] = ["kube-system", "portcullis-controllers"];

export class LeaseLeadership implements Leadership {
  readonly canLead = true;
  readonly #options: LeaseOptions;
  readonly #times: LeaseTimes;
  readonly #listeners: (() => void)[] = [];
  /** What was last read, and when it was seen to change. */
  #observed: { readonly revision: number; readonly at: number } | undefined;
  #renewed = Number.NEGATIVE_INFINITY;
  #holds = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #place: { readonly store: Store; readonly leases: ResourceKind } | undefined;
  #isStopped = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#times = options.times ?? TIMES;
  }

  /** A leader that cannot renew its Lease stops before another may take it over. */
  get isLeader(): boolean {
    return this.#holds && this.#options.clock() - this.#renewed < this.#times.renewal;
  }

  onLead(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async start(store: Store, leases: ResourceKind): Promise<void> {
    this.#place = { store, leases };
    await this.#attempt();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (!this.isLeader || this.#place === undefined) return;
    this.#holds = false;
    const entry = await this.#place.store.get(this.#key()).catch(() => undefined);
    if (entry !== undefined) await this.#write(entry, "").catch(() => {});
  }

  async #attempt(): Promise<void> {
    const wasLeader = this.isLeader;
    try {
      const begun = this.#options.clock();
      this.#holds = await this.#acquire();
      if (this.#holds) this.#renewed = begun;
    } catch {
      // The store cannot be reached: tried again, and the lead is lost if that takes too long.
    }
    if (this.#isStopped) return;
    if (this.isLeader && !wasLeader) for (const listener of this.#listeners) listener();
    this.#timer = setTimeout(() => void this.#attempt(), this.#times.retry);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Whether this server holds the Lease now. */
  async #acquire(): Promise<boolean> {
    if (this.#place === undefined) return false;
    const { store } = this.#place;
    const entry = await store.get(this.#key());
    if (entry?.revision !== this.#observed?.revision) {
      this.#observed = entry && { revision: entry.revision, at: this.#options.clock() };
    }
    if (entry !== undefined && !this.#isFree(entry)) return false;
    try {
      await this.#write(entry, this.#options.identity);
      return true;
    } catch (error) {
      if (error instanceof KeyExists || error instanceof RevisionConflict) return false;
      throw error;
    }
  }

  #isFree(entry: Entry): boolean {
    const holder = textOf(this.#specOf(entry)["holderIdentity"]);
    if (holder === "" || holder === this.#options.identity) return true;
    const waited = this.#options.clock() - (this.#observed?.at ?? 0);
    return waited >= this.#times.duration;
  }

  async #write(entry: Entry | undefined, holder: string): Promise<void> {
    if (this.#place === undefined) return;
    const { store, leases } = this.#place;
    const now = `${new Date(this.#options.now()).toISOString().slice(0, -1)}000Z`;
    const before = entry === undefined ? newObject() : this.#specOf(entry);
    const isSame = before["holderIdentity"] === holder;
    const transitions = isInteger(before["leaseTransitions"]) ? Number(before["leaseTransitions"]) : 0;
    const spec = objectOf({
      holderIdentity: holder,
      leaseDurationSeconds: holder === "" ? 1 : Math.ceil(this.#times.duration / 1000),
      acquireTime: isSame ? before["acquireTime"] : now,
      renewTime: now,
      leaseTransitions: isSame || entry === undefined || holder === "" ? transitions : transitions + 1,
    });
    const object = objectOf({ ...(entry === undefined ? this.#newLease() : decodeEntry(entry, leases)), spec });
    const text = (await encodeObject(object, leases)).plain();
    const written =
      entry === undefined ? await store.create(this.#key(), text) : await store.update(entry.key, text, entry.revision);
    this.#observed = { revision: written.revision, at: this.#options.clock() };
  }

  #newLease(): JsonObject {
    const { uid, now } = this.#options;
    const creationTimestamp = `${new Date(now()).toISOString().slice(0, 19)}Z`;
    const metadata = objectOf({ name: NAME, namespace: NAMESPACE, uid: uid(), creationTimestamp });
    const leases = this.#place?.leases;
    return leases === undefined
      ? newObject()
      : objectOf({ apiVersion: apiVersionOf(leases), kind: leases.kind, metadata });
  }

  #specOf(entry: Entry): JsonObject {
    const spec = this.#place && decodeEntry(entry, this.#place.leases)["spec"];
    return isObject(spec) ? spec : newObject();
  }

  #key(): string {
    return this.#place === undefined ? "" : keyOf(this.#place.leases, NAMESPACE, NAME);
  }
}
