import { expect, test } from "vitest";
import * as strconv from "./strconv.ts";

// biome-ignore format: a table
test.each([
  [0, "0"], [-0, "-0"], [1, "1"], [100000, "100000"], [999999, "999999"], [1e6, "1e+06"], [123456789, "1.23456789e+08"],
  [1.5, "1.5"], [0.1, "0.1"], [0.0001, "0.0001"], [0.00001, "1e-05"], [1e21, "1e+21"], [5e-324, "5e-324"],
  [1.7976931348623157e308, "1.7976931348623157e+308"], [-123.456, "-123.456"], [1e20, "1e+20"],
  [Number.NaN, "NaN"], [Number.POSITIVE_INFINITY, "+Inf"], [Number.NEGATIVE_INFINITY, "-Inf"],
])("%%v of %d is %s", (value, text) => {
  expect(strconv.formatV(value)).toBe(text);
});

// biome-ignore format: a table
test.each([
  { value: 2.5,        format: "f", precision: 0,  bits: 64, text: "2" },
  { value: 3.5,        format: "f", precision: 0,  bits: 64, text: "4" },
  { value: 0.5,        format: "f", precision: 0,  bits: 64, text: "0" },
  { value: 0.6,        format: "f", precision: 0,  bits: 64, text: "1" },
  { value: 1.005,      format: "f", precision: 2,  bits: 64, text: "1.00" },
  { value: 1e23,       format: "f", precision: -1, bits: 64, text: "100000000000000000000000" },
  { value: 1e-7,       format: "f", precision: -1, bits: 64, text: "0.0000001" },
  { value: 1234.5678,  format: "e", precision: 3,  bits: 64, text: "1.235e+03" },
  { value: 0,          format: "e", precision: 2,  bits: 64, text: "0.00e+00" },
  { value: 0,          format: "e", precision: -1, bits: 64, text: "0e+00" },
  { value: 9.9999,     format: "e", precision: 2,  bits: 64, text: "1.00e+01" },
  { value: 100,        format: "g", precision: 2,  bits: 64, text: "1e+02" },
  { value: 100,        format: "g", precision: 3,  bits: 64, text: "100" },
  { value: 0.1,        format: "f", precision: 20, bits: 64, text: "0.10000000000000000555" },
  { value: 0.1,        format: "g", precision: 17, bits: 64, text: "0.10000000000000001" },
  { value: Math.fround(0.1),  format: "g", precision: -1, bits: 32, text: "0.1" },
  { value: Math.fround(16777216), format: "g", precision: -1, bits: 32, text: "1.6777216e+07" },
  { value: 2 ** 87,    format: "e", precision: -1, bits: 32, text: "1.5474251e+26" },
  { value: 2 ** -12,   format: "e", precision: -1, bits: 32, text: "2.4414063e-04" },
] as const)("$value as $format with $precision digits in $bits bits is $text", ({ value, format, precision, bits, text }) => {
  expect(strconv.formatFloat(value, format, precision, bits)).toBe(text);
});

// biome-ignore format: a table
test.each([
  { text: "0",       base: 10, bits: 64, value: 0n },
  { text: "-12",     base: 10, bits: 64, value: -12n },
  { text: "+7",      base: 10, bits: 64, value: 7n },
  { text: "9223372036854775807",  base: 10, bits: 64, value: 9223372036854775807n },
  { text: "-9223372036854775808", base: 10, bits: 64, value: -9223372036854775808n },
  { text: "0x_1F",   base: 0,  bits: 64, value: 31n },
  { text: "0b101",   base: 0,  bits: 64, value: 5n },
  { text: "017",     base: 0,  bits: 64, value: 15n },
  { text: "1_000",   base: 0,  bits: 64, value: 1000n },
  { text: "ff",      base: 16, bits: 64, value: 255n },
  { text: "z",       base: 36, bits: 8,  value: 35n },
  { text: "-128",    base: 10, bits: 8,  value: -128n },
] as const)("ParseInt($text, $base, $bits)", ({ text, base, bits, value }) => {
  expect(strconv.parseInt(text, base, bits)).toEqual({ value });
});

