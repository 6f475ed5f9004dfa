/**
 * The sort of Go's `sort.Slice`, decision by decision.
 *
 * It is not stable, and which of two equal elements comes first can be seen in a result, so the same
 * algorithm has to run here: pattern-defeating quicksort, with insertion sort for short stretches, heap
 * sort after too many bad pivots, and a shuffle seeded by the length. Follows Go sort/zsortfunc.go.
 */

type Less = (left: number, right: number) => boolean;
type Hint = "increasing" | "decreasing" | "unknown";

const LONGEST_INSERTION = 12;
const SHORTEST_NINTHER = 50;
const SHORTEST_SHIFT = 50;
const MAX_SHIFTS = 5;
const MAX_SWAPS = 12;

/** The indices 0 to count-1, sorted. `isLess` compares two of them. */
export function unstableOrder(count: number, isLess: Less): readonly number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  new Sorter(order, isLess).sort(0, count, bitLength(count));
  return order;
}

/** Positions, not indices, are what its methods take. Stretches are half open: [from, to). */
class Sorter {
  readonly #order: number[];
  readonly #isLess: Less;

  constructor(order: number[], isLess: Less) {
    this.#order = order;
    this.#isLess = isLess;
  }

  sort(start: number, end: number, badPivotsLeft: number): void {
    let [from, to, limit] = [start, end, badPivotsLeft];
    let wasBalanced = true;
    let wasPartitioned = true;
    while (to - from > LONGEST_INSERTION) {
      const length = to - from;
      if (limit === 0) {
        this.#heapSort(from, to);
        return;
      }
      if (!wasBalanced) {
        this.#shuffle(from, to);
        limit--;
      }
      const { pivot, hint } = this.#orientedPivot(from, to);
      if (wasBalanced && wasPartitioned && hint === "increasing" && this.#finishNearlySorted(from, to)) return;
      // Nothing here is smaller than the element before the stretch: if the pivot equals it, so may many others.
      if (from > 0 && !this.#less(from - 1, pivot)) {
        from = this.#partitionEqual(from, to, pivot);
        continue;
      }
      const { middle, wasDone } = this.#partition(from, to, pivot);
      wasPartitioned = wasDone;
      const [leftLength, rightLength] = [middle - from, to - middle];
      wasBalanced = Math.min(leftLength, rightLength) >= Math.trunc(length / 8);
      if (leftLength < rightLength) {
        this.sort(from, middle, limit);
        from = middle + 1;
      } else {
        this.sort(middle + 1, to, limit);
        to = middle;
      }
    }
    this.#insertionSort(from, to);
  }

  #less(left: number, right: number): boolean {
    return this.#isLess(this.#order[left] ?? 0, this.#order[right] ?? 0);
  }

