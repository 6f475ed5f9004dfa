/**
 * The storage interface: an ordered map from keys to strings with one revision counter.
 *
 * Every write gets a new, larger revision; an entry has the revision of its last write; a deletion has its own
 * revision. Reads may ask for an older revision until it is compacted. This is the part of etcd that Kubernetes relies
 * on, and every driver passes the same tests (`contract.testing.ts`).
 */

/** One version of one key. Entries are immutable; drivers may hand out the same one many times. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  /** The revision of the write that made this version. */
  readonly revision: number;
  /** The revision at which the key was created. */
  readonly created: number;
}

/** A change of one key. A creation if `previous` is undefined, a deletion if `entry` is. */
export interface StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly entry: Entry | undefined;
  readonly previous: Entry | undefined;
}

/** Which part of a list is wanted, and as of when. */
export interface ListOptions {
  /** The first key wanted; the prefix itself if absent. */
  readonly start?: string;
  /** Unlimited if absent. */
  readonly limit?: number;
  /** The state as of this revision; the newest if absent. */
  readonly revision?: number;
}

/** One page of a list. */
export interface EntryList {
  readonly entries: readonly Entry[];
  /** The revision the list shows. */
  readonly revision: number;
  /** How many entries follow the last one. */
  readonly remaining: number;
}

/** Receives the events of a watch, in order. INVARIANT: revisions strictly increase; nothing follows `failed`. */
export interface StoreSubscriber {
  event(event: StoreEvent): void;
  /** The watch ends: its revision was compacted, or the store is closed. */
  failed(error: Error): void;
}

/** An open subscription to changes. */
export interface Subscription {
  close(): void;
}

/** What components read and write. They observe changes through `Followers`, which cannot miss one. */
export interface Store {
  /**
   * The newest revision. Never below that of any write acknowledged before the call. INVARIANT: when it resolves, every
   * open watch has received all its events up to that revision; bookmarks rely on it.
   */
  revision(): Promise<number>;
  /** Reads at this revision and above are possible. */
  compactedRevision(): Promise<number>;

  get(key: string): Promise<Entry | undefined>;
  /**
   * The newest version that is known here without asking anybody, for stores where `get` has to ask. It has all writes
   * that were acknowledged here; those of other servers may be missing. Undefined also if nothing is known of the key.
   */
  peek?(key: string): Entry | undefined;
  /** The same for all keys with a prefix. Undefined if what is known here may be incomplete. */
  peekList?(prefix: string): readonly Entry[] | undefined;
  /** Entries whose key starts with the prefix, by key. Rejects with `Compacted` or `FutureRevision`. */
  list(prefix: string, options?: ListOptions): Promise<EntryList>;

  /** Rejects with `KeyExists`. All writes are durable, and seen by every later read, when they resolve. */
  create(key: string, value: string): Promise<Entry>;
  /** Rejects with `RevisionConflict` unless the key's revision is `expected`. */
  update(key: string, value: string, expected: number): Promise<Entry>;
  /** Resolves to the revision of the deletion. Rejects with `RevisionConflict`. */
  delete(key: string, expected: number): Promise<number>;

  /** Removes versions that no read at `revision` or later can see. A lower revision than before has no effect. */
  compact(revision: number): Promise<void>;
  /** For stores that several servers share: compaction by the server whose turn it is. */
  readonly shared?: SharedCompaction;
  /** The size in bytes from which on values are refused; unlimited where absent. */
  readonly maxValue?: number;
  /** The bytes that the store takes up on disk; absent in memory, and where another process answers for it. */
  size?(): Promise<number>;
  /** Rejects if writes are known to fail, as on a full disk; a store without it always tries. */
  checkWrites?(): Promise<void>;
  close(): Promise<void>;
}

/** What a driver implements. Only `Followers` and the watches of clients subscribe directly. */
export interface WatchableStore extends Store {
  /**
   * Every change under the prefix after the revision, each once, in order. History arrives before the promise resolves
   * or right after; a future revision is waited for. Rejects with `Compacted`.
   */
  watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription>;
  /** True while changes may have happened that no watch has seen; a successful read resets it. */
  readonly isBehind?: boolean;
  /** Resolves when it is not behind, for stores with a cheaper way than a read. */
  catchUp?(): Promise<void>;
}

/** A store that several servers compact together. */
export interface SharedCompaction {
  /** One of the servers compacts the shared store; each trims its own copy. */
  compactInTurn(revision: number): Promise<void>;
  /** Leaves compaction to another server. */
  forget(revision: number): void;
}

/**
 * The key already exists.
 * @example await source.create("/registry/a", "{}").catch((error) => error instanceof KeyExists) // true
 */
export class KeyExists extends Error {
  override readonly name = "KeyExists";

  constructor(key: string) {
    super(`key ${key} exists`);
  }
}

/**
 * The key was deleted, or written since.
 * @example await source.update("/registry/a", "{}", 0).catch((error) => error instanceof RevisionConflict) // true
 */
export class RevisionConflict extends Error {
  override readonly name = "RevisionConflict";
  /** The current entry, so that a writer can retry without another read. */
  readonly current: Entry | undefined;

  constructor(key: string, current: Entry | undefined) {
    super(`key ${key} has been written since`);
    this.current = current;
  }
}

/**
 * The requested revision was compacted.
 * @example await source.list("/", { revision: 1 }).catch((error) => error instanceof Compacted && error.compacted)
 */
export class Compacted extends Error {
  override readonly name = "Compacted";
  readonly compacted: number;

  constructor(compacted: number) {
    super(`revisions below ${compacted} are gone`);
    this.compacted = compacted;
  }
}

/**
 * The requested revision does not exist yet.
 * @example await source.list("/", { revision: 1_000 }).catch((error) => error instanceof FutureRevision) // true
 */
export class FutureRevision extends Error {
  override readonly name = "FutureRevision";
  readonly current: number;

  constructor(current: number) {
    super(`the newest revision is ${current}`);
    this.current = current;
  }
}
