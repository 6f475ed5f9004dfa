/**
 * A store in etcd, shared by any number of servers. Writes are transactions that compare revisions; reads are answered from
 * a replica, once it has caught up with the revision that the cluster's majority confirms at the time of the read: as
 * current as a read of etcd itself, and many reads share one question.
 */
import {
  type Entry,
  type EntryList,
  KeyExists,
  type ListOptions,
  RevisionConflict,
  type SharedCompaction,
  type StoreSubscriber,
  type Subscription,
  type WatchableStore,
} from "../../storage/store.ts";
import { type EtcdClient, type EtcdClientOptions, isCompacted } from "./client.ts";
import type { Follower } from "./follower.ts";
import type { KeySpace } from "./key-space.ts";
import { badKey } from "./messages.ts";
import { COMPACT, type KeyValue, type Operation, RANGE, STATUS, TXN, type TxnResponse } from "./protocol.ts";

export interface EtcdStoreParts {
  readonly connection: EtcdConnection;
  readonly client: EtcdClient;
  readonly keys: KeySpace;
  readonly follower: Follower;
  readonly peers?: EtcdPeers | undefined;
}

/** What another process needs to open the same store. */
export interface EtcdConnection extends EtcdClientOptions {
  readonly prefix: string;
}

/**
 * Other processes of the same server. To clients they are one: what one of them has acknowledged, the next request is
 * decided with, wherever it arrives.
 */
export interface EtcdPeers {
  /** The newest revision that any of them has acknowledged. */
  newest(): number;
  publish(revision: number): void;
  /** After the cluster was set back. */
  reset(revision: number): void;
}

/** How long a write waits for its own event. */
const SEE_MS = 1_000;

/** Outside of any prefix: compaction is for the whole cluster. */
const COMPACTION_KEY = "compact_rev_key";

/** etcd's limit of a request, which has some bytes more than the value. */
const MAX_VALUE = 1.5 * 1024 * 1024 - 1024;

/** A store in etcd, laid out as kube-apiserver does it, so that both can read it. */
export class EtcdStore implements WatchableStore {
  readonly maxValue = MAX_VALUE;
  readonly connection: EtcdConnection;
  readonly #client: EtcdClient;
  readonly #keys: KeySpace;
  readonly #follower: Follower;
  readonly #peers: EtcdPeers | undefined;
  /** The question under way; who comes later needs a newer answer. */
  #asked: Promise<unknown> = Promise.resolve();
  /** The next question, not yet sent, shared by all who wait for it. */
  #next: Promise<void> | undefined;
  #cluster: number | undefined;
  /** The losses of the follower that a read has made up for. */
  #caughtUp = 0;
  /** The time of the last known compaction. */
  #lastTurn = 0;

  constructor({ connection, client, keys, follower, peers }: EtcdStoreParts) {
    this.#peers = peers;
    peers?.reset(follower.replica.state.revision);
    this.connection = connection;
    this.#client = client;
    this.#keys = keys;
    this.#follower = follower;
  }

  async revision(): Promise<number> {
    await this.#catchUp();
    return this.#state.revision;
  }

  get isBehind(): boolean {
    return this.#isOutOfTouch || (this.#peers !== undefined && this.#peers.newest() > this.#state.revision);
  }

