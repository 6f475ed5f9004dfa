/** Intervals of float64s, exact to the last bit. */

export interface DoubleFact {
  readonly relation: "<" | "<=" | "==";
  readonly value: number;
  readonly isTrue: boolean;
}

/** A float64 that satisfies all facts; undefined if there is none. NaN and infinities are not JSON values. */
export function findDouble(facts: readonly DoubleFact[]): number | undefined {
  let low = -Number.MAX_VALUE;
  let high = Number.MAX_VALUE;
  const excluded = new Set<number>();
  for (const { relation, value, isTrue } of facts) {
    if (relation === "==") {
      if (!isTrue) excluded.add(value);
      else [low, high] = [Math.max(low, value), Math.min(high, value)];
    } else if (isTrue) high = Math.min(high, relation === "<" ? nextDown(value) : value);
    else low = Math.max(low, relation === "<" ? value : nextUp(value));
  }
  for (let tried = 0; low <= high && tried <= excluded.size; tried++) {
    if (!excluded.has(low)) return low;
    low = nextUp(low);
  }
  return undefined;
}

/** The next larger float64. */
export function nextUp(value: number): number {
  if (Number.isNaN(value) || value === Number.POSITIVE_INFINITY) return value;
  if (value === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

export function nextDown(value: number): number {
  return -nextUp(-value);
}
