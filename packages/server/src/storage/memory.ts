/** A store that forgets everything when the process ends: for tests, the playground and `--in-memory`. */
import { Broadcast } from "./broadcast.ts";
import { StoreState } from "./state.ts";
import {
  Compacted,
  type Entry,
  type EntryList,
  KeyExists,
  type ListOptions,
  RevisionConflict,
  type Store,
  type StoreSubscriber,
  type Subscription,
} from "./store.ts";

export class MemoryStore implements Store {
  readonly #state: StoreState;
  readonly #broadcast = new Broadcast();

  constructor(revision = 1) {
    this.#state = new StoreState(revision);
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
    const event = { key, revision, entry: undefined, previous };
    this.#state.apply(event);
    this.#broadcast.publish(event);
    return revision;
  }

  async watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription> {
    if (after < this.#state.compacted) throw new Compacted(this.#state.compacted);
    for (const event of this.#state.eventsAfter(after, prefix)) subscriber.event(event);
    return this.#broadcast.subscribe(prefix, skipUntil(after, subscriber));
  }

  async compact(revision: number): Promise<void> {
    this.#state.compact(revision);
  }

  async close(): Promise<void> {
    this.#broadcast.fail(new Error("the store is closed"));
  }

  #expect(key: string, expected: number): Entry {
    const current = this.#state.get(key);
    if (current === undefined || current.revision !== expected) throw new RevisionConflict(key, current);
    return current;
  }

  #put(entry: Entry, previous: Entry | undefined): Entry {
    const event = { key: entry.key, revision: entry.revision, entry, previous };
    this.#state.apply(event);
    this.#broadcast.publish(event);
    return entry;
  }
}

/** A watch from a revision that is still to come hears nothing before it. */
function skipUntil(after: number, subscriber: StoreSubscriber): StoreSubscriber {
  return {
    event: (event) => {
      if (event.revision > after) subscriber.event(event);
    },
    failed: (error) => subscriber.failed(error),
  };
}
