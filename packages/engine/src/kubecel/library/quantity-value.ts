/**
 * Quantities as values of expressions. Follows apiserver pkg/cel/quantity.go and apimachinery pkg/api/resource.
 *
 * Upstream's values hold pointers, which can be seen in expressions that use a quantity twice:
 *
 * - `add` and `sub` on a number in decimal form (beyond int64) change the receiver as well. Fixed in Kubernetes 1.37.
 * - `compareTo`, `isLessThan` and `isGreaterThan` with a number in decimal form convert their receiver to that form,
 *   so `asInteger` fails afterwards.
 * - Sums and differences are pointers while equality accepts only plain values on the right, so `a == b.add(c)` is an
 *   error although `b.add(c) == a` is not.
 */
import { type CelError, OpaqueValue, objectType, type Type, type Value } from "@portcullis/cel";
import { compareQuantities, type Quantity } from "../../value/quantity.ts";
import { unfit } from "./operands.ts";

export const QUANTITY_TYPE: Type = objectType("kubernetes.Quantity");

/** A number in decimal form that several values share. */
interface SharedDecimal {
  unscaled: bigint;
  exponent: number;
}

export class QuantityValue extends OpaqueValue {
  readonly type = QUANTITY_TYPE;
  /** The result of `add` or `sub`, which equality does not accept on the right. */
  readonly computed: boolean;
  #quantity: Quantity;
  #shared: SharedDecimal | undefined;

  constructor(quantity: Quantity, computed = false, shared?: SharedDecimal) {
    super();
    this.#quantity = quantity;
    this.computed = computed;
    this.#shared = shared;
  }

  get quantity(): Quantity {
    return this.#shared === undefined ? this.#quantity : { ...this.#quantity, ...this.#shared };
  }

  override get goTypeName(): string {
    return "cel.Quantity";
  }

  equalTo(other: Value): boolean | CelError {
    if (other instanceof QuantityValue && !other.computed) {
      return compareQuantities(this.quantity, other.quantity) === 0;
    }
    return unfit(other);
  }

  compareTo(other: QuantityValue): -1 | 0 | 1 {
    const right = other.quantity;
    if (right.decimal && !this.#quantity.decimal) this.#quantity = { ...this.#quantity, decimal: true };
    return compareQuantities(this.quantity, right);
  }

  /** The value of a sum or difference that is computed in place if this number is in decimal form. */
  replacedBy(result: Quantity): QuantityValue {
    if (!this.#quantity.decimal) return new QuantityValue(result, true);
    const { unscaled, exponent } = result;
    if (this.#shared === undefined) this.#shared = { unscaled, exponent };
    else Object.assign(this.#shared, { unscaled, exponent });
    return new QuantityValue(result, true, this.#shared);
  }
}
