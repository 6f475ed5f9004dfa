/** Literals of the well-known protobuf messages, as the values they stand for. */
import { quote, quoteBytes } from "@portcullis/gostd/quote";
import { objectType, type Type } from "../types/type.ts";
import { type FieldKind, WELL_KNOWN_MESSAGES } from "../types/well-known.ts";
import { MAX_INT64, MIN_INT64 } from "./int.ts";
import { ArrayList } from "./list.ts";
import { EntryMap } from "./map.ts";
import { fieldConversionError, noSuchField, unsupportedData, unsupportedFieldType } from "./messages.ts";
import { ConversionFailure, toJsonList, toNative, toStruct } from "./native.ts";
import { typeTextOf } from "./type-of.ts";
import { Bytes, Double, Duration, ListValue, MapValue, OpaqueValue, Timestamp, Uint, type Value } from "./value.ts";

/** Undefined if the name is not that of a well-known message. */
export function constructWellKnown(typeName: string, fields: ReadonlyMap<string, Value>): Value | undefined {
  const message = WELL_KNOWN_MESSAGES.get(typeName);
  if (message === undefined) return undefined;
  const kinds: Readonly<Record<string, FieldKind>> = message.fields;
  const converted = new Map<string, Value>();
  for (const [name, value] of fields) {
    const kind = kinds[name];
    if (kind === undefined) return noSuchField(name);
    const native = convertField(value, kind);
    if (native === undefined) return unsupportedFieldType(typeName, name, typeTextOf(value));
    if (native instanceof ConversionFailure) return fieldConversionError(typeName, name, native.detail);
    converted.set(name, native);
  }
  return build(typeName, message.type, converted);
}

/** Undefined if the field takes a map or a list and the value is not one. */
function convertField(value: Value, kind: FieldKind): Value | ConversionFailure | undefined {
  if (kind === "fields") return value instanceof MapValue ? toStruct(value) : undefined;
  if (kind === "values") return value instanceof ListValue ? toJsonList(value) : undefined;
  return toNative(value, kind);
}

type Fields = ReadonlyMap<string, Value>;

function build(typeName: string, type: Type, fields: Fields): Value {
  switch (type.kind) {
    case "wrapper":
      return fields.get("value") ?? zeroOf(type.of);
    case "duration":
      return new Duration(nanosOf(fields));
    case "timestamp":
      return timestampOf(fields);
    case "map":
      return fields.get("fields") ?? new EntryMap();
    case "list":
      return fields.get("values") ?? ArrayList.empty;
    case "dyn":
      return heldBy(fields);
    case "any":
      return unsupportedData("*dynamicpb.Message", anyText(fields));
    default:
      return new MessageValue(typeName);
  }
}

function zeroOf(type: Type): Value {
  switch (type.kind) {
    case "bool":
      return false;
    case "string":
      return "";
    case "bytes":
      return new Bytes(new Uint8Array());
    case "double":
      return new Double(0);
    case "uint":
      return new Uint(0);
    default:
      return 0;
  }
}

const NANOS_PER_SECOND = 1_000_000_000n;

function integer(fields: Fields, name: string): bigint {
  const value = fields.get(name);
  return typeof value === "number" || typeof value === "bigint" ? BigInt(value) : 0n;
}

/** Seconds that do not fit into nanoseconds become the longest duration. */
function nanosOf(fields: Fields): bigint {
  const nanos = integer(fields, "seconds") * NANOS_PER_SECOND + integer(fields, "nanos");
  if (nanos > MAX_INT64) return MAX_INT64;
  if (nanos < MIN_INT64) return MIN_INT64;
  return nanos;
}

/** Unlike `timestamp()` it accepts any year. */
function timestampOf(fields: Fields): Timestamp {
  const nanos = integer(fields, "nanos");
  const within = ((nanos % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  const seconds = integer(fields, "seconds") + (nanos - within) / NANOS_PER_SECOND;
  return new Timestamp(Number(seconds), Number(within));
}

function heldBy(fields: Fields): Value {
  for (const [name, value] of fields) return name === "null_value" ? null : value;
  return null;
}

/** The content of an `Any` is not checked. */
function anyText(fields: Fields): string {
  const url = fields.get("type_url");
  const data = fields.get("value");
  const parts = [];
  if (typeof url === "string" && url !== "") parts.push(`type_url:${quote(url)}`);
  if (data instanceof Bytes && data.data.length > 0) parts.push(`value:${quoteBytes(data.data)}`);
  return parts.join(" ");
}

/** A message that is not a value of the language: it only has a type and equality. */
class MessageValue extends OpaqueValue {
  readonly type: Type;
  readonly #name: string;
  constructor(name: string) {
    super();
    this.#name = name;
    this.type = objectType(name);
  }
  override get goTypeName(): string {
    return "*types.protoObj";
  }
  override field(name: string): Value {
    return noSuchField(name);
  }
  equalTo(other: Value): boolean {
    return other instanceof MessageValue && other.#name === this.#name;
  }
}
