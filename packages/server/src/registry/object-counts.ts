/** How many objects of each kind are stored, and how large they are: lists of many take more of the server. */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Store } from "../storage/store.ts";

/** What is known about the stored objects of a kind. */
export interface ObjectStats {
  readonly count: number;
  readonly averageBytes: number;
}

/** The size of objects is estimated from so many. */
const SAMPLE = 16;
const MAX_AGE_SECONDS = 10;

interface Known {
  stats: ObjectStats | undefined;
  /** When they were asked for. */
  asked: number;
}

export class ObjectCounts {
  readonly #store: Pick<Store, "list">;
  /** Seconds, from any beginning. */
  readonly #clock: () => number;
  readonly #known = new WeakMap<ResourceKind, Known>();

  constructor(store: Pick<Store, "list">, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /** As of a few seconds ago; undefined the first time. Does not wait. */
  recent(type: ResourceKind): ObjectStats | undefined {
    const known = this.#known.get(type) ?? { stats: undefined, asked: Number.NEGATIVE_INFINITY };
    if (this.#clock() - known.asked >= MAX_AGE_SECONDS) {
      known.asked = this.#clock();
      this.#known.set(type, known);
      // A client that lists them gets the error of the store.
      this.count(type).catch(() => {});
    }
    return known.stats;
  }

  /** As of the revision; the present state if there is none. */
  async count(type: ResourceKind, revision?: number): Promise<ObjectStats> {
    const options = { limit: SAMPLE, ...(revision !== undefined && { revision }) };
    const { entries, remaining } = await this.#store.list(type.storagePrefix, options);
    const length = entries.reduce((sum, { value }) => sum + value.length, 0);
    const stats = { count: entries.length + remaining, averageBytes: length / Math.max(entries.length, 1) };
    this.#known.set(type, { stats, asked: this.#clock() });
    return stats;
  }
}