  #swap(left: number, right: number): void {
    const kept = this.#order[left] ?? 0;
    this.#order[left] = this.#order[right] ?? 0;
    this.#order[right] = kept;
  }

  #insertionSort(from: number, to: number): void {
    for (let next = from + 1; next < to; next++) this.#sinkLeft(next, from);
  }

  /** Moves an element left past greater ones, no further than the bound. */
  #sinkLeft(position: number, bound: number): void {
    for (let at = position; at > bound && this.#less(at, at - 1); at--) this.#swap(at, at - 1);
  }

  #heapSort(from: number, to: number): void {
    const size = to - from;
    for (let root = Math.trunc((size - 1) / 2); root >= 0; root--) this.#siftDown(root, size, from);
    for (let last = size - 1; last >= 0; last--) {
      this.#swap(from, from + last);
      this.#siftDown(0, last, from);
    }
  }

  #siftDown(start: number, size: number, from: number): void {
    let root = start;
    for (;;) {
      let child = 2 * root + 1;
      if (child >= size) return;
      if (child + 1 < size && this.#less(from + child, from + child + 1)) child++;
      if (!this.#less(from + root, from + child)) return;
      this.#swap(from + root, from + child);
      root = child;
    }
  }

  /** Swaps three elements around the middle with ones further off. */
  #shuffle(from: number, to: number): void {
    const length = to - from;
    const mask = (1n << BigInt(bitLength(length))) - 1n;
    const middle = from + Math.trunc(length / 4) * 2;
    let random = BigInt(length);
    for (let position = middle - 1; position <= middle + 1; position++) {
      random = nextRandom(random);
      const offset = Number(random & mask);
      this.#swap(position, from + (offset >= length ? offset - length : offset));
    }
  }

  /** Chooses a pivot; reverses the range first if it seems to be sorted backwards. */
  #orientedPivot(from: number, to: number): { pivot: number; hint: Hint } {
    const { pivot, hint } = this.#choosePivot(from, to);
    if (hint !== "decreasing") return { pivot, hint };
    for (let left = from, right = to - 1; left < right; left++, right--) this.#swap(left, right);
    return { pivot: to - 1 - (pivot - from), hint: "increasing" };
  }

  /** The median of three, or of three such medians; how many swaps that took hints at the order of the whole. */
  #choosePivot(from: number, to: number): { pivot: number; hint: Hint } {
    const quarter = Math.trunc((to - from) / 4);
    let candidates = [from + quarter, from + 2 * quarter, from + 3 * quarter];
    let swaps = 0;
    const median = (positions: readonly number[]): number => {
      let [low = 0, middle = 0, high = 0] = positions;
      const orderPair = (left: number, right: number): readonly [number, number] => {
        if (!this.#less(right, left)) return [left, right];
        swaps++;
        return [right, left];
      };
      [low, middle] = orderPair(low, middle);
      [middle, high] = orderPair(middle, high);
      [low, middle] = orderPair(low, middle);
      return middle;
    };
    if (to - from >= SHORTEST_NINTHER) candidates = candidates.map((at) => median([at - 1, at, at + 1]));
    const pivot = median(candidates);
    if (swaps === 0) return { pivot, hint: "increasing" };
    return { pivot, hint: swaps === MAX_SWAPS ? "decreasing" : "unknown" };
  }

  /** True if a few shifts were enough. */
  #finishNearlySorted(from: number, to: number): boolean {
    let position = from + 1;
    for (let shifts = 0; shifts < MAX_SHIFTS; shifts++) {
      while (position < to && !this.#less(position, position - 1)) position++;
      if (position === to) return true;
      if (to - from < SHORTEST_SHIFT) return false;
      this.#swap(position, position - 1);
      // Upstream's bound is the start of all, not of the stretch.
      if (position - from >= 2) this.#sinkLeft(position - 1, 0);
      if (to - position >= 2) this.#floatRight(position + 1, to);
    }
    return false;
  }

  #floatRight(position: number, to: number): void {
    for (let at = position; at < to && this.#less(at, at - 1); at++) this.#swap(at, at - 1);
  }

  /** Smaller elements left of the pivot, the others right of it; true if they were already. */
  #partition(from: number, to: number, pivot: number): { middle: number; wasDone: boolean } {
    this.#swap(from, pivot);
    let [left, right] = [from + 1, to - 1];
    let wasDone = true;
    for (;;) {
      while (left <= right && this.#less(left, from)) left++;
      while (left <= right && !this.#less(right, from)) right--;
      if (left > right) break;
      wasDone = false;
      this.#swap(left++, right--);
    }
    this.#swap(right, from);
    return { middle: right, wasDone };
  }

  /** Elements equal to the pivot first; where the greater ones begin. */
  #partitionEqual(from: number, to: number, pivot: number): number {
    this.#swap(from, pivot);
    let [left, right] = [from + 1, to - 1];
    for (;;) {
      while (left <= right && !this.#less(from, left)) left++;
      while (left <= right && this.#less(from, right)) right--;
      if (left > right) return left;
      this.#swap(left++, right--);
    }
  }
}

/** xorshift on 64 bits. */
function nextRandom(state: bigint): bigint {
  let next = BigInt.asUintN(64, state ^ (state << 13n));
  next ^= next >> 7n;
  return BigInt.asUintN(64, next ^ (next << 17n));
}

function bitLength(value: number): number {
  return value === 0 ? 0 : value.toString(2).length;
}
