/** A store whose answers are timed. What only looks at what is known here is not. */
import type { Entry, EntryList, ListOptions, SharedCompaction, Store } from "./store.ts";

export type StoreOperation = "create" | "delete" | "get" | "list" | "update";

export interface StoreClock {
  /** In seconds. */
  readonly clock: () => number;
  /** Receives each answer; a key that exists or was written since is an error, as upstream counts it. */
  readonly observe: (operation: StoreOperation, key: string, seconds: number, isError: boolean) => void;
}

export class MeasuredStore implements Store {
  readonly #store: Store;
  readonly #clock: StoreClock;
  readonly peek?: NonNullable<Store["peek"]>;
  readonly peekList?: NonNullable<Store["peekList"]>;
  readonly checkWrites?: NonNullable<Store["checkWrites"]>;
  readonly size?: NonNullable<Store["size"]>;
  readonly shared?: SharedCompaction;
  readonly maxValue?: number;

  constructor(store: Store, clock: StoreClock) {
    this.#store = store;
    this.#clock = clock;
    if (store.peek !== undefined) this.peek = store.peek.bind(store);
    if (store.peekList !== undefined) this.peekList = store.peekList.bind(store);
    if (store.checkWrites !== undefined) this.checkWrites = store.checkWrites.bind(store);
    if (store.size !== undefined) this.size = store.size.bind(store);
    if (store.shared !== undefined) this.shared = store.shared;
    if (store.maxValue !== undefined) this.maxValue = store.maxValue;
  }

  revision(): Promise<number> {
    return this.#store.revision();
  }

  compactedRevision(): Promise<number> {
    return this.#store.compactedRevision();
  }

  get(key: string): Promise<Entry | undefined> {
    return this.#timed("get", key, this.#store.get(key));
  }

  list(prefix: string, options?: ListOptions): Promise<EntryList> {
    return this.#timed("list", prefix, this.#store.list(prefix, options));
  }

  create(key: string, value: string): Promise<Entry> {
    return this.#timed("create", key, this.#store.create(key, value));
  }

  update(key: string, value: string, expected: number): Promise<Entry> {
    return this.#timed("update", key, this.#store.update(key, value, expected));
  }

  delete(key: string, expected: number): Promise<number> {
    return this.#timed("delete", key, this.#store.delete(key, expected));
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #timed<T>(operation: StoreOperation, key: string, answer: Promise<T>): Promise<T> {
    const { clock, observe } = this.#clock;
    const start = clock();
    let isError = true;
    try {
      const result = await answer;
      isError = false;
      return result;
    } finally {
      observe(operation, key, clock() - start, isError);
    }
  }
}
