/**
 * From an object to the protobuf message of its Go type, byte for byte as the generated code writes it: fields in the
 * order of their numbers, fields that are no pointers always, maps by sorted keys.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { parseRfc3339 } from "@portcullis/gostd/time";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { isArray, isNumber, isObject, type JsonObject, type JsonValue, sortedKeys } from "../../value/json.ts";
import { asBigInt, asFloat } from "../../value/number.ts";
import { canonicalJson } from "../../value/text.ts";
import { pointee, type StructField, type StructType, structAt, type TypeExpr } from "../types.ts";
import { schemaType } from "./schema-type.ts";
import { WireWriter } from "./writer.ts";

/** The object is as Go writes it. */
export function encodeMessage(object: JsonObject, type: StructType): Uint8Array {
  const writer = new WireWriter();
  writeStruct(writer, object, type);
  return writer.finish();
}

const sorted = new Map<StructType, readonly StructField[]>();

function fieldsInOrder(type: StructType): readonly StructField[] {
  const known = sorted.get(type);
  if (known !== undefined) return known;
  const fields = type.fields.filter(({ proto }) => proto > 0).sort((a, b) => a.proto - b.proto);
  sorted.set(type, fields);
  return fields;
}

function writeStruct(writer: WireWriter, object: JsonObject, type: StructType): void {
  for (const field of fieldsInOrder(type)) {
    // An inlined struct is a message of its own that holds members of the same object.
    const value = field.isInline ? object : (object[field.name] ?? null);
    writeField(writer, field, value);
  }
}

function writeField(writer: WireWriter, { proto, type }: StructField, value: JsonValue): void {
  if (type.kind === "pointer") {
    if (value !== null) writeValue(writer, proto, type.to, value);
  } else if (type.kind === "list" && !type.isMessage) {
    if (isArray(value)) for (const item of value) writeValue(writer, proto, type.of, item);
  } else if (type.kind === "map") {
    if (isObject(value))
      for (const key of sortedKeys(value)) writeEntry(writer, proto, type.of, { key, value: value[key] ?? null });
  } else if (type.kind !== "bytes" || value !== null) writeValue(writer, proto, type, value);
}

interface Entry {
  readonly key: string;
  readonly value: JsonValue;
}

function writeEntry(writer: WireWriter, proto: number, of: TypeExpr, { key, value }: Entry): void {
  writer.writeMessage(proto, (entry) => {
    entry.writeText(1, key);
    if (of.kind !== "bytes" || value !== null) writeValue(entry, 2, of, value);
  });
}

function writeValue(writer: WireWriter, proto: number, type: TypeExpr, value: JsonValue): void {
  switch (type.kind) {
    case "string":
      writer.writeText(proto, typeof value === "string" ? value : "");
      return;
    case "bytes":
      writer.writeBytes(proto, bytesOf(value));
      return;
    case "bool":
      writer.writeBool(proto, value === true);
      return;
    case "int32":
    case "int64":
      writer.writeInteger(proto, integerOf(value));
      return;
    case "float":
      writer.writeDouble(proto, isNumber(value) ? asFloat(value) : 0);
      return;
    case "pointer":
      writeValue(writer, proto, type.to, value);
      return;
    case "struct":
      writer.writeMessage(proto, (message) => writeStruct(message, isObject(value) ? value : {}, structAt(type.index)));
      return;
    case "list":
      writer.writeMessage(proto, (message) => {
        if (isArray(value)) for (const item of value) writeValue(message, 1, pointee(type.of), item);
      });
      return;
    case "map":
      throw new Error("a map cannot be a value of a list or map");
    case "special":
      writer.writeMessage(proto, (message) => writeSpecial(message, type.go, value));
  }
}

function bytesOf(value: JsonValue): Uint8Array {
  const decoded = decodeBase64(typeof value === "string" ? value : "");
  return decoded.error === undefined ? decoded.value : new Uint8Array();
}

function integerOf(value: JsonValue): bigint {
  return isNumber(value) ? (asBigInt(value) ?? 0n) : 0n;
}

function writeSpecial(writer: WireWriter, go: string, value: JsonValue): void {
  switch (go) {
    case "v1.Time":
    case "v1.MicroTime":
      writeTime(writer, value, go === "v1.MicroTime");
      return;
    case "resource.Quantity":
      writer.writeText(1, typeof value === "string" ? value : "0");
      return;
    case "intstr.IntOrString":
      writer.writeInteger(1, typeof value === "string" ? 1n : 0n);
      writer.writeInteger(2, integerOf(value));
      writer.writeText(3, typeof value === "string" ? value : "");
      return;
    case "v1.JSONSchemaPropsOrArray":
      writeSchemaOr(writer, value, (item) => writeSchema(writer, 2, item));
      return;
    case "v1.JSONSchemaPropsOrStringArray":
      writeSchemaOr(writer, value, (item) => writer.writeText(2, typeof item === "string" ? item : ""));
      return;
    case "v1.JSONSchemaPropsOrBool":
      writer.writeBool(1, isObject(value) || value === true);
      if (isObject(value)) writeSchema(writer, 2, value);
      return;
    default:
      if (value !== null) writer.writeBytes(1, encodeUtf8(canonicalJson(value)));
  }
}

function writeTime(writer: WireWriter, value: JsonValue, isPrecise: boolean): void {
  const time = typeof value === "string" ? parseRfc3339(value).value : undefined;
  if (time === undefined) return;
  writer.writeInteger(1, time.seconds);
  writer.writeInteger(2, isPrecise ? BigInt(time.nanos) : 0n);
}

function writeSchemaOr(writer: WireWriter, value: JsonValue, writeItem: (item: JsonValue) => void): void {
  if (isObject(value)) writeSchema(writer, 1, value);
  else if (isArray(value)) value.forEach(writeItem);
}

function writeSchema(writer: WireWriter, proto: number, value: JsonValue): void {
  writer.writeMessage(proto, (message) => writeStruct(message, isObject(value) ? value : {}, schemaType()));
}
