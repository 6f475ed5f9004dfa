/**
 * Decoding JSON into a Go struct, and the struct written as JSON again: what is left of a typed object after the API
 * server has read it.
 *
 * Follows encoding/json in the form of sigs.k8s.io/json: field names are case-sensitive, a value of the wrong type is
 * skipped and the first such error kept, null leaves the zero value.
 */
import { parseRfc3339 } from "@portcullis/gostd/time";
import { isArray, isInteger, isNumber, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { asFloat, formatNumber } from "../value/number.ts";
import * as messages from "./go-messages.ts";
import type { GoDecoded, GoField, GoShape, GoStruct } from "./go-shape.ts";
import { formatTime } from "./go-time.ts";

export function decodeGo(value: JsonValue, shape: GoShape): GoDecoded {
  const state = newState();
  const decoded = decode(value, shape, state);
  return { value: decoded ?? null, unknown: state.unknown, error: state.error };
}

interface State {
  /** With list indices, for unknown fields. */
  readonly path: string[];
  /** The innermost struct and the names of the fields that lead to here, for type errors. */
  context: GoStruct | undefined;
  readonly fields: string[];
  readonly unknown: string[];
  error: string | undefined;
  /** A type that decodes itself stops everything with its error; later ones are never met. */
  isStopped: boolean;
}

function newState(): State {
  return { path: [], context: undefined, fields: [], unknown: [], error: undefined, isStopped: false };
}

function stop(state: State, error: string | undefined): undefined {
  if (error === undefined || state.isStopped) return;
  state.error = error;
  state.isStopped = true;
}

/** The decoded value; undefined where it stays at its zero. */
function decode(value: JsonValue, shape: GoShape, state: State): JsonValue | undefined {
  if (shape.kind === "raw") return value;
  if (shape.kind === "custom") return decodeCustom(value, shape.decode, state);
  if (value === null) return undefined;
  switch (shape.kind) {
    case "string":
      return typeof value === "string" ? value : mismatch(value, shape, state);
    case "bool":
      return typeof value === "boolean" ? value : mismatch(value, shape, state);
    case "int":
      return isInteger(value) && fits(value, shape.bits) ? value : mismatch(value, shape, state);
    case "float":
      return isNumber(value) ? asFloatValue(value) : mismatch(value, shape, state);
    case "time":
      return decodeTime(value, shape.digits, state);
    case "list":
      return isArray(value) ? decodeList(value, shape.of, state) : mismatch(value, shape, state);
    case "map":
      return isObject(value) ? decodeMap(value, shape.of, state) : mismatch(value, shape, state);
    case "struct":
      return isObject(value) ? decodeStruct(value, shape, state) : mismatch(value, shape, state);
  }
}

function decodeList(items: readonly JsonValue[], of: GoShape, state: State): JsonValue[] {
  return items.map((item, index) => {
    state.path.push(`[${index}]`);
    const decoded = decode(item, of, state) ?? zeroOf(of);
    state.path.pop();
    return decoded;
  });
}

function decodeMap(object: JsonObject, of: GoShape, state: State): JsonObject {
  const result = newObject();
  for (const key of Object.keys(object)) {
    state.path.push(`.${key}`);
    result[key] = decode(object[key] as JsonValue, of, state) ?? zeroOf(of);
    state.path.pop();
  }
  return result;
}

function decodeStruct(object: JsonObject, struct: GoStruct, state: State): JsonObject {
  const result = newObject();
  const outer = state.context;
  for (const key of Object.keys(object)) {
    state.path.push(`.${key}`);
    const field = struct.fields().get(key);
    if (field === undefined) state.unknown.push(state.path.join("").slice(1));
    else {
      state.context = struct;
      state.fields.push(key);
      const decoded = decode(object[key] as JsonValue, field.shape, state);
      if (decoded !== undefined && (field.isPointer || !isZero(decoded))) result[key] = decoded;
      state.fields.pop();
      state.context = outer;
    }
    state.path.pop();
  }
  for (const [key, field] of struct.fields())
    if (isAlwaysWritten(field) && !(key in result)) result[key] = zeroOf(field.shape);
  return result;
}

function isAlwaysWritten(field: GoField): boolean {
  return !field.omitEmpty && !field.isPointer;
}

/** A type that decodes itself starts a new document: its errors know nothing of the fields around it. */
function decodeCustom(
  value: JsonValue,
  decodeValue: (value: JsonValue) => GoDecoded,
  state: State,
): JsonValue | undefined {
  const decoded = decodeValue(value);
  stop(state, decoded.error);
  return decoded.value ?? undefined;
}

function decodeTime(value: JsonValue, digits: 0 | 6, state: State): JsonValue | undefined {
  if (typeof value !== "string") return stop(state, messages.wrongValueType(jsonName(value), "string"));
  const time = parseRfc3339(value);
  return time.error === undefined ? formatTime(time.value, digits) : stop(state, time.error);
}

function mismatch(value: JsonValue, shape: GoShape, state: State): undefined {
  const isIntField = shape.kind === "int" && isNumber(value);
  const name = isIntField ? `number ${formatNumber(value)}` : jsonName(value);
  state.error ??=
    state.context === undefined
      ? messages.wrongValueType(name, shape.go)
      : messages.wrongFieldType(name, structName(state.context), state.fields, shape.go);
  return undefined;
}

function structName(struct: GoStruct): string {
  return struct.go.slice(struct.go.lastIndexOf(".") + 1);
}

function jsonName(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  return isArray(value) ? "array" : "object";
}

function fits(value: number | bigint, bits: 32 | 64): boolean {
  return bits === 64 || (value >= -(2 ** 31) && value < 2 ** 31);
}

/** A float64 field takes integers too; they are written without a fraction either way. */
function asFloatValue(value: JsonValue): JsonValue {
  return typeof value === "bigint" ? asFloat(value) : value;
}

function isZero(value: JsonValue): boolean {
  if (value === "" || value === false || value === 0) return true;
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** How Go writes the zero value of a type that is not left out. */
function zeroOf(shape: GoShape): JsonValue {
  switch (shape.kind) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int":
    case "float":
      return 0;
    case "struct":
      return decodeStruct(newObject(), shape, newState());
    default:
      return null;
  }
}
