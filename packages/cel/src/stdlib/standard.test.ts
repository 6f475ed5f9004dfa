/** Answers recorded from cel-go with the libraries Kubernetes enables. */
import { describe, expect, test } from "vitest";
import { evaluateToText } from "../ext/evaluate.testing.ts";
import { standardLibrary } from "./standard.ts";

describe("arithmetic", () => {
  test.each([
    ["9223372036854775807 + 1", "integer overflow"],
    ["-9223372036854775808 - 1", "integer overflow"],
    ["9223372036854775807 * 2", "integer overflow"],
    ["-9223372036854775808 / -1", "integer overflow"],
    ["-9223372036854775808 % -1", "integer overflow"],
    ["-(-9223372036854775808)", "integer overflow"],
    ["9007199254740991 + 1", "9007199254740992"],
    ["3037000500 * 3037000500", "integer overflow"],
    ["-7 / 2", "-3"],
    ["-7 % 2", "-1"],
    ["7 / 0", "division by zero"],
    ["7 % 0", "modulus by zero"],
    ["7u / 0u", "division by zero"],
    ["7u % 0u", "modulus by zero"],
    ["1u - 2u", "unsigned integer overflow"],
    ["18446744073709551615u + 1u", "unsigned integer overflow"],
    ["18446744073709551615u * 2u", "unsigned integer overflow"],
    ["1.0 / 0.0", 'double("Infinity")'],
    ["duration('9223372036s') + duration('9223372036s')", "integer overflow"],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", "timestamp overflow"],
    ["timestamp('0001-01-01T00:00:00Z') - duration('1ns')", "timestamp overflow"],
    ["timestamp('2024-01-01T00:00:00.9Z') + duration('200ms')", 'timestamp("2024-01-01T00:00:01.1Z")'],
    ["timestamp('1969-12-31T23:59:59.5Z') - duration('1s')", 'timestamp("1969-12-31T23:59:58.5Z")'],
    ["timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')", "integer overflow"],
    ["timestamp('2024-01-01T00:00:00Z') - timestamp('2023-12-31T00:00:00.5Z')", 'duration("86399.5s")'],
    ["b'ab' + b'c'", 'b"\\141\\142\\143"'],
  ])("%s is %s", (expression, expected) => {
    expect(evaluateToText(expression)).toBe(expected);
  });
});

describe("comparison and collections", () => {
  test.each([
    ["dyn(1) == dyn(1.0)", "true"],
    ["dyn(1) == dyn(1u)", "true"],
    ["dyn(9007199254740993) == dyn(9007199254740992.0)", "true"],
    ["dyn('a') == dyn(1)", "false"],
    ["double('NaN') == double('NaN')", "false"],
    ["[double('NaN')] == [double('NaN')]", "false"],
    ["dyn({1: 'a'}) == dyn({1u: 'a'})", "true"],
    ["dyn({1.0: 'a'}) == dyn({1: 'a'})", "true"],
    ["null == null", "true"],
    ["optional.of(1) == optional.of(2)", "false"],
    ["type(1) == int", "true"],
    ["type([1]) == list", "true"],
    ["type({}) == type({'a': 1})", "true"],
    ["1 < 1.5", "true"],
    ["1u > -1", "true"],
    ["double('NaN') < 1.0", "NaN values cannot be ordered"],
    ["'\\ud7ff' < '🛡'", "true"],
    ["'\\uffff' < '🛡'", "true"],
    ["b'a' < b'ab'", "true"],
    ["false < true", "true"],
    ["duration('1s') < duration('2s')", "true"],
    ["2 in [1, 2]", "true"],
    ["dyn(2.0) in [1, 2]", "true"],
    ["'a' in {'a': 1}", "true"],
    ["dyn(1u) in {1: 'a'}", "true"],
    ["size('a🛡')", "2"],
    ["size(b'abc')", "3"],
    ["[1, 2].size()", "2"],
    ["{'a': 1}.size()", "1"],
    ["'abc'.matches('^a.c$')", "true"],
    ["'abc'.matches(dyn('['))", "error parsing regexp: missing closing ]: `[`"],
  ])("%s is %s", (expression, expected) => {
    expect(evaluateToText(expression)).toBe(expected);
  });
});