  /** Events that peers have seen are usually on their way; otherwise etcd is asked. */
  async catchUp(): Promise<void> {
    if (!this.#isOutOfTouch && this.#peers !== undefined) {
      const hasCome = await this.#follower.reach(this.#peers.newest(), SEE_MS).then(
        () => true,
        () => false,
      );
      if (hasCome) return;
    }
    await this.#catchUp();
  }

  get #isOutOfTouch(): boolean {
    return this.#caughtUp < this.#follower.losses;
  }

  async compactedRevision(): Promise<number> {
    return this.#state.compacted;
  }

  async get(key: string): Promise<Entry | undefined> {
    await this.#catchUp();
    return this.#state.get(key);
  }

  peek(key: string): Entry | undefined {
    return this.#isOutOfTouch ? undefined : this.#state.get(key);
  }

  peekList(prefix: string): readonly Entry[] | undefined {
    return this.#isOutOfTouch ? undefined : this.#state.list(prefix).entries;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<EntryList> {
    if (options.revision === undefined || options.revision > this.#state.revision) await this.#catchUp();
    return this.#state.list(prefix, options);
  }

  async create(key: string, value: string): Promise<Entry> {
    if (!key.startsWith("/")) throw new Error(badKey(key));
    const etcdKey = this.#keys.toEtcd(key);
    const { succeeded, revision } = await this.#transact(etcdKey, 0, [{ put: { key: etcdKey, value } }]);
    if (!succeeded) throw new KeyExists(key);
    await this.#see(revision);
    return { key, value, revision, created: revision };
  }

  async update(key: string, value: string, expected: number): Promise<Entry> {
    const etcdKey = this.#keys.toEtcd(key);
    const put = [{ put: { key: etcdKey, value } }, { range: { key: etcdKey, keysOnly: true } }];
    const { succeeded, revision, entries } = await this.#transact(etcdKey, requireRevision(key, expected), put);
    if (!succeeded) throw new RevisionConflict(key, this.#entryOf(entries[0]));
    await this.#see(revision);
    return { key, value, revision, created: entries[0]?.created ?? revision };
  }

  async delete(key: string, expected: number): Promise<number> {
    const etcdKey = this.#keys.toEtcd(key);
    const remove = [{ delete: { key: etcdKey } }];
    const { succeeded, revision, entries } = await this.#transact(etcdKey, requireRevision(key, expected), remove);
    if (!succeeded) throw new RevisionConflict(key, this.#entryOf(entries[0]));
    await this.#see(revision);
    return revision;
  }

  async size(): Promise<number> {
    return (await this.#client.read(STATUS, {})).databaseSize;
  }

  async watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription> {
    return this.#follower.replica.watch(prefix, after, subscriber);
  }

  /** Compacts the cluster, for everybody who uses it. */
  async compact(revision: number): Promise<void> {
    if (revision > this.#state.compacted) await this.#compactCluster(revision);
  }

  /**
   * A key that kube-apiserver uses too decides which server compacts: the server that replaces the version it knows
   * compacts; all others learn the new version and wait.
   */
  readonly shared: SharedCompaction = {
    compactInTurn: async (revision) => {
      if (await this.#takeTurn(revision)) await this.#compactCluster(revision);
      else this.shared.forget(revision);
    },
    forget: (revision) => this.#state.compact(revision),
  };

  async #takeTurn(revision: number): Promise<boolean> {
    const put = { put: { key: COMPACTION_KEY, value: String(revision) } };
    const look = { range: { key: COMPACTION_KEY } };
    const request = { key: COMPACTION_KEY, expected: this.#lastTurn, success: [put], failure: [look] };
    const { succeeded, revision: now, entries } = await this.#client.write(TXN, request);
    this.#lastTurn = succeeded ? now : (entries[0]?.modified ?? 0);
    return succeeded;
  }

  async #compactCluster(revision: number): Promise<void> {
    const target = Math.min(revision, await this.revision());
    try {
      await this.#client.read(COMPACT, { revision: target });
    } catch (error) {
      // Another server was faster.
      if (!isCompacted(error)) throw error;
    }
    this.#state.compact(target);
  }

  async close(): Promise<void> {
    const followed = this.#follower.close();
    this.#client.close();
    await followed;
  }

  get #state() {
    return this.#follower.replica.state;
  }

  #catchUp(): Promise<void> {
    this.#next ??= this.#asked.then(() => {
      this.#next = undefined;
      const answer = this.#ask();
      this.#asked = answer.catch(() => {});
      return this.#reach(answer, this.#follower.losses);
    });
    return this.#next;
  }

  async #reach(answer: Promise<number>, losses: number): Promise<void> {
    await this.#follower.reach(await answer);
    // Between two connections the replica may be current for this reader, but the next change would not be seen.
    if (this.#follower.isLive) this.#caughtUp = Math.max(this.#caughtUp, losses);
  }

  /** The cluster's newest revision, confirmed by a majority after the call. */
  async #ask(): Promise<number> {
    const known = this.#state.revision;
    const { revision, cluster } = await this.#client.read(RANGE, { key: this.#keys.marker, keysOnly: true });
    const isOther = this.#cluster !== undefined && this.#cluster !== cluster;
    this.#cluster = cluster;
    if (isOther || revision < known) {
      await this.#follower.startOver();
      this.#peers?.reset(this.#state.revision);
    }
    return revision;
  }

  async #transact(key: string, expected: number, success: readonly Operation[]): Promise<TxnResponse> {
    return this.#client.write(TXN, { key, expected, success, failure: expected === 0 ? [] : [{ range: { key } }] });
  }

  /**
   * Waits until the replica has a write, so that the next request is decided with it. The event is on its way together
   * with the response of etcd. If it does not come, the store counts as behind, and requests ask etcd first.
   */
  async #see(revision: number): Promise<void> {
    if (!this.#isOutOfTouch) {
      try {
        await this.#follower.reach(revision, SEE_MS);
      } catch {
        this.#follower.lose();
      }
    }
    this.#peers?.publish(revision);
  }

  #entryOf(found: KeyValue | undefined): Entry | undefined {
    const key = found && this.#keys.fromEtcd(found.key);
    if (found === undefined || key === undefined) return undefined;
    return { key, value: found.value, revision: found.modified, created: found.created };
  }
}

/** For etcd 0 means a missing key; for a caller it is just a revision that nothing has. */
function requireRevision(key: string, expected: number): number {
  if (expected <= 0) throw new RevisionConflict(key, undefined);
  return expected;
}
