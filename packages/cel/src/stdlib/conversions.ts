/** The conversion functions, `type` and `dyn`. */
import { type FunctionDecl, fn, global, type Overload } from "../types/decl.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  typeParam,
  UINT,
} from "../types/type.ts";
import {
  bytesToString,
  intToTimestamp,
  stringToBool,
  stringToBytes,
  stringToDouble,
  stringToDuration,
  stringToInt,
  stringToTimestamp,
  stringToUint,
} from "../values/conversions.ts";
import { doubleToInt, type Int, normalInt } from "../values/int.ts";
import { conversionError } from "../values/messages.ts";
import { doubleText, durationText, timestampText } from "../values/text.ts";
import { typeOfValue } from "../values/type-of.ts";
import { doubleToUint, intToUint, uintToInt } from "../values/uint.ts";
import {
  Double,
  type Duration,
  OpaqueValue,
  type Timestamp,
  TypeValue,
  type Uint,
  type Value,
} from "../values/value.ts";
import { typed } from "./typed.ts";

const A = typeParam("A");

// biome-ignore format: a table
export const conversionFunctions: readonly FunctionDecl[] = [
  fn("type", [convert("type", A, typeOf(A), toType)], "returns the type of a value", "type(1) == int"),
  fn("bool", [
    convert("bool_to_bool",   BOOL,   BOOL, same),
    convert("string_to_bool", STRING, BOOL, stringToBool),
  ], "converts a string to a bool", "bool('true')"),
  fn("bytes", [
    convert("bytes_to_bytes",  BYTES,  BYTES, same),
    convert("string_to_bytes", STRING, BYTES, stringToBytes),
  ], "converts a string to its UTF-8 bytes", "bytes('a') == b'a'"),
  fn("double", [
    convert("double_to_double", DOUBLE, DOUBLE, same),
    convert("int64_to_double",  INT,    DOUBLE, (value: Int) => new Double(Number(value))),
    convert("string_to_double", STRING, DOUBLE, stringToDouble),
    convert("uint64_to_double", UINT,   DOUBLE, (value: Uint) => new Double(Number(value.value))),
  ], "converts a number or a string to a double", "double('1.5') == 1.5"),
  fn("duration", [
    convert("duration_to_duration", DURATION, DURATION, same),
    convert("int64_to_duration",    INT,      DURATION, refuseIntAsDuration),
    convert("string_to_duration",   STRING,   DURATION, stringToDuration),
  ], "converts a string such as 1h30m to a duration", "duration('1h30m') == duration('90m')"),
  fn("dyn", [convert("to_dyn", A, DYN, same)], "returns the value; the checker does not know its type", "dyn(1) == 1.0"),
  fn("int", [
    convert("int64_to_int64",     INT,       INT, same),
    convert("double_to_int64",    DOUBLE,    INT, (value: Double) => doubleToInt(value.value)),
    convert("duration_to_int64",  DURATION,  INT, (value: Duration) => normalInt(value.nanos)),
    convert("string_to_int64",    STRING,    INT, stringToInt),
    convert("timestamp_to_int64", TIMESTAMP, INT, (value: Timestamp) => value.seconds),
    convert("uint64_to_int64",    UINT,      INT, uintToInt),
  ], "converts a number or a string to an int, a timestamp to seconds since 1970", "int('12') == 12 && int(1.9) == 1"),
  fn("string", [
    convert("string_to_string",    STRING,    STRING, same),
    convert("bool_to_string",      BOOL,      STRING, (value: boolean) => String(value)),
    convert("bytes_to_string",     BYTES,     STRING, bytesToString),
    convert("double_to_string",    DOUBLE,    STRING, (value: Double) => doubleText(value.value)),
    convert("duration_to_string",  DURATION,  STRING, durationText),
    convert("int64_to_string",     INT,       STRING, (value: Int) => String(value)),
    convert("timestamp_to_string", TIMESTAMP, STRING, timestampText),
    convert("uint64_to_string",    UINT,      STRING, (value: Uint) => String(value.value)),
  ], "converts a value to a string", "string(1) == '1'"),
  fn("timestamp", [
    convert("timestamp_to_timestamp", TIMESTAMP, TIMESTAMP, same),
    convert("int64_to_timestamp",     INT,       TIMESTAMP, intToTimestamp),
    convert("string_to_timestamp",    STRING,    TIMESTAMP, stringToTimestamp),
  ], "converts an RFC 3339 string or seconds since 1970 to a timestamp", "timestamp('1970-01-01T00:00:01Z') == timestamp(1)"),
  fn("uint", [
    convert("uint64_to_uint64", UINT,   UINT, same),
    convert("double_to_uint64", DOUBLE, UINT, (value: Double) => doubleToUint(value.value)),
    convert("int64_to_uint64",  INT,    UINT, intToUint),
    convert("string_to_uint64", STRING, UINT, stringToUint),
  ], "converts a number or a string to a uint", "uint('1') == 1u"),
];

function convert<From extends Value>(id: string, from: Type, to: Type, call: (value: From) => Value): Overload {
  return global(id, [from], to, typed(call));
}

function toType(value: Value): Value {
  const refusal = value instanceof OpaqueValue ? value.refuseType() : undefined;
  return refusal ?? new TypeValue(typeOfValue(value));
}

function same(value: Value): Value {
  return value;
}

// Declared but not implemented upstream.
function refuseIntAsDuration(): Value {
  return conversionError("int", "google.protobuf.Duration");
}
