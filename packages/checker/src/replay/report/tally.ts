/** How often each of many names occurs, with a limited number of them remembered. */

export interface Count {
  readonly name: string;
  readonly count: number;
}

const REMEMBERED = 10_000;

export class Tally {
  readonly #counts = new Map<string, number>();
  #others = 0;

  add(name: string): void {
    const count = this.#counts.get(name);
    if (count === undefined && this.#counts.size >= REMEMBERED) this.#others += 1;
    else this.#counts.set(name, (count ?? 0) + 1);
  }

  /** The most frequent first, then by name. */
  top(limit: number): Count[] {
    const sorted = [...this.#counts].sort(([one, left], [other, right]) => right - left || (one < other ? -1 : 1));
    return sorted.slice(0, limit).map(([name, count]) => ({ name, count }));
  }

  /** How many different names there were, as far as they were remembered. */
  get size(): number {
    return this.#counts.size + (this.#others > 0 ? 1 : 0);
  }
}
