/** Protobuf's JSON form of types, declarations and values, as ours. */
import {
  ANY,
  ArrayList,
  BOOL,
  BYTES,
  Bytes,
  DOUBLE,
  Double,
  DURATION,
  DYN,
  EntryMap,
  ERROR,
  type FunctionDecl,
  INT,
  listOf,
  mapOf,
  NULL,
  normalInt,
  objectType,
  opaqueType,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOf,
  typeParam,
  UINT,
  Uint,
  type Value,
  type VariableDecl,
  wrapperOf,
} from "@portcullis/cel/internal";
import { decodeBase64 } from "@portcullis/gostd/base64";
import { decodeValue } from "../cel/decode.ts";
import type { SpecDecl, SpecOverload, SpecType, SpecValue } from "./suite.ts";

// biome-ignore format: a table
const PRIMITIVES: ReadonlyMap<string, Type> = new Map([
  ["BOOL", BOOL], ["INT64", INT], ["UINT64", UINT], ["DOUBLE", DOUBLE], ["STRING", STRING], ["BYTES", BYTES],
]);

// biome-ignore format: a table
const WELL_KNOWN: ReadonlyMap<string, Type> = new Map([
  ["ANY", ANY], ["DURATION", DURATION], ["TIMESTAMP", TIMESTAMP],
  ["google.protobuf.Any", ANY], ["google.protobuf.Duration", DURATION], ["google.protobuf.Timestamp", TIMESTAMP],
  ["google.protobuf.Value", DYN], ["google.protobuf.Struct", mapOf(STRING, DYN)], ["google.protobuf.ListValue", listOf(DYN)],
  ["google.protobuf.BoolValue", wrapperOf(BOOL)], ["google.protobuf.BytesValue", wrapperOf(BYTES)],
  ["google.protobuf.DoubleValue", wrapperOf(DOUBLE)], ["google.protobuf.FloatValue", wrapperOf(DOUBLE)],
  ["google.protobuf.Int32Value", wrapperOf(INT)], ["google.protobuf.Int64Value", wrapperOf(INT)],
  ["google.protobuf.UInt32Value", wrapperOf(UINT)], ["google.protobuf.UInt64Value", wrapperOf(UINT)],
  ["google.protobuf.StringValue", wrapperOf(STRING)],
]);

export function toType(type: SpecType | undefined): Type {
  if (type === undefined) return DYN;
  if (type.primitive !== undefined) return PRIMITIVES.get(type.primitive) ?? ERROR;
  if (type.wrapper !== undefined) return wrapperOf(PRIMITIVES.get(type.wrapper) ?? ERROR);
  if (type.wellKnown !== undefined) return WELL_KNOWN.get(type.wellKnown) ?? ERROR;
  if (type.messageType !== undefined) return WELL_KNOWN.get(type.messageType) ?? objectType(type.messageType);
  if (type.typeParam !== undefined) return typeParam(type.typeParam);
  if (type.listType !== undefined) return listOf(toType(type.listType.elemType));
  if (type.mapType !== undefined) return mapOf(toType(type.mapType.keyType), toType(type.mapType.valueType));
  if (type.abstractType !== undefined) {
    return opaqueType(type.abstractType.name, ...(type.abstractType.parameterTypes ?? []).map(toType));
  }
  if (type.type !== undefined) return Object.keys(type.type).length === 0 ? TYPE : typeOf(toType(type.type));
  return "null" in type ? NULL : DYN;
}

export function variablesOf(declarations: readonly SpecDecl[]): readonly VariableDecl[] {
  return declarations.flatMap(({ name, ident }) => (ident === undefined ? [] : [{ name, type: toType(ident.type) }]));
}

export function functionsOf(declarations: readonly SpecDecl[]): readonly FunctionDecl[] {
  return declarations.flatMap(({ name, function: declared }) =>
    declared === undefined ? [] : [{ name, overloads: declared.overloads.map(toOverload) }],
  );
}

function toOverload(overload: SpecOverload): FunctionDecl["overloads"][number] {
  return {
    id: overload.overloadId,
    member: overload.isInstanceFunction ?? false,
    params: (overload.params ?? []).map(toType),
    result: toType(overload.resultType),
    call: undefined,
  };
}

/** Undefined if only a protobuf message could hold it. */
export function toValue(spec: SpecValue): Value | undefined {
  if (spec.boolValue !== undefined) return spec.boolValue;
  if (spec.int64Value !== undefined) return normalInt(BigInt(spec.int64Value));
  if (spec.uint64Value !== undefined) return new Uint(normalInt(BigInt(spec.uint64Value)));
  if (spec.doubleValue !== undefined) return new Double(Number(spec.doubleValue));
  if (spec.stringValue !== undefined) return spec.stringValue;
  if (spec.bytesValue !== undefined) return bytesOf(spec.bytesValue);
  if (spec.listValue !== undefined) return toList(spec.listValue.values ?? []);
  if (spec.mapValue !== undefined) return toMap(spec.mapValue.entries ?? []);
  if (spec.objectValue !== undefined) return fromMessage(spec.objectValue);
  return "nullValue" in spec ? null : undefined;
}

function bytesOf(text: string): Bytes | undefined {
  const decoded = decodeBase64(text);
  return decoded.error === undefined ? new Bytes(decoded.value) : undefined;
}

function toList(specs: readonly SpecValue[]): Value | undefined {
  const values = specs.map(toValue);
  return values.some((value) => value === undefined) ? undefined : new ArrayList(values.map((value) => value ?? null));
}

function toMap(entries: readonly { readonly key: SpecValue; readonly value: SpecValue }[]): Value | undefined {
  const map = new EntryMap();
  for (const entry of entries) {
    const key = toValue(entry.key);
    const value = toValue(entry.value);
    if (key === undefined || value === undefined) return undefined;
    map.set(key, value);
  }
  return map;
}

function fromMessage(message: Readonly<Record<string, unknown>>): Value | undefined {
  const text = String(message["value"]);
  switch (message["@type"]) {
    case "type.googleapis.com/google.protobuf.Duration":
      return decodeValue({ duration: text });
    case "type.googleapis.com/google.protobuf.Timestamp":
      return decodeValue({ timestamp: text });
    default:
      return undefined;
  }
}
