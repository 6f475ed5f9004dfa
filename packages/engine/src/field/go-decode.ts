/**
 * Decoding JSON into a Go struct, and the struct written as JSON again: what is left of a typed object after the API
 * server has read it.
 *
 * Follows encoding/json in the form of sigs.k8s.io/json: field names are case-sensitive, a value of the wrong type is
 * skipped and the first such error kept, null leaves the zero value.
 */
import {
  isArray,
  isInteger,
  isNumber,
  isObject,
  type JsonObject,
  type JsonValue,
  newEmptyMap,
  newObject,
  sortedKeys,
} from "../value/json.ts";
import {
  type GoDecodeOptions,
  mismatch,
  newState,
  pathOf,
  placed,
  type State,
  stop,
  typeErrorText,
} from "./go-decode-state.ts";
import { insert, isHeld, isZero, layoutOf, written, zeroMember, zeroOf } from "./go-layout.ts";
import { asFloatValue, decodeByteList, decodeBytes, decodeTime, fits } from "./go-scalar.ts";
import type { GoDecoded, GoField, GoShape, GoStruct } from "./go-shape.ts";

export function decodeGo(value: JsonValue, shape: GoShape, options: GoDecodeOptions = {}): GoDecoded {
  const state = newState(options);
  const decoded = decode(value, shape, state);
  const { unknown, error, typeError } = state;
  return { value: decoded ?? null, unknown, error, typeError };
}

/** The decoded value; undefined if it stays as it is. `before` is what an earlier value of the same key left. */
function decode(value: JsonValue, shape: GoShape, state: State, before?: JsonValue): JsonValue | undefined {
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
    case "bytes":
      if (typeof value === "string") return decodeBytes(value, state);
      return isArray(value) ? decodeByteList(value, state) : mismatch(value, shape, state);
    case "list":
      return isArray(value) ? decodeList(value, shape.of, state, before) : mismatch(value, shape, state);
    case "map":
      return isObject(value) ? decodeMap(value, shape.of, state, before) : mismatch(value, shape, state);
    case "struct":
      return isObject(value) ? decodeStruct(value, shape, state, before) : mismatch(value, shape, state);
  }
}

/** Items are decoded into those of the list before. */
function decodeList(items: readonly JsonValue[], of: GoShape, state: State, before?: JsonValue): JsonValue[] {
  const old = isArray(before) ? before : [];
  const decoded: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    state.path.push(index);
    decoded.push(decode(item, of, state, old[index]) ?? old[index] ?? zeroOf(of));
    state.path.pop();
  }
  return decoded;
}

/** Existing members stay; a repeated one is decoded again. */
function decodeMap(object: JsonObject, of: GoShape, state: State, before?: JsonValue): JsonObject {
  const result = isObject(before) ? before : newMap(object);
  const repeated = state.options.repeated?.(object);
  for (const key of repeated === undefined ? keysOf(object, state) : []) {
    decodeMapMember(result, key, object[key] as JsonValue, of, state);
  }
  for (const [key, value] of repeated ?? []) decodeMapMember(result, key, value, of, state);
  return result;
}

function newMap(members: JsonObject): JsonObject {
  for (const _ in members) return newObject();
  return newEmptyMap();
}

function decodeMapMember(result: JsonObject, key: string, value: JsonValue, of: GoShape, state: State): void {
  state.path.push(key);
  result[key] = decode(value, of, state) ?? zeroOf(of);
  state.path.pop();
}

function decodeStruct(object: JsonObject, struct: GoStruct, state: State, before?: JsonValue): JsonObject {
  const repeated = state.options.repeated?.(object);
  if (repeated === undefined && before === undefined) return decodeOnce(object, struct, state);
  const members = isObject(before) ? before : newObject();
  for (const key of repeated === undefined ? keysOf(object, state) : []) {
    decodeField(members, key, object[key] as JsonValue, struct, state);
  }
  for (const [key, value] of repeated ?? []) decodeField(members, key, value, struct, state);
  return written(members, struct);
}

