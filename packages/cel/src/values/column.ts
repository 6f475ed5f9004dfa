/**
 * One field of each element of a list, or the elements themselves, for loops that compare them with a value. A loop
 * inside another one does that many times: `items.all(i, items.exists_one(j, j.name == i.name))`. From the third time
 * on, an index finds the equal elements without a loop.
 */
export class Column {
  readonly values: readonly unknown[];
  #uses = 0;
  #index: ColumnIndex | undefined;

  constructor(values: readonly unknown[]) {
    this.values = values;
  }

  /** Undefined if it is too early for an index, or if not all values are strings or all are small ints. */
  index(priceOf: (text: string) => number): ColumnIndex | undefined {
    this.#uses++;
    if (this.#uses === USES_BEFORE_INDEX) this.#index = indexOf(this.values, priceOf);
    return this.#index;
  }
}

/** Making an index takes as long as a few loops. */
const USES_BEFORE_INDEX = 3;

export class ColumnIndex {
  readonly type: "string" | "number";
  readonly #first = new Map<unknown, number>();
  /** At index i: the position of the next value that equals the value at i; the number of values if there is none. */
  readonly #following: number[];
  readonly #prices: readonly number[];
  /** By the price of the value that is compared. */
  readonly #sums = new Map<number, readonly number[]>();

  /** `prices` has the price of comparing each value with itself. */
  constructor(values: readonly unknown[], type: "string" | "number", prices: readonly number[]) {
    const size = values.length;
    this.type = type;
    this.#prices = prices;
    this.#following = new Array<number>(size).fill(size);
    for (let position = size - 1; position >= 0; position--) {
      const value = values[position];
      this.#following[position] = this.#first.get(value) ?? size;
      this.#first.set(value, position);
    }
  }

  /** The position of the first value that is equal; the number of values if there is none. */
  first(value: string | number): number {
    return this.#first.get(value) ?? this.#prices.length;
  }

  /** The position of the next value that equals the one at a position. */
  following(position: number): number {
    return this.#following[position] ?? this.#prices.length;
  }

  /** At index i: the prices of comparing the first i values with one of this price. The lower of two prices counts. */
  sums(price: number): readonly number[] {
    const known = this.#sums.get(price);
    if (known !== undefined) return known;
    const sums = sumsOf(this.#prices, price);
    this.#sums.set(price, sums);
    return sums;
  }
}

function indexOf(values: readonly unknown[], priceOf: (text: string) => number): ColumnIndex | undefined {
  if (values.every(isText)) return new ColumnIndex(values, "string", values.map(priceOf));
  if (!values.every(isSmallInt)) return undefined;
  return new ColumnIndex(values, "number", new Array<number>(values.length).fill(1));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isSmallInt(value: unknown): value is number {
  return typeof value === "number" && (value | 0) === value;
}

function sumsOf(prices: readonly number[], most: number): readonly number[] {
  const sums = [0];
  let sum = 0;
  for (const price of prices) {
    sum += Math.min(price, most);
    sums.push(sum);
  }
  return sums;
}
