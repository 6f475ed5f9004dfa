/**
 * Comparing types without binding type variables. Follows the comparisons of cel-go common/types and
 * checker/types.go, to which a nullable primitive and the primitive are one type.
 */
import { DYN, isOptional, type Type } from "../types/type.ts";

/** Counts steps; true once there were too many. */
export interface Meter {
  spent(): boolean;
}

const UNMETERED: Meter = { spent: () => false };

/** The more general of two types that agree. */
export function mostGeneral(left: Type, right: Type, meter: Meter): Type {
  return isEqualOrLessSpecific(left, right, meter) ? left : right;
}

function isEqualOrLessSpecific(left: Type, right: Type, meter: Meter): boolean {
  if (left === right || isWildcard(left) || meter.spent()) return true;
  if (isWildcard(right)) return false;
  const compare = (one: Type, other: Type) => isEqualOrLessSpecific(one, other, meter);
  switch (left.kind) {
    case "list":
      return right.kind === "list" && compare(left.element, right.element);
    case "map":
      return right.kind === "map" && compare(left.key, right.key) && compare(left.value, right.value);
    case "opaque":
      return right.kind === "opaque" && left.name === right.name && everyPair(left.params, right.params, compare);
    case "type":
      return right.kind === "type";
    default:
      return isExactType(left, right, meter);
  }
}

/** Unlike `isDyn`, false for the error type. */
function isWildcard(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "any" || type.kind === "param";
}

/** Equality that treats a nullable primitive and the primitive as the same. */
export function isExactType(left: Type, right: Type, meter: Meter): boolean {
  return sameType(left, right, { compareParams: true, meter });
}

/** Like `isExactType`, but all type parameters are equal. */
export function isEquivalentType(left: Type, right: Type, meter: Meter = UNMETERED): boolean {
  return sameType(left, right, { compareParams: false, meter });
}

interface Comparison {
  readonly compareParams: boolean;
  readonly meter: Meter;
}

function sameType(leftType: Type, rightType: Type, comparison: Comparison): boolean {
  if (leftType === rightType || comparison.meter.spent()) return true;
  const left = withoutWrapper(leftType);
  const right = withoutWrapper(rightType);
  const same = (one: Type, other: Type) => sameType(one, other, comparison);
  switch (left.kind) {
    case "list":
      return right.kind === "list" && same(left.element, right.element);
    case "map":
      return right.kind === "map" && same(left.key, right.key) && same(left.value, right.value);
    case "opaque":
      return right.kind === "opaque" && left.name === right.name && everyPair(left.params, right.params, same);
    case "object":
      return right.kind === "object" && left.name === right.name;
    case "param":
      return right.kind === "param" && (!comparison.compareParams || left.name === right.name);
    case "type":
      if (right.kind !== "type") return false;
      return left.of === undefined || right.of === undefined ? left.of === right.of : same(left.of, right.of);
    default:
      return left.kind === right.kind;
  }
}

function everyPair(left: readonly Type[], right: readonly Type[], test: (one: Type, other: Type) => boolean): boolean {
  if (left.length !== right.length) return false;
  return left.every((type, index) => test(type, right[index] ?? DYN));
}

/** A nullable primitive as the primitive. */
export function withoutWrapper(type: Type): Type {
  return type.kind === "wrapper" ? type.of : type;
}

/** What an optional holds; undefined for any other type. */
export function optionalElement(type: Type): Type | undefined {
  return type.kind === "opaque" && isOptional(type) ? type.params[0] : undefined;
}
