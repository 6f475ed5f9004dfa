/** A map that forgets what was used least recently. */
export class BoundedCache<K, V extends object> {
  readonly #limit: number;
  readonly #entries = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The entry of the key, made if there is none. */
  get(key: K, make: () => V): V {
    const known = this.#entries.get(key);
    const value = known ?? make();
    // The order of a map is that of insertion.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#dropOldest();
    return value;
  }

  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
