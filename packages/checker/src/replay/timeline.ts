/** A value that changes, and whose changes take a while to be noticed by the server. */

export class Timeline<T> {
  readonly #values: { readonly value: T; readonly since: number }[];
  readonly #delay: number;
  /** The first value, for the time until it changes. */
  readonly #only: readonly T[];
  #droppedUntil = Number.NEGATIVE_INFINITY;

  /** `delay` is how long a server may still use the value before, in microseconds. */
  constructor(first: T, delay: number) {
    this.#only = [first];
    this.#values = [{ value: first, since: Number.NEGATIVE_INFINITY }];
    this.#delay = delay;
  }

  get last(): T {
    const last = this.#values.at(-1);
    if (last === undefined) throw new Error("a timeline has at least one value");
    return last.value;
  }

  add(value: T, since: number): void {
    this.#values.push({ value, since });
    const outdated = this.#values.findLastIndex((each) => each.since <= since - 2 * this.#delay - KEPT);
    if (outdated <= 0) return;
    this.#values.splice(0, outdated);
    this.#droppedUntil = this.#values[0]?.since ?? since;
  }

  /** Whether a value that a request at this time met is no longer kept: the request comes too late. */
  isDropped(from: number): boolean {
    return from - this.#delay < this.#droppedUntil;
  }

  /** The values that a request between these times may have met, the newest last. */
  during(from: number, to: number): readonly T[] {
    if (this.#values.length === 1) return this.#only;
    const first = this.#values.findLastIndex(({ since }) => since <= from - this.#delay);
    const found = this.#values.slice(Math.max(first, 0)).filter(({ since }) => since <= to);
    return found.length === 0 ? [this.last] : found.map(({ value }) => value);
  }
}

/** Requests may take this long. */
const KEPT = 60_000_000;
