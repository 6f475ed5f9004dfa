/**
 * The messages of calls that match no overload.
 *
 * cel-go has three: functions with an implementation per overload name themselves and the argument types;
 * operators, and the few functions that work like them (such as sorting), name only themselves if the first operand
 * does not support the operation, and have just "no such overload" if the second does not fit.
 */
import { noSuchOverload } from "../values/messages.ts";
import { typeNameOf } from "../values/type-of.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  Timestamp,
  Uint,
  type Value,
} from "../values/value.ts";
import { noSuchOverloadFor, noSuchOverloadOf } from "./messages.ts";

export function mismatch(functionName: string, args: readonly Value[]): CelError {
  for (const arg of args) if (arg instanceof CelError) return arg;
  const style = STYLES.get(functionName);
  if (style === undefined) return noSuchOverloadFor(functionName, args.map(typeNameOf));
  return style(args[0] ?? null) ? noSuchOverload() : noSuchOverloadOf(functionName);
}

export function isOperator(functionName: string): boolean {
  return STYLES.has(functionName);
}

type Can = (first: Value) => boolean;

const isInt: Can = (value) => typeof value === "number" || typeof value === "bigint";
const isIntegral: Can = (value) => isInt(value) || value instanceof Uint;
const isNumber: Can = (value) => isIntegral(value) || value instanceof Double;
// Strings, timestamps and durations have their own message even if they lack the operation.
const isReceiver: Can = (value) => typeof value === "string" || value instanceof Timestamp || value instanceof Duration;
const canAdd: Can = (value) =>
  isNumber(value) || isReceiver(value) || value instanceof Bytes || value instanceof ListValue;
const canNegate: Can = (value) =>
  isInt(value) || value instanceof Double || typeof value === "boolean" || isReceiver(value);
const canMultiply: Can = (value) => isNumber(value) || isReceiver(value);
const canDivideWhole: Can = (value) => isIntegral(value) || isReceiver(value);
const hasSize: Can = (value) =>
  isReceiver(value) || value instanceof Bytes || value instanceof ListValue || value instanceof MapValue;
const isListOrReceiver: Can = (value) => isReceiver(value) || value instanceof ListValue;
const always: Can = () => true;

/** Whether values of this kind are ordered. */
export const canCompare: Can = (value) =>
  isNumber(value) || isReceiver(value) || typeof value === "boolean" || value instanceof Bytes;

const STYLES: ReadonlyMap<string, Can> = new Map<string, Can>([
  ["_+_", canAdd],
  ["_-_", canMultiply],
  ["_*_", canMultiply],
  ["_/_", canMultiply],
  ["_%_", canDivideWhole],
  ["-_", canNegate],
  ["!_", always],
  ["_<_", canCompare],
  ["_<=_", canCompare],
  ["_>_", canCompare],
  ["_>=_", canCompare],
  ["@in", always],
  ["size", hasSize],
  ["matches", isReceiver],
  ["sort", isListOrReceiver],
  ["@sortByAssociatedKeys", isListOrReceiver],
  // These three check their arguments themselves.
  ["contains", always],
  ["startsWith", always],
  ["endsWith", always],
]);
