/**
 * In-memory copies of parts of the store that requests are decided with: roles, policies, CRDs, namespaces, flow
 * schemas, addresses.
 *
 * This is the only way for a component to observe changes: `Store` has no watch. A follower only handles one key at a
 * time. Listing, subscribing, and repeating both after a gap in the events happens here, so no follower stays behind.
 * After a gap, all keys are shown again and those that disappeared are shown as deleted, in one synchronous step.
 *
 * Keeps the guarantees of client-go tools/cache (reflector and shared informers).
 */
import type { Entry, StoreEvent, Subscription, WatchableStore } from "./store.ts";
import { StoreUnavailable } from "./unavailable.ts";

export interface Followed {
  /** The name in `/readyz` and the log, such as `clusterroles`. */
  readonly name: string;
  /** The prefix of the followed keys. Ends in a slash. */
  readonly prefix: string;
  /** Keys that it returns false for are left out. */
  readonly selects?: (key: string) => boolean;
  /** The newest version of a key; undefined if the key is gone. May see the same version more than once. */
  readonly see: (key: string, entry: Entry | undefined) => void;
  /** Whether only a controller needs it: requests do not depend on it and do not wait for it. `/readyz` reports it. */
  readonly isBackground?: boolean;
}

export interface FollowersOptions {
  /** Receives a line when a follower loses its subscription and when it has recovered. */
  readonly log?: (message: string) => void;
  /** Milliseconds before the first retry; doubled up to `maxBackoff`. */
  readonly backoff?: number;
  readonly maxBackoff?: number;
}

const BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 2_000;

export class Followers {
  readonly #store: WatchableStore;
  readonly #options: FollowersOptions;
  readonly #all = new Set<Follower>();
  readonly #waiters = new Set<() => void>();
  #isClosed = false;

  constructor(store: WatchableStore, options: FollowersOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  /** Resolves when the follower has seen everything. Rejects if the first read of the store fails. */
  async follow(followed: Followed): Promise<Subscription> {
    const { backoff = BACKOFF_MS, maxBackoff = MAX_BACKOFF_MS, log = () => {} } = this.#options;
    const changed = (): void => this.#wake();
    const follower = new Follower(this.#store, followed, { backoff, maxBackoff, log, changed });
    await follower.synchronize();
    this.#all.add(follower);
    return {
      close: () => {
        follower.close();
        this.#all.delete(follower);
        this.#wake();
      },
    };
  }

  /** The names of the followers that may be behind, in the order they were added. */
  get unsynced(): readonly string[] {
    return [...this.#all].filter(({ isSynced }) => !isSynced).map(({ name }) => name);
  }

  /**
   * Resolves when no follower that requests depend on is behind: to true, or to false after `timeout` milliseconds. If
   * the store lost the connection to its source, it is read first, because only a read detects missed events.
   */
  async current(timeout: number): Promise<boolean> {
    if (this.#store.isBehind === true) await within(timeout, this.#catchUp(), "the store does not answer");
    return this.isSynced || this.synced(timeout);
  }

  #catchUp(): Promise<unknown> {
    return this.#store.catchUp?.() ?? this.#store.revision();
  }

  /** The same without reading the store. */
  async synced(timeout: number): Promise<boolean> {
    return this.isSynced || this.#wait(timeout);
  }

  get isSynced(): boolean {
    for (const { isSynced, isBackground } of this.#all) if (!isSynced && !isBackground) return false;
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const follower of this.#all) follower.close();
    this.#wake();
  }

  #wait(timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (): void => {
        if (!this.isSynced && !this.#isClosed && !isOver) return;
        clearTimeout(timer);
        this.#waiters.delete(finish);
        resolve(this.isSynced);
      };
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        finish();
      }, timeout);
      this.#waiters.add(finish);
    });
  }

  #wake(): void {
    for (const finish of [...this.#waiters]) finish();
  }
}

interface FollowerContext extends Required<FollowersOptions> {
  readonly changed: () => void;
}

