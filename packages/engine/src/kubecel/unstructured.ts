/**
 * JSON as CEL values, through a schema: nothing is copied, and values are converted when they are read.
 *
 * Data that does not fit its schema becomes an error value where it is read. `1.0` passes validation as an integer
 * but is not one here, and bytes are decoded with the URL alphabet although validation requires the standard one.
 * Follows apiserver pkg/cel/common/valuesunstructured.go.
 */
import {
  Bytes,
  type CelError,
  Double,
  Duration,
  OpaqueValue,
  opaqueType,
  Timestamp,
  type Value,
  writtenOffset,
} from "@portcullis/cel/internal";
import { decodeBase64 } from "@portcullis/gostd/base64";
import { parseDate } from "@portcullis/gostd/time";
import { parseDateTime, parseFormattedDuration } from "../schema/strfmt.ts";
import type { Structural } from "../schema/structural.ts";
import type { JsonValue } from "../value/json.ts";
import { asFloat } from "../value/number.ts";
import { unescapeName } from "./escaping.ts";
import {
  type GoData,
  goData,
  goEqual,
  goTypeName,
  isGoInteger,
  isGoNumber,
  isGoObject,
  type SchemaView,
} from "./go-data.ts";
import { escapedKeyNames, ListView, MapListView, SetListView } from "./list-view.ts";
import {
  arrayWithoutItems,
  invalidDuration,
  invalidFormatted,
  neitherIntNorString,
  notAMap,
  notAnArray,
  nullNotAllowed,
  preservedHasNoType,
  unexpectedData,
  unexpectedListType,
  unexpectedSchemaType,
} from "./messages.ts";
import { type Convert, type Member, ObjectView, type Shape } from "./object-view.ts";
import { withResourceFields } from "./resource-fields.ts";

/** The value of data under its schema. */
export function schemaValue(data: JsonValue, schema: Structural): Value {
  return converterOf(schema)(data);
}

/** How to read data under a schema, for callers that read many values under the same one. */
export function schemaReader(schema: Structural): (data: JsonValue) => Value {
  return converterOf(schema);
}

const converters = new WeakMap<Structural, Convert>();

function converterOf(schema: Structural): Convert {
  let convert = converters.get(schema);
  if (convert === undefined) {
    convert = withNull(schema.nullable, readerOf(schema));
    converters.set(schema, convert);
  }
  return convert;
}

/** Builds the converter of a nested schema when the first value arrives. */
function lazyConverter(schema: Structural): Convert {
  let convert: Convert | undefined;
  return (data) => {
    convert ??= converterOf(schema);
    return convert(data);
  };
}

function withNull(nullable: boolean, read: Convert): Convert {
  if (nullable) return (data) => (data === null ? null : read(data));
  return (data) => (data === null ? nullNotAllowed() : read(data));
}

function readerOf(schema: Structural): Convert {
  if (schema.intOrString) return readIntOrString;
  switch (schema.type) {
    case "object":
      return objectReader(schema);
    case "array":
      return arrayReader(schema);
    case "string":
      return stringReader(schema.format);
    case "number":
      return readNumber;
    case "integer":
      return readInteger;
    case "boolean":
      return readBoolean;
    default:
      if (schema.preserveUnknownFields === true) return (data) => new PreservedValue(data);
      return () => unexpectedSchemaType(schema.type);
  }
}

function readIntOrString(data: GoData): Value {
  if (typeof data === "string") return data;
  return isGoInteger(data) ? data : neitherIntNorString();
}

function readNumber(data: GoData): Value {
  return isGoNumber(data) ? new Double(asFloat(data)) : unexpectedData("float", goTypeName(data));
}

function readInteger(data: GoData): Value {
  return isGoInteger(data) ? data : unexpectedData("int", goTypeName(data));
}

function readBoolean(data: GoData): Value {
  return typeof data === "boolean" ? data : unexpectedData("bool", goTypeName(data));
}

function objectReader(schema: Structural): Convert {
  const shape = shapeOf(schema.embeddedResource ? withResourceFields(schema) : schema);
  return (data) => (isGoObject(data) ? new ObjectView(data, shape) : notAMap());
}

