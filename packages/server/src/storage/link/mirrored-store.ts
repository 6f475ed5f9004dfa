/**
 * A complete copy of a store that another process of the same server has. Reads and watches are answered here; writes go
 * there. A read is as current as one of the store itself: the other process publishes its newest revision before anybody
 * learns of the write, and a read waits until the copy has reached it.
 */
import { Replica } from "../replica.ts";
import { StoreState } from "../state.ts";
import {
  Compacted,
  type Entry,
  type EntryList,
  type ListOptions,
  type SharedCompaction,
  type StoreEvent,
  type StoreSubscriber,
  type Subscription,
  type WatchableStore,
} from "../store.ts";
import { StoreUnavailable } from "../unavailable.ts";
import type { LinkedStore } from "./linked-store.ts";

export interface MirroredStoreOptions {
  readonly source: LinkedStore;
  /** The newest revision of the store, without asking for it. */
  readonly newest: () => number;
}

const ALL = "/";
/** So many revisions before the present are copied, so that clients of a process that was replaced resume their watches. */
const HISTORY = 10_000;
const TIMEOUT_MS = 10_000;
const RETRY_MS = 100;

interface Waiter {
  readonly revision: number;
  readonly finish: () => void;
}

export class MirroredStore implements WatchableStore {
  readonly maxValue?: number;
  readonly #source: LinkedStore;
  readonly #newest: () => number;
  readonly #replica: Replica;
  readonly #waiters = new Set<Waiter>();
  /** Set while events may be missing. */
  #isLost = false;
  #isClosed = false;

  private constructor({ source, newest }: MirroredStoreOptions, state: StoreState) {
    this.#source = source;
    this.#newest = newest;
    this.#replica = new Replica(state);
    if (source.maxValue !== undefined) this.maxValue = source.maxValue;
  }

  static async open(options: MirroredStoreOptions): Promise<MirroredStore> {
    const store = new MirroredStore(options, await loadState(options.source));
    await store.#follow();
    return store;
  }

  /** True until every change that anybody knows of has arrived. */
  get isBehind(): boolean {
    return this.#isLost || this.#newest() > this.#replica.state.revision;
  }

  async revision(): Promise<number> {
    await this.#catchUp();
    return this.#replica.state.revision;
  }

  async compactedRevision(): Promise<number> {
    return this.#replica.state.compacted;
  }

  async get(key: string): Promise<Entry | undefined> {
    if (this.isBehind) await this.#catchUp();
    return this.#replica.state.get(key);
  }

  peek(key: string): Entry | undefined {
    return this.#isLost ? undefined : this.#replica.state.get(key);
  }

  peekList(prefix: string): readonly Entry[] | undefined {
    return this.#isLost ? undefined : this.#replica.state.list(prefix).entries;
  }

  async list(prefix: string, options?: ListOptions): Promise<EntryList> {
    await this.#catchUp();
    return this.#replica.state.list(prefix, options);
  }

  async create(key: string, value: string): Promise<Entry> {
    return this.#known(await this.#source.create(key, value));
  }

  async update(key: string, value: string, expected: number): Promise<Entry> {
    return this.#known(await this.#source.update(key, value, expected));
  }

  delete(key: string, expected: number): Promise<number> {
    return this.#source.delete(key, expected);
  }

  checkWrites(): Promise<void> {
    return this.#source.checkWrites();
  }

  async watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription> {
    return this.#replica.watch(prefix, after, subscriber);
  }

  async compact(revision: number): Promise<void> {
    await this.#source.compact(revision);
    await this.#catchUp();
    this.#replica.state.compact(revision);
  }

  /** The process with the store compacts it; the copy is only trimmed. */
  readonly shared: SharedCompaction = {
    compactInTurn: async (revision) => this.shared.forget(revision),
    forget: (revision) => this.#replica.state.compact(revision),
  };

  /** Leaves the store itself open: others use it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#source.close();
    this.#replica.close(new Error("the store is closed"));
  }

  /** The same object that later reads get: what is derived from an entry is kept by the entry. */
  #known(entry: Entry): Entry {
    const known = this.#replica.state.get(entry.key);
    return known?.revision === entry.revision ? known : entry;
  }

  async #follow(): Promise<void> {
    const { state } = this.#replica;
    await this.#source.watch(ALL, state.revision, {
      isBare: true,
      event: (event) => this.#receive(event),
      failed: () => {
        if (this.#isClosed) return;
        this.#isLost = true;
        void this.#recover();
      },
    });
    this.#isLost = false;
  }

  async #recover(): Promise<void> {
    while (!this.#isClosed) {
      try {
        this.#replica.replace(await loadState(this.#source));
        await this.#follow();
        this.#wake();
        return;
      } catch {
        // Requests wait, and fail after a while.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #receive({ key, revision, entry }: StoreEvent): void {
    this.#replica.apply({ key, revision, entry, previous: this.#replica.state.get(key) });
    if (this.#waiters.size > 0) this.#wake();
  }

  #wake(): void {
    const { revision } = this.#replica.state;
    for (const waiter of this.#waiters) if (waiter.revision <= revision && !this.#isLost) waiter.finish();
  }

  async #catchUp(): Promise<void> {
    const revision = this.#newest();
    if (!this.#isLost && revision <= this.#replica.state.revision) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(new StoreUnavailable("the process that has the store does not answer"));
      }, TIMEOUT_MS);
      const finish = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve();
      };
      const waiter = { revision, finish };
      this.#waiters.add(waiter);
    });
  }
}

/** The state some revisions ago; the events since then follow. */
async function loadState(source: LinkedStore): Promise<StoreState> {
  for (;;) {
    const [revision, compacted] = await Promise.all([source.revision(), source.compactedRevision()]);
    const base = Math.max(compacted, revision - HISTORY);
    try {
      const { entries } = await source.list(ALL, { revision: base });
      const state = new StoreState(base);
      for (const entry of entries) state.restore(entry);
      return state;
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
    }
  }
}