describe("conversions", () => {
  test.each([
    ["int('12')", "12"],
    ["int('1.5')", "type conversion error from 'string' to 'int'"],
    ["int(' 1')", "type conversion error from 'string' to 'int'"],
    ["int('9223372036854775808')", "type conversion error from 'string' to 'int'"],
    ["int(1.9)", "1"],
    ["int(-1.9)", "-1"],
    ["int(9223372036854775807.0)", "integer overflow"],
    ["int(double('NaN'))", "integer overflow"],
    ["int(18446744073709551615u)", "integer overflow"],
    ["int(duration('1.5s'))", "1500000000"],
    ["int(timestamp('1970-01-01T00:00:01.9Z'))", "1"],
    ["uint(-1)", "unsigned integer overflow"],
    ["uint('12')", "12u"],
    ["uint(-0.5)", "unsigned integer overflow"],
    ["uint(18446744073709551616.0)", "unsigned integer overflow"],
    ["double('1e400')", "type conversion error from 'string' to 'double'"],
    ["double('0x1p-2')", "0.25"],
    ["double('inf')", 'double("Infinity")'],
    ["double(9223372036854775807)", "9223372036854776000.0"],
    ["bool('t')", "true"],
    ["bool('yes')", "type conversion error from 'string' to 'bool'"],
    ["string(1e21)", '"1e+21"'],
    ["string(1e20)", '"1e+20"'],
    ["string(100000.0)", '"100000"'],
    ["string(0.00001)", '"1e-05"'],
    ["string(-0.0)", '"-0"'],
    ["string(1.0/0.0)", '"+Inf"'],
    ["string(b'\\xff')", "invalid UTF-8 in bytes, cannot convert to string"],
    ["string(duration('1h30m'))", '"5400s"'],
    ["string(duration('1ns'))", '"0.000000001s"'],
    ["string(timestamp('2024-01-01T00:00:00.120+01:30'))", '"2024-01-01T00:00:00.12+01:30"'],
    ["string(timestamp('2024-01-01T00:00:00-00:00'))", '"2024-01-01T00:00:00Z"'],
    ["duration(dyn('1x'))", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ["duration(dyn(1))", "no such overload: duration(int)"],
    ["timestamp(dyn('2024-01-01'))", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
    ["timestamp(dyn(253402300800))", "timestamp overflow"],
    ["timestamp(dyn('0000-01-01T00:00:00Z'))", "timestamp overflow"],
  ])("%s is %s", (expression, expected) => {
    expect(evaluateToText(expression)).toBe(expected);
  });
});

describe("calendar fields", () => {
  test.each([
    ["timestamp('2023-07-14T10:30:45.123Z').getFullYear()", "2023"],
    ["timestamp('2023-07-14T10:30:45.123Z').getMonth()", "6"],
    ["timestamp('2023-07-14T10:30:45.123Z').getDayOfYear()", "194"],
    ["timestamp('2023-07-14T10:30:45.123Z').getDayOfMonth()", "13"],
    ["timestamp('2023-07-14T10:30:45.123Z').getDate()", "14"],
    ["timestamp('2023-07-14T10:30:45.123Z').getDayOfWeek()", "5"],
    ["timestamp('2023-07-14T10:30:45.123Z').getHours('America/Los_Angeles')", "3"],
    ["timestamp('2023-07-14T10:30:45.123Z').getMinutes('+05:45')", "15"],
    ["timestamp('2023-07-14T10:30:45.123Z').getHours('-00:45')", "9"],
    ["timestamp('2023-07-14T10:30:45.123Z').getSeconds('')", "45"],
    ["timestamp('2023-07-14T10:30:45.123Z').getMilliseconds('UTC')", "123"],
    ["timestamp('2023-07-14T10:30:45.123Z').getHours('Mars/Base')", "unknown time zone Mars/Base"],
    ["timestamp('2023-07-14T10:30:45.123Z').getHours('a:00')", 'strconv.Atoi: parsing "a": invalid syntax'],
    ["timestamp('2023-07-14T10:30:45.123Z').getHours('1:b')", 'strconv.Atoi: parsing "b": invalid syntax'],
    ["timestamp('2023-07-14T10:30:45.123+14:00').getDate()", "13"],
    ["duration('3723.456s').getHours()", "1"],
    ["duration('3723.456s').getMinutes()", "62"],
    ["duration('-3723.456s').getSeconds()", "-3723"],
    ["duration('3723.456s').getMilliseconds()", "3723456"],
    ["duration('2562046h59m59.999999999s').getHours()", "2562047"],
  ])("%s is %s", (expression, expected) => {
    expect(evaluateToText(expression)).toBe(expected);
  });
});

test("every overload id is declared once", () => {
  const ids = (standardLibrary("0.29").functions ?? []).flatMap(({ overloads }) => overloads.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(162);
});
