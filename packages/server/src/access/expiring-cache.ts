/** Answers that are kept for a while. The least recently used is dropped first. */
export class ExpiringCache<T> {
  readonly #limit: number;
  readonly #clock: () => number;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  /** `clock` in milliseconds. */
  constructor(limit: number, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.until <= this.#clock()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps nothing for a time of 0. */
  set(key: string, value: T, milliseconds: number): void {
    if (milliseconds <= 0) return;
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#clock() + milliseconds });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) return;
      this.#entries.delete(oldest);
    }
  }
}