class Follower {
  readonly name: string;
  readonly isBackground: boolean;
  readonly #store: WatchableStore;
  readonly #followed: Followed;
  readonly #context: FollowerContext;
  /** Keys that were seen and not deleted since. */
  #known = new Set<string>();
  /** Counts attempts, so that events of an abandoned subscription are ignored. */
  #attempt = 0;
  #subscription: Subscription | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delay: number;
  #isClosed = false;
  isSynced = false;

  constructor(store: WatchableStore, followed: Followed, context: FollowerContext) {
    this.name = followed.name;
    this.isBackground = followed.isBackground ?? false;
    this.#store = store;
    this.#followed = followed;
    this.#context = context;
    this.#delay = context.backoff;
  }

  /** Lists, shows all keys, and subscribes to later changes. */
  async synchronize(): Promise<void> {
    const attempt = ++this.#attempt;
    const { prefix } = this.#followed;
    const { entries, revision } = await this.#store.list(prefix);
    if (attempt !== this.#attempt) return;
    this.#replace(entries);
    const subscription = await this.#store.watch(prefix, revision, {
      event: (event) => this.#receive(event, attempt),
      failed: (error) => this.#lose(error, attempt),
    });
    // If the store was restored to an older state in between, this subscription would wait for a revision that has
    // passed.
    const isSetBack = (await this.#store.revision()) < revision;
    if (attempt !== this.#attempt || isSetBack) subscription.close();
    if (isSetBack) throw new StoreUnavailable("the store was set back");
    if (attempt !== this.#attempt) return;
    this.#subscription = subscription;
    this.#delay = this.#context.backoff;
    this.isSynced = true;
    this.#context.changed();
  }

  close(): void {
    this.#isClosed = true;
    this.#attempt++;
    clearTimeout(this.#timer);
    this.#subscription?.close();
  }

  #replace(entries: readonly Entry[]): void {
    const { selects = () => true, see } = this.#followed;
    const vanished = this.#known;
    this.#known = new Set();
    const present = entries.filter(({ key }) => selects(key));
    for (const { key } of present) {
      this.#known.add(key);
      vanished.delete(key);
    }
    // A key stays known until it was shown as deleted, even if showing another one throws.
    for (const key of vanished) this.#known.add(key);
    for (const key of vanished) {
      see(key, undefined);
      this.#known.delete(key);
    }
    for (const entry of present) see(entry.key, entry);
  }

  #receive({ key, entry }: StoreEvent, attempt: number): void {
    const { selects, see } = this.#followed;
    if (attempt !== this.#attempt || selects?.(key) === false) return;
    try {
      see(key, entry);
    } catch (error) {
      this.#lose(error, attempt);
      return;
    }
    if (entry === undefined) this.#known.delete(key);
    else this.#known.add(key);
  }

  #lose(error: unknown, attempt: number): void {
    if (attempt !== this.#attempt || this.#isClosed) return;
    this.#subscription?.close();
    this.#subscription = undefined;
    this.#attempt++;
    this.isSynced = false;
    this.#context.log(outOfTouch(this.name, error));
    void this.#recover();
  }

  /** Retries at once the first time, then with growing delays until it succeeds. */
  async #recover(): Promise<void> {
    try {
      await this.synchronize();
      if (this.isSynced) this.#context.log(inTouchAgain(this.name));
    } catch (error) {
      if (this.#isClosed) return;
      this.#attempt++;
      this.#context.log(outOfTouch(this.name, error));
      this.#timer = setTimeout(() => void this.#recover(), this.#delay);
      this.#delay = Math.min(this.#delay * 2, this.#context.maxBackoff);
    }
  }
}

const outOfTouch = (name: string, error: unknown): string =>
  `the informer of ${name} lost its events and lists again: ${error instanceof Error ? error.message : String(error)}`;

const inTouchAgain = (name: string): string => `the informer of ${name} is in sync again`;

/** Rejects with `StoreUnavailable` if the promise takes longer. */
async function within<T>(millis: number, promise: Promise<T>, message: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeIsUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(message)), millis);
  });
  try {
    return await Promise.race([promise, timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
}
