/**
 * What keeps objects: an ordered map from keys to strings with one counter of revisions for all of it.
 *
 * Every write gets a new, larger revision; an entry carries the revision of its last write; a deletion has a revision of
 * its own. Reads may ask for an older revision until compaction has passed it. This is the part of etcd that Kubernetes
 * relies on, and every driver passes the same tests (`contract.testing.ts`).
 */

/** One version of one key. Entries are immutable; drivers may hand out the same one many times. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  /** The revision of the write that made this version. */
  readonly revision: number;
  /** The revision at which the key came into being. */
  readonly created: number;
}

/** A change of one key. Created where `previous` is undefined, deleted where `entry` is. */
export interface StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly entry: Entry | undefined;
  readonly previous: Entry | undefined;
}

export interface ListOptions {
  /** The first key wanted; the prefix itself where absent. */
  readonly start?: string;
  /** Unlimited where absent. */
  readonly limit?: number;
  /** The state as of this revision; the newest where absent. */
  readonly revision?: number;
}

export interface EntryList {
  readonly entries: readonly Entry[];
  /** The revision the list shows. */
  readonly revision: number;
  /** How many entries follow the last one. */
  readonly remaining: number;
}

/** Gets what a watch sees, in order. INVARIANT: revisions strictly increase; nothing follows `failed`. */
export interface StoreSubscriber {
  event(event: StoreEvent): void;
  /** The watch ends: compaction has overtaken it, or the store is gone. */
  failed(error: Error): void;
}

export interface Subscription {
  close(): void;
}

/** What components read and write. They hear of changes through `Followers`, which cannot miss one. */
export interface Store {
  /**
   * The newest revision. Never below that of any write acknowledged before the call.
   * INVARIANT: when it resolves, every open watch has been given all its events up to that revision; bookmarks rely on it.
   */
  revision(): Promise<number>;
  /** Reads at this revision and above are answered. */
  compactedRevision(): Promise<number>;

  get(key: string): Promise<Entry | undefined>;
  /** Entries whose key starts with the prefix, by key. Rejects with `Compacted` or `FutureRevision`. */
  list(prefix: string, options?: ListOptions): Promise<EntryList>;

  /** Rejects with `KeyExists`. All writes are durable, and seen by every later read, when they resolve. */
  create(key: string, value: string): Promise<Entry>;
  /** Rejects with `RevisionConflict` unless the key's revision is `expected`. */
  update(key: string, value: string, expected: number): Promise<Entry>;
  /** Resolves to the revision of the deletion. Rejects with `RevisionConflict`. */
  delete(key: string, expected: number): Promise<number>;

  /** Forgets versions that no read at `revision` or later can see. Going backwards is nothing. */
  compact(revision: number): Promise<void>;
  /** For stores that several servers share: what periodic compaction does, on the server whose turn it is. */
  readonly shared?: SharedCompaction;
  /** Rejects where writes are known to fail, as on a full disk; a store without it always tries. */
  checkWrites?(): Promise<void>;
  close(): Promise<void>;
}

/** What a driver implements. Only `Followers` and the watches of clients subscribe by themselves. */
export interface WatchableStore extends Store {
  /**
   * Every change under the prefix after the revision, each once, in order. History comes before the promise resolves or
   * right after; a revision that is still to come is waited for. Rejects with `Compacted`.
   */
  watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription>;
  /** True while changes may have happened that no watch has seen; a successful read resets it. */
  readonly isBehind?: boolean;
}

export interface SharedCompaction {
  /** One of the servers compacts what they share; each forgets for itself. */
  compactInTurn(revision: number): Promise<void>;
  /** Leaves compaction to another server. */
  forget(revision: number): void;
}

/** The key is there already. */
export class KeyExists extends Error {
  override readonly name = "KeyExists";

  constructor(key: string) {
    super(`key ${key} exists`);
  }
}

/** The key is gone, or has been written since. */
export class RevisionConflict extends Error {
  override readonly name = "RevisionConflict";
  /** What is there now, so that a writer can try again without another read. */
  readonly current: Entry | undefined;

  constructor(key: string, current: Entry | undefined) {
    super(`key ${key} has been written since`);
    this.current = current;
  }
}

/** The revision asked for has been compacted away. */
export class Compacted extends Error {
  override readonly name = "Compacted";
  readonly compacted: number;

  constructor(compacted: number) {
    super(`revisions below ${compacted} are gone`);
    this.compacted = compacted;
  }
}

/** The revision asked for has not happened yet. */
export class FutureRevision extends Error {
  override readonly name = "FutureRevision";
  readonly current: number;

  constructor(current: number) {
    super(`the newest revision is ${current}`);
    this.current = current;
  }
}