// biome-ignore format: a table
test.each([
  { text: "",        base: 10, bits: 64, problem: "invalid syntax" },
  { text: "-",       base: 10, bits: 64, problem: "invalid syntax" },
  { text: "+-1",     base: 10, bits: 64, problem: "invalid syntax" },
  { text: "1 ",      base: 10, bits: 64, problem: "invalid syntax" },
  { text: "1_000",   base: 10, bits: 64, problem: "invalid syntax" },
  { text: "1__0",    base: 0,  bits: 64, problem: "invalid syntax" },
  { text: "0x",      base: 0,  bits: 64, problem: "invalid syntax" },
  { text: "٣",       base: 10, bits: 64, problem: "invalid syntax" },
  { text: "128",     base: 10, bits: 8,  problem: "value out of range" },
  { text: "9223372036854775808",   base: 10, bits: 64, problem: "value out of range" },
  { text: "99999999999999999999x", base: 10, bits: 64, problem: "value out of range" },
  { text: "1",       base: 1,  bits: 64, problem: "invalid base 1" },
] as const)("ParseInt refuses $text with $problem", ({ text, base, bits, problem }) => {
  expect(strconv.parseInt(text, base, bits)).toEqual({ error: `strconv.ParseInt: parsing "${text}": ${problem}` });
});

test("ParseUint takes no sign and reaches 2^64-1", () => {
  expect(strconv.parseUint("18446744073709551615", 10, 64)).toEqual({ value: 18446744073709551615n });
  expect(strconv.parseUint("18446744073709551616", 10, 64)).toEqual({
    error: 'strconv.ParseUint: parsing "18446744073709551616": value out of range',
  });
  expect(strconv.parseUint("-1", 10, 64)).toEqual({ error: 'strconv.ParseUint: parsing "-1": invalid syntax' });
  expect(strconv.parseUint("+1", 10, 64)).toEqual({ error: 'strconv.ParseUint: parsing "+1": invalid syntax' });
});

test("Atoi has its own name in errors", () => {
  expect(strconv.atoi("12")).toEqual({ value: 12n });
  expect(strconv.atoi("x\n")).toEqual({ error: 'strconv.Atoi: parsing "x\\n": invalid syntax' });
});

// biome-ignore format: a table
test.each([
  ["1", 1], ["-1.5e3", -1500], [".5", 0.5], ["5.", 5], ["1e400000", undefined], ["1e-400", 0], ["0x1p-2", 0.25],
  ["0x1.8p1", 3], ["1_0.5", 10.5], ["inf", Number.POSITIVE_INFINITY], ["+Infinity", Number.POSITIVE_INFINITY],
  ["-INF", Number.NEGATIVE_INFINITY], ["nan", Number.NaN], ["-0", -0], ["0x1p1024", undefined],
] as const)("ParseFloat(%s) is %d", (text, value) => {
  const expected = value === undefined
    ? { error: `strconv.ParseFloat: parsing "${text}": value out of range` }
    : { value };
  expect(strconv.parseFloat(text, 64)).toEqual(expected);
});

test.each(["", ".", "e5", "1e", "0x1", "1__0", "_1", "1.2.3", "infin", "-nan", " 1", "1f"])(
  "ParseFloat refuses %j",
  (text) => {
    expect(strconv.parseFloat(text, 64)).toEqual({ error: `strconv.ParseFloat: parsing "${text}": invalid syntax` });
  },
);

test("ParseFloat to 32 bits rounds once", () => {
  expect(strconv.parseFloat("0.1", 32)).toEqual({ value: Math.fround(0.1) });
  // Just above the middle between two floats, but equal to it as a float64.
  expect(strconv.parseFloat("16777217.0000000001", 32)).toEqual({ value: 16777218 });
  expect(strconv.parseFloat("3.5e38", 32).error).toBe('strconv.ParseFloat: parsing "3.5e38": value out of range');
});

test("ParseBool accepts twelve spellings", () => {
  for (const text of ["1", "t", "T", "true", "TRUE", "True"]) expect(strconv.parseBool(text)).toEqual({ value: true });
  for (const text of ["0", "f", "F", "false", "FALSE", "False"])
    expect(strconv.parseBool(text)).toEqual({ value: false });
  expect(strconv.parseBool("yes")).toEqual({ error: 'strconv.ParseBool: parsing "yes": invalid syntax' });
});
