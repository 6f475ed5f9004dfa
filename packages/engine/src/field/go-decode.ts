/**
 * Decoding JSON into a Go struct, and the struct written as JSON again: what is left of a typed object after the API
 * server has read it.
 *
 * Follows encoding/json in the form of sigs.k8s.io/json: field names are case-sensitive, a value of the wrong type is
 * skipped and the first such error kept, null leaves the zero value.
 */
import { decodeBase64, encodeBase64 } from "@portcullis/gostd/base64";
import { parseRfc3339 } from "@portcullis/gostd/time";
import {
  floatValue,
  isArray,
  isInteger,
  isNumber,
  isObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
  newObject,
  sortedKeys,
} from "../value/json.ts";
import { asFloat, formatNumber } from "../value/number.ts";
import * as messages from "./go-messages.ts";
import type { GoDecoded, GoField, GoShape, GoStruct, GoTypeError } from "./go-shape.ts";
import { formatTime } from "./go-time.ts";

export interface GoDecodeOptions {
  /**
   * Keep lists and maps that are empty but not nil. Go has them in memory, and some validation looks; they are left out
   * when written.
   */
  readonly keepEmpty?: boolean;
  /** Meet keys in sorted order: upstream turns YAML into JSON through a Go map. */
  readonly sortKeys?: boolean;
  /** Note the paths of values that the struct does not look into. */
  readonly trackOpaque?: boolean;
  /** The members of an object in which keys are repeated; undefined for others. Go decodes each into what is there. */
  readonly repeated?: (object: JsonObject) => readonly Entry[] | undefined;
}

export type Entry = readonly [key: string, value: JsonValue];

export function decodeGo(value: JsonValue, shape: GoShape, options: GoDecodeOptions = {}): GoDecoded {
  const state = newState(options);
  const decoded = decode(value, shape, state);
  const { unknown, opaque, error, typeError } = state;
  return { value: decoded ?? null, unknown, opaque, error, typeError };
}

interface State {
  readonly options: GoDecodeOptions;
  /** Keys and list indices, for unknown fields. */
  readonly path: (string | number)[];
  /** The innermost struct and the names of the fields that lead to here, for type errors. */
  context: GoStruct | undefined;
  readonly fields: string[];
  readonly unknown: string[];
  readonly opaque: string[];
  error: string | undefined;
  typeError: GoTypeError | undefined;
  /** A type that decodes itself stops everything with its error; later ones are never met. */
  isStopped: boolean;
}

function newState(options: GoDecodeOptions): State {
  return {
    options,
    path: [],
    context: undefined,
    fields: [],
    unknown: [],
    opaque: [],
    error: undefined,
    typeError: undefined,
    isStopped: false,
  };
}

function stop(state: State, error: string | undefined): undefined {
  if (error === undefined || state.isStopped) return;
  state.error = error;
  state.isStopped = true;
}