/** Properties take precedence over additional properties here, although the declared type does the opposite. */
function shapeOf(schema: Structural): Shape {
  if (schema.properties.size > 0) return new PropertiesShape(schema.properties);
  const values = schema.additionalProperties?.schema;
  return values === undefined ? NO_MEMBERS : mapShape(lazyConverter(values));
}

const NO_MEMBERS: Shape = { hasProperties: false, member: () => undefined, find: () => undefined };

function mapShape(read: Convert): Shape {
  return { hasProperties: false, member: () => read, find: (key) => ({ key, read }) };
}

class PropertiesShape implements Shape {
  readonly hasProperties = true;
  readonly #schemas: ReadonlyMap<string, Structural>;
  /** Members by the names that expressions have used for them. */
  readonly #members = new Map<string, Member>();

  constructor(schemas: ReadonlyMap<string, Structural>) {
    this.#schemas = schemas;
  }

  member(key: string): Convert | undefined {
    const schema = this.#schemas.get(key);
    return schema === undefined ? undefined : converterOf(schema);
  }

  find(name: string): Member | undefined {
    return this.#members.get(name) ?? this.#findFirst(name);
  }

  #findFirst(name: string): Member | undefined {
    const key = unescapeName(name);
    const schema = key === undefined ? undefined : this.#schemas.get(key);
    if (key === undefined || schema === undefined) return undefined;
    const member: Member = { key, read: readerOf(schema) };
    this.#members.set(name, member);
    return member;
  }
}

function arrayReader(schema: Structural): Convert {
  const { items, listType = "" } = schema;
  if (items === undefined) return (data) => (Array.isArray(data) ? arrayWithoutItems() : notAnArray());
  const makeList = listMaker(schema, items);
  if (makeList === undefined) return (data) => (Array.isArray(data) ? unexpectedListType(listType) : notAnArray());
  return (data) => (Array.isArray(data) ? makeList(data) : notAnArray());
}

function listMaker(schema: Structural, items: Structural): ((raw: GoData[]) => ListView) | undefined {
  const convert = lazyConverter(items);
  switch (schema.listType ?? "") {
    case "":
    case "atomic":
      return (raw) => new ListView(raw, convert);
    case "set":
      return (raw) => new SetListView(raw, convert);
    case "map": {
      const keyNames = escapedKeyNames(schema.listMapKeys);
      return (raw) => new MapListView(raw, convert, keyNames);
    }
    default:
      return undefined;
  }
}

function stringReader(format: string): Convert {
  const read = FORMATS.get(format);
  return (data) => {
    if (typeof data !== "string") return unexpectedData("string", goTypeName(data));
    return read === undefined ? data : read(data);
  };
}

const FORMATS: ReadonlyMap<string, (text: string) => Value> = new Map([
  ["duration", readDuration],
  ["date", readDate],
  ["date-time", readDateTime],
  ["byte", readBytes],
]);

function readDuration(text: string): Value {
  const parsed = parseFormattedDuration(text);
  return parsed.error === undefined ? new Duration(parsed.value) : invalidDuration(text, parsed.error);
}

function readDate(text: string): Value {
  const parsed = parseDate(text);
  if (parsed.error !== undefined) return invalidFormatted("date", text, parsed.error);
  return new Timestamp(Number(parsed.value.seconds), parsed.value.nanos);
}

function readDateTime(text: string): Value {
  const parsed = parseDateTime(text);
  if (parsed.error !== undefined) return invalidFormatted("date-time", text, parsed.error);
  return new Timestamp(Number(parsed.value.seconds), parsed.value.nanos, writtenOffset(text));
}

function readBytes(text: string): Value {
  const decoded = decodeBase64(text, "url");
  return decoded.error === undefined ? new Bytes(decoded.value) : invalidFormatted("byte", text, decoded.error);
}

/** Data that is kept without a schema. Expressions cannot reach it, but objects that hold it can be compared. */
class PreservedValue extends OpaqueValue implements SchemaView {
  readonly type = opaqueType("unknown");
  readonly raw: GoData;

  constructor(raw: GoData) {
    super();
    this.raw = raw;
  }

  equalTo(other: Value): boolean {
    return goEqual(this.raw, goData(other));
  }

  override refuseType(): CelError {
    return preservedHasNoType();
  }
}
