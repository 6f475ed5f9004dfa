/** How much of a capacity a request may take. Follows validateRequestPolicy of pkg/apis/resource/validation. */
import { type FieldError, forbidden, invalid, required, tooMany } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isArray, type JsonObject } from "../../../value/json.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from "../../../value/quantity.ts";
import { since } from "../../../value/server-version.ts";
import { has, objectOf, textsOf } from "../../object.ts";
import { quantityOf, wholeValue } from "../quantities.ts";
import { repeated } from "./lists.ts";
import * as messages from "./messages.ts";

const ZERO = parseQuantity("0").value;

/** What was left out is zero. */
export function validateRequestPolicy(capacity: JsonObject, path: FieldPath): FieldError[] {
  const policy = objectOf(capacity, "requestPolicy");
  const most = quantityOf(capacity, "value") ?? ZERO;
  if (policy === undefined || most === undefined) return [];
  const values = isArray(policy["validValues"]) && policy["validValues"].length > 0;
  const range = objectOf(policy, "validRange");
  if (values && range !== undefined) return [forbidden(path, messages.onePolicy())];
  const byDefault = quantityOf(policy, "default");
  const missing = (member: string): FieldError[] => [required(path.child("default"), messages.neededWith(member))];
  if (values) {
    if (byDefault === undefined) return missing("validValues");
    return validateValues(policy, { most, byDefault }, path.child("validValues"));
  }
  if (range === undefined) return [];
  return byDefault === undefined
    ? missing("validRange")
    : validateRange(range, { most, byDefault }, path.child("validRange"));
}

interface Amounts {
  readonly most: Quantity;
  readonly byDefault: Quantity;
}

const MAX_VALUES = 10;

function validateValues(policy: JsonObject, { most, byDefault }: Amounts, path: FieldPath): FieldError[] {
  const values = textsOf(policy, "validValues").flatMap((text) => parseQuantity(text).value ?? []);
  const isMany = values.length > MAX_VALUES;
  const hasDefault = !isMany && values.some((value) => compareQuantities(value, byDefault) === 0);
  return [
    ...values.flatMap((value, index) => {
      const previous = values[index - 1];
      const isAscending = previous === undefined || compareQuantities(previous, value) <= 0;
      return isAscending ? [] : [invalid(path.index(index), formatQuantity(value), messages.notAscending())];
    }),
    ...(isMany ? [tooMany(path, values.length, MAX_VALUES)] : eachValue(values, most, path)),
    ...(hasDefault ? [] : [invalid(path, formatQuantity(byDefault), messages.badDefault())]),
  ];
}

function eachValue(values: readonly Quantity[], most: Quantity, path: FieldPath): FieldError[] {
  const keys = values.map((value) => String(wholeValue(value)));
  return [
    ...values.flatMap((value, index) =>
      compareQuantities(value, most) > 0
        ? [invalid(path.index(index), formatQuantity(value), messages.aboveCapacity("option", formatQuantity(most)))]
        : [],
    ),
    ...repeated(keys, path),
  ];
}

function validateRange(range: JsonObject, amounts: Amounts, path: FieldPath): FieldError[] {
  const min = quantityOf(range, "min");
  if (min === undefined) return [required(path.child("min"), messages.neededWith("validRange"))];
  const max = has(range, "max") ? quantityOf(range, "max") : undefined;
  const step = has(range, "step") ? quantityOf(range, "step") : undefined;
  return [
    ...validateMin(min, amounts, path),
    ...(max === undefined ? [] : validateMax(min, max, amounts, path)),
    ...(step === undefined ? [] : validateStep({ min, max, step }, amounts, path.child("step"))),
  ];
}

function validateMin(min: Quantity, { most, byDefault }: Amounts, path: FieldPath): FieldError[] {
  return [
    ...above(min, most, path.child("min"), messages.aboveCapacity("min", formatQuantity(most))),
    ...(compareQuantities(byDefault, min) < 0
      ? [invalid(defaultPath(path, "min"), formatQuantity(byDefault), messages.belowMin(formatQuantity(min)))]
      : []),
  ];
}

function validateMax(min: Quantity, max: Quantity, { most, byDefault }: Amounts, path: FieldPath): FieldError[] {
  const at = path.child("max");
  return [
    ...above(min, max, at, messages.minAboveMax(formatQuantity(max))),
    ...above(max, most, at, messages.aboveCapacity("max", formatQuantity(most))),
    ...above(byDefault, max, defaultPath(path, "max"), messages.aboveMax(formatQuantity(max))),
  ];
}

/** Up to 1.36 a default out of range is reported at the end of the range. */
function defaultPath(path: FieldPath, end: "min" | "max"): FieldPath {
  return path.child(since("1.37") ? "default" : end);
}

function above(value: Quantity, limit: Quantity, path: FieldPath, problem: string): FieldError[] {
  return compareQuantities(value, limit) > 0 ? [invalid(path, formatQuantity(value), problem)] : [];
}

interface Steps {
  readonly min: Quantity;
  readonly max: Quantity | undefined;
  readonly step: Quantity;
}

function validateStep({ min, max, step }: Steps, { most, byDefault }: Amounts, path: FieldPath): FieldError[] {
  const first = addQuantities(min, step);
  const isLarge = compareQuantities(first, most) > 0;
  const problem = messages.aboveCapacity(`one step ${formatQuantity(first)}`, formatQuantity(most));
  return [
    ...(isLarge ? [invalid(path, formatQuantity(step), problem)] : []),
    ...[byDefault, max].flatMap((value) =>
      value === undefined || isMultiple(value, min, step)
        ? []
        : [invalid(path, formatQuantity(value), messages.notAMultiple(formatQuantity(step), formatQuantity(min)))],
    ),
  ];
}

/** Upstream divides by a step of nothing and panics; here it fits everything. */
function isMultiple(value: Quantity, min: Quantity, step: Quantity): boolean {
  const size = wholeValue(step);
  return size === 0n || (wholeValue(value) - wholeValue(min)) % size === 0n;
}
