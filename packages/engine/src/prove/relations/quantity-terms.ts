/** Quantities that depend on the request. Each is a whole number of billionths: finer ones are rounded when parsed. */
import type { Value } from "@portcullis/cel/internal";
import { QuantityValue } from "../../kubecel/library/quantity-value.ts";
import type { Quantity } from "../../value/quantity.ts";
import type { Sym } from "../evaluate/symbolic.ts";

const TYPE = "kubernetes.Quantity";
const NANO = -9;
/** No number of a policy has more digits. */
const MAX_SHIFT = 100;

export const BILLION = 1_000_000_000n;

export const ZERO: Sym & { k: "const" } = {
  k: "const",
  value: new QuantityValue({ unscaled: 0n, exponent: 0, decimal: false, format: "DecimalSI" }),
  key: 'quantity(string:"0")',
};

export function isQuantity(sym: Sym): boolean {
  if (sym.k === "const") return sym.value instanceof QuantityValue;
  return sym.k === "scalar" && sym.type === TYPE;
}

/** Undefined if the value is not a quantity, or a very large one. */
export function inBillionths(value: Value): bigint | undefined {
  return value instanceof QuantityValue ? scaled(value.quantity) : undefined;
}

function scaled({ unscaled, exponent }: Quantity): bigint | undefined {
  const shift = exponent - NANO;
  return shift < 0 || shift > MAX_SHIFT ? undefined : unscaled * 10n ** BigInt(shift);
}

/** Sums and differences: comparing a quantity with one of them by `==` is an error. */
export function isComputedQuantity(sym: Sym): boolean {
  if (sym.k === "const") return sym.value instanceof QuantityValue && sym.value.computed;
  return sym.k === "scalar" && sym.type === TYPE && /^(?:add|sub)\(/.test(sym.term.key);
}
