/**
 * Polynomials with factors that are not negative: upper bounds of costs and sizes, in terms of the size of the request
 * and of the elements of loops.
 */

/** By the variables of each product, as `s s 3` for s * s * e3; "" is the constant. */
export type Polynomial = ReadonlyMap<string, number>;

/** The size of the request. */
export const REQUEST = "s";

export function constantOf(value: number): Polynomial {
  return new Map([["", value]]);
}

export function variableOf(name: string): Polynomial {
  return new Map([[name, 1]]);
}

export function sumOf(...parts: readonly Polynomial[]): Polynomial {
  const sum = new Map<string, number>();
  for (const part of parts) for (const [key, factor] of part) sum.set(key, (sum.get(key) ?? 0) + factor);
  return sum;
}

/** Beyond these, no bound is of use: the work to find it would not be bounded either. */
const MAX_TERMS = 2000;
const MAX_DEGREE = 24;
const UNBOUNDED = constantOf(Number.POSITIVE_INFINITY);

function degreeOf(polynomial: Polynomial): number {
  return Math.max(0, ...[...polynomial.keys()].map((key) => (key === "" ? 0 : key.split(" ").length)));
}

export function productOf(...parts: readonly Polynomial[]): Polynomial {
  if (parts.reduce((degree, part) => degree + degreeOf(part), 0) > MAX_DEGREE) return UNBOUNDED;
  let product = constantOf(1);
  for (const part of parts) {
    if (product.size * part.size > MAX_TERMS) return UNBOUNDED;
    const next = new Map<string, number>();
    for (const [left, one] of product) {
      for (const [right, other] of part) {
        const key = joined(left, right);
        next.set(key, (next.get(key) ?? 0) + one * other);
      }
    }
    product = next;
  }
  return product;
}

function joined(left: string, right: string): string {
  return [...left.split(" "), ...right.split(" ")]
    .filter((name) => name !== "")
    .sort()
    .join(" ");
}

/**
 * The sum over all elements of a range. The sizes of the elements add up to at most the size of the range, so powers of
 * them add up to at most that power of it; what does not depend on the element counts once for each.
 */
export function sumOver(body: Polynomial, element: string, range: Polynomial, count: Polynomial): Polynomial {
  const parts = [...body].map(([key, factor]) => {
    const names = key.split(" ");
    const power = names.filter((name) => name === element).length;
    const rest: Polynomial = new Map([[names.filter((name) => name !== element).join(" "), factor]]);
    return productOf(rest, ...(power === 0 ? [count] : Array.from({ length: power }, () => range)));
  });
  return sumOf(...parts);
}

/**
 * The largest value for a size of each object; nothing else may be left. Disjoint parts of one object share its size, so
 * their product is largest if each has the share of its power.
 */
export function valueAt(polynomial: Polynomial, size: number): number {
  let sum = 0;
  for (const [key, factor] of polynomial) {
    const names = key === "" ? [] : key.split(" ");
    sum += factor * size ** names.length * shareOf(names);
  }
  return sum;
}

/** What disjoint parts leave of the product of their sizes. */
function shareOf(names: readonly string[]): number {
  const roots = new Map<string, string[]>();
  for (const name of names) {
    const [, root] = name.split("/");
    if (root !== undefined) roots.set(root, [...(roots.get(root) ?? []), name]);
  }
  let share = 1;
  for (const parts of roots.values()) {
    const paths = [...new Set(parts)];
    const isNested = paths.some((path) => paths.some((other) => other !== path && other.startsWith(`${path}/`)));
    if (isNested) continue;
    for (const path of paths) {
      const power = parts.filter((each) => each === path).length;
      share *= (power / parts.length) ** power;
    }
  }
  return share;
}
