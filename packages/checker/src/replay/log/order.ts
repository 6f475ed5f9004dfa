/**
 * Events in the order in which they ended.
 *
 * A log may be shuffled a little: several requests end at the same time, and logs of several servers are read side by side.
 * Events wait until enough later ones have come.
 */

export interface Timed {
  readonly at: number;
}

export class Reorder<T extends Timed> {
  /** A heap: the earliest is the first. */
  readonly #heap: { readonly item: T; readonly at: number; readonly sequence: number }[] = [];
  readonly #count: number;
  #sequence = 0;

  /** `count` is how many events may wait. */
  constructor(count: number) {
    this.#count = count;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Adds an event, and returns the next one if enough are waiting. */
  push(item: T): T | undefined {
    this.#heap.push({ item, at: item.at, sequence: this.#sequence });
    this.#sequence += 1;
    this.#up(this.#heap.length - 1);
    return this.#heap.length > this.#count ? this.pop() : undefined;
  }

  pop(): T | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#down(0);
    }
    return first.item;
  }

  #isBefore(left: number, right: number): boolean {
    const one = this.#heap[left];
    const other = this.#heap[right];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.sequence < other.sequence);
  }

  #swap(left: number, right: number): void {
    const one = this.#heap[left];
    const other = this.#heap[right];
    if (one === undefined || other === undefined) return;
    this.#heap[left] = other;
    this.#heap[right] = one;
  }

  #up(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const smaller = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(smaller, at)) return;
      this.#swap(at, smaller);
      at = smaller;
    }
  }
}