/** The decoded value; undefined where it stays as it is. `before` is what an earlier value of the same key left. */
function decode(value: JsonValue, shape: GoShape, state: State, before?: JsonValue): JsonValue | undefined {
  if (shape.kind === "raw" || shape.kind === "custom") {
    if (state.options.trackOpaque === true) state.opaque.push(pathOf(state));
    return shape.kind === "raw" ? value : decodeCustom(value, shape.decode, state);
  }
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

/** Members that were there stay; one that comes again is decoded anew. */
function decodeMap(object: JsonObject, of: GoShape, state: State, before?: JsonValue): JsonObject {
  const result = isObject(before) ? before : newObject();
  const repeated = state.options.repeated?.(object);
  for (const key of repeated === undefined ? keysOf(object, state) : []) {
    decodeMapMember(result, key, object[key] as JsonValue, of, state);
  }
  for (const [key, value] of repeated ?? []) decodeMapMember(result, key, value, of, state);
  return result;
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

/** From the end, as most keys come nearly in order. */
function insert(
  keys: string[],
  values: JsonValue[],
  key: string,
  value: JsonValue,
  positions: ReadonlyMap<string, number>,
): void {
  const position = positions.get(key) ?? 0;
  let at = keys.length;
  while (at > 0 && (positions.get(keys[at - 1] as string) ?? 0) > position) {
    keys[at] = keys[at - 1] as string;
    values[at] = values[at - 1] as JsonValue;
    at--;
  }
  keys[at] = key;
  values[at] = value;
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
    if (state.options.trackOpaque === true) state.opaque.push(pathOf(state));
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

/** Undefined where the field stays as it is, or is left out. */
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

/** In the order of the struct, as Go writes it. What is so already, as after an earlier decoding, is not copied. */
function written(members: JsonObject, struct: GoStruct): JsonObject {
  const { positions, always } = layoutOf(struct);
  const keys = Object.keys(members);
  if (isInOrder(keys, positions) && always.every(([key]) => members[key] !== undefined)) return members;
  for (const [key] of always) if (members[key] === undefined) keys.push(key);
  keys.sort((left, right) => (positions.get(left) ?? 0) - (positions.get(right) ?? 0));
  const result = newObject();
  for (const key of keys) result[key] = members[key] ?? zeroMember(struct.fields().get(key));
  return result;
}

function isInOrder(keys: readonly string[], positions: ReadonlyMap<string, number>): boolean {
  let last = -1;
  for (const key of keys) {
    const position = positions.get(key) ?? -1;
    if (position < last) return false;
    last = position;
  }
  return true;
}

export function zeroMember(field: GoField | undefined): JsonValue {
  return field === undefined || field.isPointer ? null : zeroOf(field.shape);
}

/** What writing a struct needs to know, worked out once. */
interface Layout {
  readonly positions: ReadonlyMap<string, number>;
  /** The fields that are written even where they are zero. */
  readonly always: readonly (readonly [string, GoField])[];
}

const layouts = new WeakMap<GoStruct, Layout>();

export function layoutOf(struct: GoStruct): Layout {
  const known = layouts.get(struct);
  if (known !== undefined) return known;
  const entries = [...struct.fields()];
  const layout = {
    positions: new Map(entries.map(([key], index) => [key, index])),
    always: entries.filter(([, field]) => !field.omitEmpty),
  };
  layouts.set(struct, layout);
  return layout;
}

function pathOf({ path }: State): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return text.startsWith(".") ? text.slice(1) : text;
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

/** Go overwrites the struct of an inner error with the outer one and puts the outer fields before the inner. */
function placed(inner: GoTypeError, { context, fields }: State): GoTypeError {
  if (context === undefined) return inner;
  return { ...inner, struct: structName(context), fields: [...fields, ...inner.fields] };
}

function typeErrorText({ found, struct, fields, go }: GoTypeError): string {
  return struct === undefined ? messages.wrongValueType(found, go) : messages.wrongFieldType(found, struct, fields, go);
}

const BYTE: GoShape = { kind: "int", go: "uint8", bits: 32 };

/** Go takes bytes one by one as well, and complains of the first that is none. */
function decodeByteList(items: readonly JsonValue[], state: State): JsonValue | undefined {
  const wrong = items.find((item) => !isByte(item));
  return wrong === undefined ? bytesOf(items) : mismatch(wrong, BYTE, state);
}

/** A null is a zero. */
function isByte(value: JsonValue): boolean {
  return value === null || (isInteger(value) && value >= 0 && value < 256);
}

function bytesOf(items: readonly JsonValue[]): string {
  return encodeBase64(Uint8Array.from(items, Number));
}

function decodeBytes(text: string, state: State): JsonValue | undefined {
  const bytes = decodeBase64(text);
  if (bytes.error === undefined) return encodeBase64(bytes.value);
  state.error ??= bytes.error;
  return undefined;
}

/** The first second of the year 1 is Go's zero time, which is written as null. */
const ZERO_TIME = -62_135_596_800n;

function decodeTime(value: JsonValue, digits: 0 | 6, state: State): JsonValue | undefined {
  if (typeof value !== "string") {
    const found = { found: jsonName(value), struct: undefined, fields: [], go: "string" };
    return stop(state, typeErrorText(placed(found, state)));
  }
  const time = parseRfc3339(value);
  if (time.error !== undefined) return stop(state, time.error);
  return time.value.seconds === ZERO_TIME ? null : formatTime(time.value, digits);
}

function mismatch(value: JsonValue, shape: GoShape, state: State): undefined {
  const isIntField = shape.kind === "int" && isNumber(value);
  const found = isIntField ? `number ${literal(value)}` : jsonName(value);
  if (state.error === undefined) {
    const struct = state.context && structName(state.context);
    state.typeError = { found, struct, fields: [...state.fields], go: shape.go };
    state.error = typeErrorText(state.typeError);
  }
  return undefined;
}

/** Go quotes the text as it was written. Of `1.0` and `1e0` only the value is left; the first is the likelier. */
function literal(value: JsonNumber): string {
  const text = formatNumber(value);
  return isInteger(value) || /[.e]/.test(text) ? text : `${text}.0`;
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

export function fits(value: number | bigint, bits: 32 | 64): boolean {
  return bits === 64 || (value >= -(2 ** 31) && value < 2 ** 31);
}

/** A float64 field takes integers too; as floats, so that `1` and `1.0` are equal there. */
function asFloatValue(value: JsonNumber): JsonValue {
  return floatValue(asFloat(value));
}

function isLeftOut(value: JsonValue, field: GoField, { options }: State): boolean {
  if (field.isPointer || !field.omitEmpty) return false;
  const isKept = options.keepEmpty === true && (isArray(value) || isObject(value));
  return !isKept && isZero(value);
}

export function isZero(value: JsonValue): boolean {
  if (value === "" || value === false || value === 0 || value === null) return true;
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** How Go writes the zero value of a type that is not left out. */
export function zeroOf(shape: GoShape): JsonValue {
  switch (shape.kind) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int":
    case "float":
      return 0;
    case "struct":
      return layoutOf(shape).always.length === 0 ? newObject() : decodeStruct(newObject(), shape, newState({}));
    case "custom":
      return shape.zero ?? null;
    default:
      return null;
  }
}
