/** Resource quantities. Follows apiserver pkg/cel/library/quantity.go. */
import {
  BOOL,
  CelError,
  DOUBLE,
  Double,
  INT,
  normalInt,
  noSuchOverload,
  STRING,
  type Value,
} from "@portcullis/cel/internal";
import {
  addQuantities,
  asApproximateFloat,
  asInteger,
  isIntegerQuantity,
  parseQuantity,
  type Quantity,
  signOf,
  subtractQuantities,
} from "../../value/quantity.ts";
import { notAnInteger } from "../messages.ts";
import { READS_ARGUMENT, UNIT_COST } from "./cost.ts";
import { defineLibrary, type PricedLibrary, unitEquality } from "./define.ts";
import { isParsed, onOne, onText, onTwo } from "./operands.ts";
import { QUANTITY_TYPE, QuantityValue } from "./quantity-value.ts";

// biome-ignore format: a table
/** Up to Kubernetes 1.36 a sum or difference may change the quantity that it is computed from. */
export const quantityLibrary = (isInPlace: boolean): PricedLibrary => defineLibrary({
  name: "kubernetes.quantity",
  equality: [unitEquality(QUANTITY_TYPE)],
  functions: [
    {
      name: "quantity", id: "string_to_quantity", params: [STRING], result: QUANTITY_TYPE, cost: READS_ARGUMENT,
      call: onText(toQuantity),
      doc: "parses a resource quantity such as '1.5Gi' or '100m'",
      example: "quantity('1Ki') == quantity('1024')",
    },
    {
      name: "isQuantity", id: "is_quantity_string", params: [STRING], result: BOOL, cost: READS_ARGUMENT,
      call: isParsed(parseQuantity),
      doc: "returns true if `quantity` would parse the string",
      example: "isQuantity('1.5Gi') && !isQuantity('1 Gi')",
    },
    {
      name: "sign", id: "quantity_sign", params: [QUANTITY_TYPE], result: INT, cost: UNIT_COST,
      call: unary(signOf),
      doc: "returns -1, 0 or 1 for a negative, zero or positive quantity",
      example: "sign(quantity('-100m')) == -1",
    },
    {
      name: "isGreaterThan", id: "quantity_is_greater_than", on: QUANTITY_TYPE, params: [QUANTITY_TYPE], result: BOOL, cost: UNIT_COST,
      call: comparison((order) => order === 1),
      doc: "returns true if the quantity is greater than the other",
      example: "quantity('1k').isGreaterThan(quantity('999'))",
    },
    {
      name: "isLessThan", id: "quantity_is_less_than", on: QUANTITY_TYPE, params: [QUANTITY_TYPE], result: BOOL, cost: UNIT_COST,
      call: comparison((order) => order === -1),
      doc: "returns true if the quantity is less than the other",
      example: "quantity('100m').isLessThan(quantity('1'))",
    },
    {
      name: "compareTo", id: "quantity_compare_to", on: QUANTITY_TYPE, params: [QUANTITY_TYPE], result: INT, cost: UNIT_COST,
      call: comparison((order) => order),
      doc: "returns -1, 0 or 1 if the quantity is less than, equal to or greater than the other",
      example: "quantity('1Ki').compareTo(quantity('1k')) == 1",
    },
    {
      name: "asApproximateFloat", id: "quantity_get_float", on: QUANTITY_TYPE, params: [], result: DOUBLE, cost: UNIT_COST,
      call: unary((q) => new Double(asApproximateFloat(q))),
      doc: "converts the quantity to a double, which may lose precision",
      example: "quantity('1500m').asApproximateFloat() == 1.5",
    },
    {
      name: "asInteger", id: "quantity_get_int", on: QUANTITY_TYPE, params: [], result: INT, cost: UNIT_COST,
      call: unary(integerOf),
      doc: "converts the quantity to an int; an error if it is not one or does not fit into 64 bits",
      example: "quantity('3Gi').asInteger() == 3221225472",
    },
    {
      name: "isInteger", id: "quantity_is_integer", on: QUANTITY_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: unary(isIntegerQuantity),
      doc: "returns true if `asInteger` would succeed",
      example: "quantity('3Gi').isInteger() && !quantity('1.5').isInteger()",
    },
    {
      name: "add", id: "quantity_add", on: QUANTITY_TYPE, params: [QUANTITY_TYPE], result: QUANTITY_TYPE, cost: UNIT_COST,
      call: binary(add(isInPlace)),
      doc: "returns the sum of two quantities",
      example: "quantity('1').add(quantity('500m')) == quantity('1.5')",
    },
    {
      name: "add", id: "quantity_add_int", on: QUANTITY_TYPE, params: [INT], result: QUANTITY_TYPE, cost: UNIT_COST,
      call: withInt(add(isInPlace)),
      doc: "returns the sum of a quantity and an int",
      example: "quantity('1').add(2) == quantity('3')",
    },
    {
      name: "sub", id: "quantity_sub", on: QUANTITY_TYPE, params: [QUANTITY_TYPE], result: QUANTITY_TYPE, cost: UNIT_COST,
      call: binary(subtract(isInPlace)),
      doc: "returns the difference of two quantities",
      example: "quantity('1').sub(quantity('500m')) == quantity('500m')",
    },
    {
      name: "sub", id: "quantity_sub_int", on: QUANTITY_TYPE, params: [INT], result: QUANTITY_TYPE, cost: UNIT_COST,
      call: withInt(subtract(isInPlace)),
      doc: "returns the difference of a quantity and an int",
      example: "quantity('3').sub(2) == quantity('1')",
    },
  ],
});

function toQuantity(text: string): Value {
  const parsed = parseQuantity(text);
  return parsed.error === undefined ? new QuantityValue(parsed.value) : new CelError(parsed.error);
}

function integerOf(quantity: Quantity): Value {
  const integer = asInteger(quantity);
  return integer === undefined ? notAnInteger() : normalInt(integer);
}

function unary(apply: (quantity: Quantity) => Value): (value?: Value) => Value {
  return onOne(QuantityValue, ({ quantity }) => apply(quantity));
}

function comparison(apply: (order: number) => Value): (left?: Value, right?: Value) => Value {
  return onTwo(QuantityValue, (left, right) => apply(left.compareTo(right)));
}

type Operation = (left: QuantityValue, right: Quantity) => QuantityValue;

function add(isInPlace: boolean): Operation {
  return (left, right) => resultOf(left, addQuantities(left.quantity, right), isInPlace);
}

function subtract(isInPlace: boolean): Operation {
  return (left, right) => resultOf(left, subtractQuantities(left.quantity, right), isInPlace);
}

function resultOf(left: QuantityValue, result: Quantity, isInPlace: boolean): QuantityValue {
  return isInPlace ? left.replacedBy(result) : new QuantityValue(result, true);
}

function binary(apply: Operation): (left?: Value, right?: Value) => Value {
  return onTwo(QuantityValue, (left, right) => apply(left, right.quantity));
}

function withInt(apply: Operation): (left?: Value, right?: Value) => Value {
  return (left, right) => {
    if (!(left instanceof QuantityValue) || (typeof right !== "number" && typeof right !== "bigint")) {
      return noSuchOverload();
    }
    return apply(left, { unscaled: BigInt(right), exponent: 0, decimal: false, format: "DecimalExponent" });
  };
}
