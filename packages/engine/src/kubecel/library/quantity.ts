/**
 * Resource quantities.
 *
 * Upstream returns sums and differences by pointer while its equality accepts only plain values on the right, so
 * `a == b.add(c)` is an error although `b.add(c) == a` is not. Follows apiserver pkg/cel/library/quantity.go.
 */
import {
  BOOL,
  CelError,
  DOUBLE,
  Double,
  fn,
  global,
  INT,
  type Library,
  method,
  normalInt,
  noSuchOverload,
  OpaqueValue,
  objectType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel";
import {
  addQuantities,
  asApproximateFloat,
  asInteger,
  compareQuantities,
  isIntegerQuantity,
  parseQuantity,
  type Quantity,
  signOf,
  subtractQuantities,
} from "../../value/quantity.ts";
import { notAnInteger } from "../messages.ts";
import { isParsed, onOne, onText, onTwo, unfit } from "./operands.ts";

export const QUANTITY_TYPE: Type = objectType("kubernetes.Quantity");

export class QuantityValue extends OpaqueValue {
  readonly type = QUANTITY_TYPE;
  readonly quantity: Quantity;
  /** The result of `add` or `sub`, which equality does not recognise on the right. */
  readonly computed: boolean;
  constructor(quantity: Quantity, computed = false) {
    super();
    this.quantity = quantity;
    this.computed = computed;
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
}

// biome-ignore format: a table
export const quantityLibrary: Library = {
  name: "kubernetes.quantity",
  functions: [
    fn("quantity",      [global("string_to_quantity", [STRING], QUANTITY_TYPE, onText(toQuantity))]),
    fn("isQuantity",    [global("is_quantity_string", [STRING], BOOL, isParsed(parseQuantity))]),
    fn("sign",          [global("quantity_sign", [QUANTITY_TYPE], INT, unary(signOf))]),
    fn("isGreaterThan", [method("quantity_is_greater_than", QUANTITY_TYPE, [QUANTITY_TYPE], BOOL, binary((a, b) => compareQuantities(a, b) === 1))]),
    fn("isLessThan",    [method("quantity_is_less_than", QUANTITY_TYPE, [QUANTITY_TYPE], BOOL, binary((a, b) => compareQuantities(a, b) === -1))]),
    fn("compareTo",     [method("quantity_compare_to", QUANTITY_TYPE, [QUANTITY_TYPE], INT, binary(compareQuantities))]),
    fn("asApproximateFloat", [method("quantity_get_float", QUANTITY_TYPE, [], DOUBLE, unary((q) => new Double(asApproximateFloat(q))))]),
    fn("asInteger",     [method("quantity_get_int", QUANTITY_TYPE, [], INT, unary(integerOf))]),
    fn("isInteger",     [method("quantity_is_integer", QUANTITY_TYPE, [], BOOL, unary(isIntegerQuantity))]),
    fn("add", [
      method("quantity_add", QUANTITY_TYPE, [QUANTITY_TYPE], QUANTITY_TYPE, binary((a, b) => computed(addQuantities(a, b)))),
      method("quantity_add_int", QUANTITY_TYPE, [INT], QUANTITY_TYPE, withInt((a, b) => computed(addQuantities(a, b)))),
    ]),
    fn("sub", [
      method("quantity_sub", QUANTITY_TYPE, [QUANTITY_TYPE], QUANTITY_TYPE, binary((a, b) => computed(subtractQuantities(a, b)))),
      method("quantity_sub_int", QUANTITY_TYPE, [INT], QUANTITY_TYPE, withInt((a, b) => computed(subtractQuantities(a, b)))),
    ]),
  ],
};

function toQuantity(text: string): Value {
  const parsed = parseQuantity(text);
  return parsed.error === undefined ? new QuantityValue(parsed.value) : new CelError(parsed.error);
}

function integerOf(quantity: Quantity): Value {
  const integer = asInteger(quantity);
  return integer === undefined ? notAnInteger() : normalInt(integer);
}

function computed(quantity: Quantity): QuantityValue {
  return new QuantityValue(quantity, true);
}

function unary(apply: (quantity: Quantity) => Value): (value?: Value) => Value {
  return onOne(QuantityValue, ({ quantity }) => apply(quantity));
}

function binary(apply: (left: Quantity, right: Quantity) => Value): (left?: Value, right?: Value) => Value {
  return onTwo(QuantityValue, (left, right) => apply(left.quantity, right.quantity));
}

function withInt(apply: (left: Quantity, right: Quantity) => Value): (left?: Value, right?: Value) => Value {
  return (left, right) => {
    if (!(left instanceof QuantityValue) || (typeof right !== "number" && typeof right !== "bigint")) {
      return noSuchOverload();
    }
    return apply(left.quantity, { unscaled: BigInt(right), exponent: 0, decimal: false, format: "DecimalExponent" });
  };
}
