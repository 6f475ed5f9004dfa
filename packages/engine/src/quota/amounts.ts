/** Amounts of several resources by name. Follows apiserver pkg/quota/v1/resources.go. */
import { type Amounts, addAmounts } from "../builtin/limits/pod-resources.ts";
import { type JsonObject, newObject } from "../value/json.ts";
import {
  compareQuantities,
  formatQuantity,
  isZero,
  type Quantity,
  signOf,
  subtractQuantities,
} from "../value/quantity.ts";

/** A number of things. */
export function countOf(count: number): Quantity {
  return { unscaled: BigInt(count), exponent: 0, decimal: false, format: "DecimalSI" };
}

const ZERO = countOf(0);

export function sumOf(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  addAmounts(sum, b);
  return sum;
}

/** What `a` has more than `b`; never less than nothing. */
export function increaseOf(a: Amounts, b: Amounts): Amounts {
  const names = [...a.keys(), ...b.keys()];
  return new Map(
    names.map((name) => [name, atLeastZero(subtractQuantities(a.get(name) ?? ZERO, b.get(name) ?? ZERO))]),
  );
}

function atLeastZero(quantity: Quantity): Quantity {
  return signOf(quantity) > 0 ? quantity : ZERO;
}

/** The amounts of the named resources only. */
export function maskOf(amounts: Amounts, names: Iterable<string>): Amounts {
  const wanted = new Set(names);
  return new Map([...amounts].filter(([name]) => wanted.has(name)));
}

export function withoutZeros(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([, amount]) => !isZero(amount)));
}

export function namesOfNegative(amounts: Amounts): string[] {
  return [...amounts].filter(([, amount]) => signOf(amount) < 0).map(([name]) => name);
}

/** The names of the resources of which there is more than the limit. */
export function namesBeyond(amounts: Amounts, limits: Amounts): string[] {
  return [...limits].filter(([name, limit]) => isMore(amounts.get(name), limit)).map(([name]) => name);
}

function isMore(amount: Quantity | undefined, limit: Quantity): boolean {
  return amount !== undefined && compareQuantities(amount, limit) > 0;
}

export function isEqualTo(a: Amounts, b: Amounts): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, amount]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(amount, other) === 0;
  });
}

/** As in `cpu=1,memory=2Gi`. */
export function formatAmounts(amounts: Amounts): string {
  const names = [...amounts.keys()].sort();
  return names.map((name) => `${name}=${formatQuantity(amounts.get(name) ?? ZERO)}`).join(",");
}

/** As the status of a quota has them. */
export function amountsJson(amounts: Amounts): JsonObject {
  const json = newObject();
  for (const name of [...amounts.keys()].sort()) json[name] = formatQuantity(amounts.get(name) ?? ZERO);
  return json;
}
