/**
 * An object written by Go once, put in order again after it was changed: the same as decoding it anew, but what needs no
 * change is shared with what was given.
 *
 * Only for objects that are not shared. If a value does not fit its type, the decoder decides.
 */
import {
  isArray,
  isEmptyMap,
  isInteger,
  isObject,
  type JsonObject,
  type JsonValue,
  newEmptyMap,
  newObject,
} from "../value/json.ts";
import { decodeGo } from "./go-decode.ts";
import { isHeld, isZero, layoutOf, zeroMember, zeroOf } from "./go-layout.ts";
import { fits } from "./go-scalar.ts";
import type { GoField, GoShape, GoStruct } from "./go-shape.ts";

export interface NormalizeOptions {
  /** The only members that need looking into; all if absent. */
  readonly touched?: ReadonlySet<string> | undefined;
  /** As for `decodeGo`. */
  readonly keepEmpty?: boolean;
}

export function normalizeGo(value: JsonObject, struct: GoStruct, options: NormalizeOptions = {}): JsonValue {
  const { touched, keepEmpty = false } = options;
  const normalized = normalizeStruct(value, struct, keepEmpty, touched);
  return normalized === UNFIT ? decodeGo(value, struct, { keepEmpty }).value : normalized;
}

/** A value that only the decoder can handle. */
const UNFIT = Symbol("unfit");
type Unfit = typeof UNFIT;

/** Undefined if the zero value is meant. */
function normalizeValue(value: JsonValue, shape: GoShape, keeps: boolean): JsonValue | undefined | Unfit {
  if (shape.kind === "raw") return value;
  if (shape.kind === "custom") return normalizeCustom(value, shape);
  if (value === null) return undefined;
  switch (shape.kind) {
    case "string":
      return typeof value === "string" ? value : UNFIT;
    case "bool":
      return typeof value === "boolean" ? value : UNFIT;
    case "int":
      return isInteger(value) && fits(value, shape.bits) ? value : UNFIT;
    case "list":
      return isArray(value) ? normalizeList(value, shape.of, keeps) : UNFIT;
    case "map":
      return isObject(value) ? normalizeMap(value, shape.of, keeps) : UNFIT;
    case "struct":
      return isObject(value) ? normalizeStruct(value, shape, keeps) : UNFIT;
    default:
      return normalizeScalar(value, shape);
  }
}

/** Times, bytes and floats: rare, and with forms of their own. */
function normalizeScalar(value: JsonValue, shape: GoShape): JsonValue | undefined | Unfit {
  const { value: decoded, error } = decodeGo(value, shape);
  if (error !== undefined) return UNFIT;
  return decoded === null && shape.kind !== "time" ? undefined : decoded;
}

function normalizeCustom(value: JsonValue, shape: GoShape & { readonly kind: "custom" }): JsonValue | Unfit {
  const { value: decoded, error } = shape.decode(value, {});
  return error === undefined ? decoded : UNFIT;
}

function normalizeList(list: JsonValue[], of: GoShape, keeps: boolean): JsonValue[] | Unfit {
  let copy: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    const normalized = normalizeValue(item, of, keeps);
    if (normalized === UNFIT) return UNFIT;
    if (normalized === item) continue;
    copy ??= [...list];
    copy[index] = normalized ?? zeroOf(of);
  }
  return copy ?? list;
}

function normalizeMap(object: JsonObject, of: GoShape, keeps: boolean): JsonObject | Unfit {
  let copy: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    const normalized = normalizeValue(value, of, keeps);
    if (normalized === UNFIT) return UNFIT;
    if (normalized === value) continue;
    copy ??= Object.assign(newObject(), object);
    copy[key] = normalized ?? zeroOf(of);
  }
  if (copy !== undefined) return copy;
  for (const _ in object) return object;
  return isEmptyMap(object) ? object : newEmptyMap();
}

/** `keeps`: as `keepEmpty`. */
function normalizeStruct(
  object: JsonObject,
  struct: GoStruct,
  keeps: boolean,
  touched?: ReadonlySet<string>,
): JsonObject | Unfit {
  const fields = struct.fields();
  const { positions, always } = layoutOf(struct);
  let members: JsonObject | undefined;
  let last = -1;
  let isOrdered = true;
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    const field = fields.get(key);
    const isUntouched = touched !== undefined && !touched.has(key);
    const normalized = field === undefined ? undefined : isUntouched ? value : normalizeMember(value, field, keeps);
    if (normalized === UNFIT) return UNFIT;
    if (normalized !== value) {
      members ??= Object.assign(newObject(), object);
      if (normalized === undefined) delete members[key];
      else members[key] = normalized;
    }
    const position = positions.get(key) ?? -1;
    if (position < last) isOrdered = false;
    last = position;
  }
  const result = members ?? object;
  if (isOrdered && always.every(([key]) => result[key] !== undefined)) return result;
  return reordered(result, struct);
}

function normalizeMember(value: JsonValue, field: GoField, keeps: boolean): JsonValue | undefined | Unfit {
  const { kind } = field.shape;
  if (value === null && (field.isPointer || kind === "list" || kind === "map" || kind === "time"))
    return field.omitEmpty ? undefined : null;
  const normalized = normalizeValue(value, field.shape, keeps);
  if (normalized === UNFIT || normalized === undefined) return normalized;
  const isKept = field.isPointer || !field.omitEmpty || (keeps && isHeld(normalized, field.shape));
  return !isKept && isZero(normalized) ? undefined : normalized;
}

function reordered(members: JsonObject, struct: GoStruct): JsonObject {
  const { positions, always } = layoutOf(struct);
  const keys = Object.keys(members);
  for (const [key] of always) if (members[key] === undefined) keys.push(key);
  keys.sort((left, right) => (positions.get(left) ?? 0) - (positions.get(right) ?? 0));
  const result = newObject();
  for (const key of keys) result[key] = members[key] ?? zeroMember(struct.fields().get(key));
  return result;
}
