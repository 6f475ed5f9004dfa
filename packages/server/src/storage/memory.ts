/** A store without persistence: for tests, the playground and `--in-memory`. */
import { Replica } from "./replica.ts";
import { StoreState } from "./state.ts";
import {
  type Entry,
  type EntryList,
  KeyExists,
  type ListOptions,
  RevisionConflict,
  type StoreSubscriber,
  type Subscription,
  type WatchableStore,
} from "./store.ts";

/**
 * A store in memory. Nothing survives the process.
 * @example
 * const store = new MemoryStore();
 * const { revision } = await store.create("/registry/a", "{}");
 * await store.update("/registry/a", '{"b":1}', revision);
 */
export class MemoryStore implements WatchableStore {
  readonly #replica: Replica;

  constructor(revision = 1) {
    this.#replica = new Replica(new StoreState(revision));
  }

  async revision(): Promise<number> {
    return this.#state.revision;
  }

  async compactedRevision(): Promise<number> {
    return this.#state.compacted;
  }

  async get(key: string): Promise<Entry | undefined> {
    return this.#state.get(key);
  }

  async list(prefix: string, options?: ListOptions): Promise<EntryList> {
    return this.#state.list(prefix, options);
  }

  async create(key: string, value: string): Promise<Entry> {
    if (this.#state.get(key) !== undefined) throw new KeyExists(key);
    const revision = this.#state.revision + 1;
    return this.#put({ key, value, revision, created: revision }, undefined);
  }

  async update(key: string, value: string, expected: number): Promise<Entry> {
    const previous = this.#expect(key, expected);
    return this.#put({ key, value, revision: this.#state.revision + 1, created: previous.created }, previous);
  }

  async delete(key: string, expected: number): Promise<number> {
    const previous = this.#expect(key, expected);
    const revision = this.#state.revision + 1;
    this.#replica.apply({ key, revision, entry: undefined, previous });
    return revision;
  }

  async watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription> {
    return this.#replica.watch(prefix, after, subscriber);
  }

  async compact(revision: number): Promise<void> {
    this.#state.compact(revision);
  }

  async close(): Promise<void> {
    this.#replica.close(new Error("the store is closed"));
  }

  get #state(): StoreState {
    return this.#replica.state;
  }

  #expect(key: string, expected: number): Entry {
    const current = this.#state.get(key);
    if (current === undefined || current.revision !== expected) throw new RevisionConflict(key, current);
    return current;
  }

  #put(entry: Entry, previous: Entry | undefined): Entry {
    this.#replica.apply({ key: entry.key, revision: entry.revision, entry, previous });
    return entry;
  }
}
