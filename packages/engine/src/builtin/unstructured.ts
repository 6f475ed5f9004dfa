/**
 * From a map to a Go struct without going through text: what becomes of the result of a strategic merge patch.
 *
 * Follows apimachinery runtime/converter.go, whose messages and leniency are not those of the JSON decoder: an integral
 * float is taken for an integer, an int32 wraps around, the first error ends it, unknown fields are reported in sorted order.
 */
import { decodeBase64, encodeBase64 } from "@portcullis/gostd/base64";
import { unknownFieldUnescaped } from "../codec/messages.ts";
import { decodeGo } from "../field/go-decode.ts";
import { goTypeName as goTypeOf } from "../kubecel/go-data.ts";
import {
  floatValue,
  integerValue,
  isArray,
  isInteger,
  isNumber,
  isObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
  newObject,
} from "../value/json.ts";
import { asBigInt, asFloat } from "../value/number.ts";
import * as messages from "./messages.ts";
import { shapeOf } from "./shapes.ts";
import { specialShape } from "./special.ts";
import { goTypeName, type StructType, structAt, type TypeExpr } from "./types.ts";

export type Converted =
  | { readonly error: string }
  | {
      readonly error?: undefined;
      readonly object: JsonObject;
      /** Sorted. */
      readonly findings: readonly string[];
    };

export function fromUnstructured(map: JsonObject, type: StructType): Converted {
  const state: State = { unknown: [] };
  try {
    const decoded = decodeGo(convertStruct(map, type, "", state), shapeOf(type), { keepEmpty: true });
    const object = isObject(decoded.value) ? decoded.value : newObject();
    return { object, findings: state.unknown.map(unknownFieldUnescaped).sort(compareBytes) };
  } catch (failure) {
    if (!(failure instanceof ConversionFailure)) throw failure;
    return { error: failure.message };
  }
}

interface State {
  readonly unknown: string[];
}

/** Carries the first error out; never leaves `fromUnstructured`. */
class ConversionFailure extends Error {}

function convert(value: JsonValue, type: TypeExpr, path: string, state: State): JsonValue {
  if (value === null) return null;
  switch (type.kind) {
    case "pointer":
      return convert(value, type.to, path, state);
    case "struct":
      return convertStruct(value, structAt(type.index), path, state);
    case "special":
      return convertSpecial(value, type.go);
    case "list":
      return convertList(value, type.of, path, state);
    case "map":
      return convertMap(value, type.of, path, state);
    case "bytes":
      return convertBytes(value);
    default:
      return convertScalar(value, type);
  }
}

function convertStruct(value: JsonValue, type: StructType, path: string, state: State): JsonObject {
  if (!isObject(value)) throw new ConversionFailure(messages.noStructFrom(kindOf(value)));
  const result = newObject();
  for (const [name, field] of type.members) {
    const member = value[name];
    if (member !== undefined) result[name] = convert(member, field.type, childPath(path, name), state);
  }
  for (const name of Object.keys(value)) if (!type.members.has(name)) state.unknown.push(childPath(path, name));
  return result;
}

function convertList(value: JsonValue, of: TypeExpr, path: string, state: State): JsonValue[] {
  if (!isArray(value)) throw new ConversionFailure(messages.noSliceFrom(kindOf(value)));
  return value.map((item, index) => convert(item, of, `${path}[${index}]`, state));
}

/** The key of a map is not part of the path, as upstream has it. */
function convertMap(value: JsonValue, of: TypeExpr, path: string, state: State): JsonObject {
  if (!isObject(value)) throw new ConversionFailure(messages.noMapFrom(kindOf(value)));
  const result = newObject();
  for (const key of Object.keys(value)) result[key] = convert(value[key] ?? null, of, path, state);
  return result;
}

function convertBytes(value: JsonValue): JsonValue {
  if (isArray(value)) return encodeBase64(Uint8Array.from(value, byteOf));
  if (typeof value !== "string") throw new ConversionFailure(messages.noSliceFrom(kindOf(value)));
  const bytes = decodeBase64(value);
  if (bytes.error !== undefined) throw new ConversionFailure(messages.decodingFromJson(bytes.error));
  return value;
}

function byteOf(value: JsonValue): number {
  if (isInteger(value)) return Number(BigInt.asUintN(8, BigInt(value)));
  if (value === null) return 0;
  throw new ConversionFailure(messages.unrecognizedType("uint8"));
}

function convertSpecial(value: JsonValue, go: string): JsonValue {
  const { error } = decodeGo(value, specialShape(go));
  if (error !== undefined) throw new ConversionFailure(error);
  return value;
}

type Scalar = Extract<TypeExpr, { readonly kind: "string" | "bool" | "int32" | "int64" | "float" | "bytes" }>;

function convertScalar(value: JsonValue, type: Scalar): JsonValue {
  if (type.kind === "string" && typeof value === "string") return value;
  if (type.kind === "bool" && typeof value === "boolean") return value;
  if (isNumber(value) && (type.kind === "int32" || type.kind === "int64")) return convertInteger(value, type);
  if (isNumber(value) && type.kind === "float") return floatValue(asFloat(value));
  // Go can turn an integer into a text, though not in this way.
  if (type.kind === "string" && isInteger(value)) throw cannotConvert(value, type);
  throw new ConversionFailure(messages.unrecognizedType(SCALAR_KINDS[type.kind]));
}

const SCALAR_KINDS = {
  string: "string",
  bool: "bool",
  int32: "int32",
  int64: "int64",
  float: "float64",
  bytes: "slice",
};

function convertInteger(value: JsonNumber, type: Scalar): JsonValue {
  const integer = asBigInt(value);
  if (integer === undefined) throw cannotConvert(value, type);
  return integerValue(BigInt.asIntN(type.kind === "int32" ? 32 : 64, integer));
}

function cannotConvert(value: JsonValue, type: Scalar): ConversionFailure {
  return new ConversionFailure(messages.cannotConvert(goTypeOf(value), goTypeName(type)));
}

function childPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function kindOf(value: JsonValue): string {
  if (isArray(value)) return "slice";
  return isObject(value) ? "map" : goTypeOf(value);
}

function compareBytes(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