/** Each key comes once, as nearly always: members are put in order as they come, and written once. */
function decodeOnce(object: JsonObject, struct: GoStruct, state: State): JsonObject {
  const { positions, always } = layoutOf(struct);
  const keys: string[] = [];
  const values: JsonValue[] = [];
  for (const key of keysOf(object, state)) {
    const value = decodeField(undefined, key, object[key] as JsonValue, struct, state);
    if (value !== undefined) insert(keys, values, key, value, positions);
  }
  for (const [key, field] of always) {
    if (!keys.includes(key)) insert(keys, values, key, zeroMember(field), positions);
  }
  const result = newObject();
  for (let index = 0; index < keys.length; index++) result[keys[index] as string] = values[index] as JsonValue;
  return result;
}

function keysOf(object: JsonObject, { options }: State): readonly string[] {
  return options.sortKeys === true ? sortedKeys(object) : Object.keys(object);
}

/** Into `members` where there are some; what the field becomes otherwise. */
function decodeField(
  members: JsonObject | undefined,
  key: string,
  value: JsonValue,
  struct: GoStruct,
  state: State,
): JsonValue | undefined {
  const field = struct.fields().get(key);
  state.path.push(key);
  let decoded: JsonValue | undefined;
  if (field === undefined) {
    state.unknown.push(pathOf(state));
  } else {
    const outer = state.context;
    const depth = state.fields.length;
    state.context = struct;
    if (field.embedded !== undefined) for (const name of field.embedded) state.fields.push(name);
    state.fields.push(key);
    if (members === undefined) decoded = decodeMember(value, field, state);
    else decodeInto(members, key, value, field, state);
    while (state.fields.length > depth) state.fields.pop();
    state.context = outer;
  }
  state.path.pop();
  return decoded;
}

/** What a null empties; it leaves other types as they are. */
const EMPTIED: ReadonlySet<GoShape["kind"]> = new Set<GoShape["kind"]>(["list", "map", "time"]);

// A null leaves a pointer nil, without asking a type that decodes itself.
function isEmptied(value: JsonValue, field: GoField): boolean {
  return value === null && (field.isPointer || EMPTIED.has(field.shape.kind));
}

/** Undefined if the field stays as it is, or is left out. */
function decodeMember(value: JsonValue, field: GoField, state: State): JsonValue | undefined {
  if (isEmptied(value, field)) return undefined;
  const decoded = decode(value, field.shape, state);
  return decoded === undefined || isLeftOut(decoded, field, state) ? undefined : decoded;
}

function decodeInto(members: JsonObject, key: string, value: JsonValue, field: GoField, state: State): void {
  if (isEmptied(value, field)) {
    remove(members, key);
    return;
  }
  const decoded = decode(value, field.shape, state, members[key]);
  if (decoded === undefined) return;
  if (isLeftOut(decoded, field, state)) remove(members, key);
  else members[key] = decoded;
}

// Only where it is there: deleting makes an object slow.
function remove(members: JsonObject, key: string): void {
  if (members[key] !== undefined) delete members[key];
}

/** A type that decodes itself starts a new document; only the place of a type error is known outside of it. */
function decodeCustom(
  value: JsonValue,
  decodeValue: (value: JsonValue, options: GoDecodeOptions) => GoDecoded,
  state: State,
): JsonValue | undefined {
  if (state.isStopped) return undefined;
  const decoded = decodeValue(value, state.options);
  if (decoded.typeError !== undefined) state.typeError = placed(decoded.typeError, state);
  stop(state, decoded.typeError === undefined ? decoded.error : typeErrorText(placed(decoded.typeError, state)));
  return decoded.value;
}

function isLeftOut(value: JsonValue, field: GoField, { options }: State): boolean {
  if (field.isPointer || !field.omitEmpty) return false;
  return !(options.keepEmpty === true && isHeld(value, field.shape)) && isZero(value);
}
