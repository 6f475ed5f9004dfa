/** `+ - * / %` and negation: arithmetic on numbers and times, and concatenation. */
import { type FunctionDecl, fn, global, type Overload } from "../types/decl.ts";
import { BYTES, DOUBLE, DURATION, INT, listOf, STRING, TIMESTAMP, type Type, typeParam, UINT } from "../types/type.ts";
import { addInts, divideInts, moduloInts, multiplyInts, negateInt, subtractInts } from "../values/int.ts";
import { concatLists } from "../values/list.ts";
import { addDurations, negateDuration, shiftTimestamp, subtractDurations, timeBetween } from "../values/time.ts";
import { addUints, divideUints, moduloUints, multiplyUints, subtractUints } from "../values/uint.ts";
import { Bytes, CelError, Double, type Duration, type Timestamp, type Value } from "../values/value.ts";
import { typed } from "./typed.ts";

const LIST_OF_A = listOf(typeParam("A"));

// biome-ignore format: a table
export const arithmeticFunctions: readonly FunctionDecl[] = [
  fn("_+_", [
    binary("add_bytes",              BYTES,     BYTES,     BYTES,     concatBytes),
    binary("add_double",             DOUBLE,    DOUBLE,    DOUBLE,    (a: Double, b: Double) => new Double(a.value + b.value)),
    binary("add_duration_duration",  DURATION,  DURATION,  DURATION,  addDurations),
    binary("add_duration_timestamp", DURATION,  TIMESTAMP, TIMESTAMP, (a: Duration, b: Timestamp) => shiftTimestamp(b, a.nanos)),
    binary("add_timestamp_duration", TIMESTAMP, DURATION,  TIMESTAMP, (a: Timestamp, b: Duration) => shiftTimestamp(a, b.nanos)),
    binary("add_int64",              INT,       INT,       INT,       addInts),
    binary("add_list",               LIST_OF_A, LIST_OF_A, LIST_OF_A, concatLists),
    binary("add_string",             STRING,    STRING,    STRING,    (a: string, b: string) => a + b),
    binary("add_uint64",             UINT,      UINT,      UINT,      addUints),
  ], "adds numbers or times; concatenates strings, bytes or lists", "'a' + 'b' == 'ab' && 1 + 2 == 3"),
  fn("_/_", [
    binary("divide_double",          DOUBLE,    DOUBLE,    DOUBLE,    (a: Double, b: Double) => new Double(a.value / b.value)),
    binary("divide_int64",           INT,       INT,       INT,       divideInts),
    binary("divide_uint64",          UINT,      UINT,      UINT,      divideUints),
  ], "divides two numbers; integers are rounded towards zero", "7 / 2 == 3"),
  fn("_%_", [
    binary("modulo_int64",           INT,       INT,       INT,       moduloInts),
    binary("modulo_uint64",          UINT,      UINT,      UINT,      moduloUints),
  ], "returns the remainder of an integer division", "7 % 2 == 1"),
  fn("_*_", [
    binary("multiply_double",        DOUBLE,    DOUBLE,    DOUBLE,    (a: Double, b: Double) => new Double(a.value * b.value)),
    binary("multiply_int64",         INT,       INT,       INT,       multiplyInts),
    binary("multiply_uint64",        UINT,      UINT,      UINT,      multiplyUints),
  ], "multiplies two numbers", "2 * 3 == 6"),
  fn("-_", [
    global("negate_double", [DOUBLE], DOUBLE, typed((value: Double) => new Double(-value.value))),
    global("negate_int64",  [INT],    INT,    typed(negateInt)),
  ], "negates a number", "-(1) < 0"),
  fn("_-_", [
    binary("subtract_double",              DOUBLE,    DOUBLE,    DOUBLE,    (a: Double, b: Double) => new Double(a.value - b.value)),
    binary("subtract_duration_duration",   DURATION,  DURATION,  DURATION,  subtractDurations),
    binary("subtract_int64",               INT,       INT,       INT,       subtractInts),
    binary("subtract_timestamp_duration",  TIMESTAMP, DURATION,  TIMESTAMP, subtractFromTimestamp),
    binary("subtract_timestamp_timestamp", TIMESTAMP, TIMESTAMP, DURATION,  timeBetween),
    binary("subtract_uint64",              UINT,      UINT,      UINT,      subtractUints),
  ], "subtracts numbers or times", "3 - 2 == 1"),
];

function binary<A extends Value, B extends Value>(
  id: string,
  left: Type,
  right: Type,
  result: Type,
  call: (left: A, right: B) => Value,
): Overload {
  return global(id, [left, right], result, typed(call));
}

function concatBytes(left: Bytes, right: Bytes): Bytes {
  const joined = new Uint8Array(left.data.length + right.data.length);
  joined.set(left.data);
  joined.set(right.data, left.data.length);
  return new Bytes(joined);
}

function subtractFromTimestamp(from: Timestamp, span: Duration): Value {
  const back = negateDuration(span);
  return back instanceof CelError ? back : shiftTimestamp(from, back.nanos);
}
