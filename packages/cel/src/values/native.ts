/**
 * Values as fields of protobuf messages, where a value must fit the field's Go type exactly: no conversion between
 * numbers. Follows ConvertToNative of cel-go common/types. Failures are strings to which the caller adds context.
 */
import { encodeBase64 } from "@portcullis/gostd/base64";
import type { FieldKind } from "../types/well-known.ts";
import { ArrayList } from "./list.ts";
import { EntryMap } from "./map.ts";
import { emptyOptional, intOverflow, uintOverflow } from "./messages.ts";
import { durationText, timestampText } from "./text.ts";
import { runtimeTypeName, typeOfValue } from "./type-of.ts";
import {
  Bytes,
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

/** Why a value does not fit. */
export class ConversionFailure {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

type ScalarKind = Exclude<FieldKind, "fields" | "values">;

export function toNative(value: Value, kind: ScalarKind): Value | ConversionFailure {
  if (value instanceof OptionalValue) {
    return value.value === undefined ? new ConversionFailure(emptyOptional().message) : toNative(value.value, kind);
  }
  return CONVERTERS[kind](value) ?? failure(value, kind);
}

type Converter = (value: Value) => Value | ConversionFailure | undefined;

const CONVERTERS: Readonly<Record<ScalarKind, Converter>> = {
  bool: (value) => (typeof value === "boolean" ? value : undefined),
  string: (value) => (typeof value === "string" ? value : undefined),
  int64: (value) => (isInt(value) ? value : undefined),
  int32: toInt32,
  "protoreflect.EnumNumber": toInt32,
  uint64: (value) => (value instanceof Uint ? value : undefined),
  uint32: (value) => toSmallUint(value, 0xffff_ffff),
  float64: (value) => (value instanceof Double ? value : undefined),
  float32: (value) => (value instanceof Double ? new Double(Math.fround(value.value)) : undefined),
  "[]uint8": toBytes,
  "*structpb.Struct": (value) => (value instanceof MapValue ? toStruct(value) : undefined),
  "*structpb.ListValue": (value) => (value instanceof ListValue ? toJsonList(value) : undefined),
};

function isInt(value: Value): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function toInt32(value: Value): Value | ConversionFailure | undefined {
  if (!isInt(value)) return undefined;
  return value >= -0x8000_0000 && value <= 0x7fff_ffff ? value : new ConversionFailure(intOverflow().message);
}

function toSmallUint(value: Value, max: number): Uint | ConversionFailure | undefined {
  if (!(value instanceof Uint)) return undefined;
  return value.value <= max ? value : new ConversionFailure(uintOverflow().message);
}

/** A list of uints is accepted for bytes. */
function toBytes(value: Value): Value | ConversionFailure | undefined {
  if (!(value instanceof ListValue)) return value instanceof Bytes ? value : undefined;
  const data = new Uint8Array(value.size);
  for (let index = 0; index < value.size; index++) {
    const element = value.at(index);
    const byte = toSmallUint(element, 0xff) ?? failure(element, "uint8");
    if (byte instanceof ConversionFailure) return byte;
    data[index] = Number(byte.value);
  }
  return new Bytes(data);
}

/** An object of JSON, whose keys must be strings already. */
export function toStruct(map: MapValue): MapValue | ConversionFailure {
  const struct = new EntryMap();
  for (const key of map.keys()) {
    const name = toNative(key, "string");
    if (name instanceof ConversionFailure) return name;
    const value = toJson(map.get(key) ?? null);
    if (value instanceof ConversionFailure) return value;
    struct.set(name, value);
  }
  return struct;
}

export function toJsonList(list: ListValue): ListValue | ConversionFailure {
  const elements: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = toJson(list.at(index));
    if (element instanceof ConversionFailure) return element;
    elements.push(element);
  }
  return new ArrayList(elements);
}

/** A value as JSON: numbers are doubles, or strings if a double would round them. */
export function toJson(value: Value): Value | ConversionFailure {
  if (typeof value === "string" || typeof value === "boolean" || value === null || value instanceof Double)
    return value;
  if (isInt(value)) return jsonNumber(value);
  if (value instanceof Uint) return jsonNumber(value.value);
  if (value instanceof Bytes) return encodeBase64(value.data);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof ListValue) return toJsonList(value);
  if (value instanceof MapValue) return toStruct(value);
  if (value instanceof OptionalValue && value.value !== undefined) return toJson(value.value);
  return value instanceof OptionalValue
    ? new ConversionFailure(emptyOptional().message)
    : failure(value, "*structpb.Value");
}

// An int beyond 2^53 is a bigint, and one of exactly that size a text as well.
function jsonNumber(value: number | bigint): Value {
  return typeof value === "number" ? new Double(value) : String(value);
}

/** The message depends on the type that rejects the value. */
function failure(value: Value, goType: string): ConversionFailure {
  if (isInt(value)) return new ConversionFailure(`unsupported type conversion from 'int' to ${goType}`);
  if (value instanceof Uint) return new ConversionFailure(`unsupported type conversion from 'uint' to ${goType}`);
  if (typeof value === "string")
    return new ConversionFailure(`unsupported native conversion from string to '${goType}'`);
  if (value instanceof TypeValue) return new ConversionFailure("type conversion not supported for 'type'");
  return new ConversionFailure(`type conversion error from ${nameInFailure(value)} to '${goType}'`);
}

function nameInFailure(value: Value): string {
  if (typeof value === "boolean") return "bool";
  if (value instanceof Double) return "Double";
  if (value instanceof Bytes) return "Bytes";
  if (value instanceof ListValue) return "list";
  if (value instanceof MapValue) return "map";
  if (value instanceof Duration) return "'Duration'";
  if (value instanceof Timestamp) return "'Timestamp'";
  const name = runtimeTypeName(typeOfValue(value));
  return `'${value === null ? name : name.slice(name.lastIndexOf(".") + 1)}'`;
}
