/**
 * From a protobuf message to the JSON of the same Go type. Fields that the type does not have vanish, as upstream lets
 * them; what comes out still has to be decoded like any JSON.
 */
import { encodeBase64 } from "@portcullis/gostd/base64";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { decodeJson } from "../../codec/json.ts";
import { formatTime } from "../../field/go-time.ts";
import { floatValue, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { pointee, type StructField, type StructType, structAt, type TypeExpr } from "../types.ts";
import * as messages from "./messages.ts";
import { BYTES, FIXED64, VARINT, WireFailure, WireReader } from "./reader.ts";
import { schemaType } from "./schema-type.ts";

/** More than any definition may have that is accepted, and far from the end of the call stack. */
const MAX_DEPTH = 600;

/** Throws a WireFailure where the bytes are no such message. */
export function decodeMessage(bytes: Uint8Array, type: StructType): JsonObject {
  const object = newObject();
  readStruct(new WireReader(bytes), type, object, 0);
  return object;
}

const numbered = new Map<StructType, ReadonlyMap<number, StructField>>();

function fieldsByNumber(type: StructType): ReadonlyMap<number, StructField> {
  const known = numbered.get(type);
  if (known !== undefined) return known;
  const fields = new Map(type.fields.filter(({ proto }) => proto > 0).map((field) => [field.proto, field]));
  numbered.set(type, fields);
  return fields;
}

function readStruct(reader: WireReader, type: StructType, into: JsonObject, depth: number): void {
  if (depth > MAX_DEPTH) throw new WireFailure(messages.tooDeep());
  const fields = fieldsByNumber(type);
  const name = type.go.slice(type.go.lastIndexOf(".") + 1);
  while (!reader.isDone) {
    const { field: number, wireType } = reader.readTag(name);
    const field = fields.get(number);
    if (field === undefined) reader.skip(wireType);
    else readField(reader, field, wireType, into, depth);
  }
}

function readField(reader: WireReader, field: StructField, wireType: number, into: JsonObject, depth: number): void {
  const type = pointee(field.type);
  checkWireType(type, wireType, field.name);
  if (field.isInline && type.kind === "struct") readStruct(reader.readMessage(), structAt(type.index), into, depth + 1);
  else if (type.kind === "list" && !type.isMessage) {
    const items = into[field.name];
    const item = readValue(reader, type.of, depth);
    if (isArray(items)) items.push(item);
    else into[field.name] = [item];
  } else if (type.kind === "map") readEntry(reader, type.of, mapAt(into, field.name), depth);
  else into[field.name] = readValue(reader, type, depth, into[field.name]);
}

function mapAt(object: JsonObject, key: string): JsonObject {
  const map = object[key];
  if (isObject(map)) return map;
  const made = newObject();
  object[key] = made;
  return made;
}

const WIRE_TYPES = { bool: VARINT, int32: VARINT, int64: VARINT, float: FIXED64 } as const;

function wireTypeOf(type: TypeExpr): number {
  if (type.kind === "list" && !type.isMessage) return wireTypeOf(pointee(type.of));
  return type.kind === "bool" || type.kind === "int32" || type.kind === "int64" || type.kind === "float"
    ? WIRE_TYPES[type.kind]
    : BYTES;
}

function checkWireType(type: TypeExpr, wireType: number, name: string): void {
  if (wireTypeOf(type) !== wireType) throw new WireFailure(messages.wrongWireType(wireType, goFieldName(name)));
}

/** Go's name of a field; metadata is an embedded struct. */
function goFieldName(name: string): string {
  return name === "metadata" ? "ObjectMeta" : name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** A message that comes in several parts is merged. */
function readValue(reader: WireReader, type: TypeExpr, depth: number, before?: JsonValue): JsonValue {
  switch (type.kind) {
    case "string":
      return reader.readText();
    case "bytes":
      return encodeBase64(reader.readBytes());
    case "bool":
      return reader.readBool();
    case "int32":
      return reader.readInteger(32);
    case "int64":
      return reader.readInteger(64);
    case "float":
      return floatValue(reader.readDouble());
    case "pointer":
      return readValue(reader, type.to, depth);
    case "struct": {
      const object = isObject(before) ? before : newObject();
      readStruct(reader.readMessage(), structAt(type.index), object, depth + 1);
      return object;
    }
    case "list":
      return readItems(reader.readMessage(), type.of, depth);
    case "map":
      throw new Error("a map cannot be a value of a list or map");
    case "special":
      return readSpecial(reader.readMessage(), type.go, depth);
  }
}

/** A list that is a message of its own: `items = 1`. */
function readItems(reader: WireReader, of: TypeExpr, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  readMembers(reader, (number, wireType) => {
    if (number !== 1 || wireType !== wireTypeOf(pointee(of))) return false;
    items.push(readValue(reader, of, depth));
    return true;
  });
  return items;
}

function readEntry(reader: WireReader, of: TypeExpr, map: JsonObject, depth: number): void {
  const entry = reader.readMessage();
  let key = "";
  let value: JsonValue | undefined;
  readMembers(entry, (number, wireType) => {
    if (number === 1 && wireType === BYTES) key = entry.readText();
    else if (number === 2 && wireType === wireTypeOf(pointee(of))) value = readValue(entry, of, depth);
    else return false;
    return true;
  });
  map[key] = value ?? emptyValue(of);
}

/** What a map holds where an entry has no value. */
function emptyValue(of: TypeExpr): JsonValue {
  if (of.kind === "struct") return newObject();
  return of.kind === "string" || of.kind === "bytes" ? "" : null;
}

/** Calls `read` for each member; one that it does not take is skipped. */
function readMembers(reader: WireReader, read: (number: number, wireType: number) => boolean): void {
  while (!reader.isDone) {
    const { field, wireType } = reader.readTag("");
    if (!read(field, wireType)) reader.skip(wireType);
  }
}

function readSpecial(reader: WireReader, go: string, depth: number): JsonValue {
  switch (go) {
    case "v1.Time":
      return readTime(reader, 0);
    case "v1.MicroTime":
      return readTime(reader, 6);
    case "resource.Quantity":
      return textMember(reader, 1);
    case "intstr.IntOrString":
      return readIntOrString(reader);
    case "v1.JSONSchemaPropsOrArray":
      return readSchemaOr(reader, depth, { schema: 1, others: 2, isList: true });
    case "v1.JSONSchemaPropsOrStringArray":
      return readSchemaOr(reader, depth, { schema: 1, others: 2, isList: false });
    case "v1.JSONSchemaPropsOrBool":
      return readSchemaOrBool(reader, depth);
    default:
      return readRaw(reader);
  }
}

/** An empty message is the zero time, which is not the same as none. */
const ZERO_TIME = "0001-01-01T00:00:00Z";

function readTime(reader: WireReader, digits: 0 | 6): JsonValue {
  if (reader.isDone) return digits === 0 ? ZERO_TIME : null;
  let [seconds, nanos] = [0n, 0];
  readMembers(reader, (number, wireType) => {
    if (wireType !== VARINT || number > 2) return false;
    if (number === 1) seconds = BigInt(reader.readInteger(64) as number | bigint);
    else nanos = Number(reader.readInteger(32));
    return true;
  });
  return formatTime({ seconds, nanos: digits === 0 ? 0 : nanos }, digits);
}

function textMember(reader: WireReader, wanted: number): string {
  let text = "";
  readMembers(reader, (number, wireType) => {
    if (number !== wanted || wireType !== BYTES) return false;
    text = reader.readText();
    return true;
  });
  return text;
}

function readIntOrString(reader: WireReader): JsonValue {
  let [isText, number, text]: [boolean, JsonValue, string] = [false, 0, ""];
  readMembers(reader, (field, wireType) => {
    if (field === 1 && wireType === VARINT) isText = reader.readBool();
    else if (field === 2 && wireType === VARINT) number = reader.readInteger(32);
    else if (field === 3 && wireType === BYTES) text = reader.readText();
    else return false;
    return true;
  });
  return isText ? text : number;
}

/** Raw JSON; anything else counts as null. */
function readRaw(reader: WireReader): JsonValue {
  let raw: Uint8Array | undefined;
  readMembers(reader, (number, wireType) => {
    if (number !== 1 || wireType !== BYTES) return false;
    raw = reader.readBytes();
    return true;
  });
  if (raw === undefined || raw.length === 0) return null;
  const decoded = decodeJson(decodeUtf8(raw));
  return decoded.error === undefined ? decoded.value : null;
}

interface SchemaOr {
  readonly schema: number;
  readonly others: number;
  /** Schemas rather than names. */
  readonly isList: boolean;
}

function readSchemaOr(reader: WireReader, depth: number, { schema, others, isList }: SchemaOr): JsonValue {
  let single: JsonObject | undefined;
  const list: JsonValue[] = [];
  readMembers(reader, (number, wireType) => {
    if (wireType !== BYTES) return false;
    if (number === schema) single = readSchema(reader.readMessage(), depth);
    else if (number === others) list.push(isList ? readSchema(reader.readMessage(), depth) : reader.readText());
    else return false;
    return true;
  });
  return list.length > 0 ? list : (single ?? null);
}

function readSchemaOrBool(reader: WireReader, depth: number): JsonValue {
  let allows = false;
  let schema: JsonObject | undefined;
  readMembers(reader, (number, wireType) => {
    if (number === 1 && wireType === VARINT) allows = reader.readBool();
    else if (number === 2 && wireType === BYTES) schema = readSchema(reader.readMessage(), depth);
    else return false;
    return true;
  });
  return schema ?? allows;
}

function readSchema(reader: WireReader, depth: number): JsonObject {
  const object = newObject();
  readStruct(reader, schemaType(), object, depth + 1);
  return object;
}
