import { describe, expect, test } from "vitest";
import {
  addQuantities,
  asApproximateFloat,
  asInteger,
  compareQuantities,
  formatQuantity,
  isIntegerQuantity,
  negate,
  parseQuantity,
  type Quantity,
  signOf,
  subtractQuantities,
} from "./quantity.ts";

const MALFORMED = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

// What apimachinery answers.
// biome-ignore format: a table
describe("parsing", () => {
  test.each([
    { text: "0", printed: "0", format: "DecimalSI", negated: "0", integer: 0n, float: 0 },
    { text: "00", printed: "0", format: "DecimalSI", negated: "0", integer: 0n, float: 0 },
    { text: ".", printed: "0", format: "DecimalSI", negated: "0", integer: 0n, float: 0 },
    { text: "+", printed: "0", format: "DecimalSI", negated: "0", integer: 0n, float: 0 },
    { text: "-", printed: "0", format: "DecimalSI", negated: "0", integer: 0n, float: 0 },
    { text: "+1", printed: "+1", format: "DecimalSI", negated: "-1", integer: 1n, float: 1 },
    { text: "1", printed: "1", format: "DecimalSI", negated: "-1", integer: 1n, float: 1 },
    { text: "1.5", printed: "1500m", format: "DecimalSI", negated: "-1500m", integer: undefined, float: 1.5 },
    { text: "0.1m", printed: "100u", format: "DecimalSI", negated: "-100u", integer: undefined, float: 0.0001 },
    { text: "1.5Gi", printed: "1536Mi", format: "BinarySI", negated: "-1536Mi", integer: undefined, float: 1.610612736e+09 },
    { text: "1Ki", printed: "1Ki", format: "BinarySI", negated: "-1Ki", integer: 1024n, float: 1024 },
    { text: "1024", printed: "1024", format: "DecimalSI", negated: "-1024", integer: 1024n, float: 1024 },
    { text: "1024Ki", printed: "1Mi", format: "BinarySI", negated: "-1Mi", integer: 1048576n, float: 1.048576e+06 },
    { text: "2048Ki", printed: "2Mi", format: "BinarySI", negated: "-2Mi", integer: 2097152n, float: 2.097152e+06 },
    { text: "1.1Ki", printed: "1126400m", format: "BinarySI", negated: "-1126400m", integer: undefined, float: 1126.4 },
    { text: "0.5Ki", printed: "512", format: "BinarySI", negated: "-512", integer: undefined, float: 512 },
    { text: "1e3", printed: "1e3", format: "DecimalExponent", negated: "-1e3", integer: 1000n, float: 1000 },
    { text: "1E", printed: "1E", format: "DecimalSI", negated: "-1E", integer: 1000000000000000000n, float: 1e+18 },
    { text: "12e6", printed: "12e6", format: "DecimalExponent", negated: "-12e6", integer: 12000000n, float: 1.2e+07 },
    { text: "1000E", printed: "1", format: "DecimalSI", negated: "-1", integer: undefined, float: 1e+21 },
    { text: "1e-10", printed: "1e-9", format: "DecimalExponent", negated: "-1e-9", integer: undefined, float: 1e-09 },
    { text: "-1", printed: "-1", format: "DecimalSI", negated: "1", integer: -1n, float: -1 },
    { text: "-0.00000000001", printed: "-1n", format: "DecimalSI", negated: "1n", integer: undefined, float: -1e-09 },
    { text: "100m", printed: "100m", format: "DecimalSI", negated: "-100m", integer: undefined, float: 0.1 },
    { text: "1000m", printed: "1", format: "DecimalSI", negated: "-1", integer: undefined, float: 1 },
    { text: "1.25", printed: "1250m", format: "DecimalSI", negated: "-1250m", integer: undefined, float: 1.25 },
    { text: "Ki", printed: "0", format: "BinarySI", negated: "0", integer: 0n, float: 0 },
    { text: "e3", printed: "0", format: "DecimalExponent", negated: "0", integer: 0n, float: 0 },
    { text: "9223372036854775807", printed: "9223372036854775807", format: "DecimalSI", negated: "-9223372036854775807", integer: undefined, float: 9.223372036854776e+18 },
    { text: "9223372036854775808", printed: "9223372036854775808", format: "DecimalSI", negated: "-9223372036854775808", integer: undefined, float: 9.223372036854776e+18 },
    { text: "99999999999999Ei", printed: "9223372036854775807", format: "BinarySI", negated: "-9223372036854775807", integer: undefined, float: 9.223372036854776e+18 },
    { text: "1e2147483647", printed: "10e2147483646", format: "DecimalExponent", negated: "-10e2147483646", integer: undefined, float: Number.POSITIVE_INFINITY },
    { text: "1e4294967299", printed: "1e4294967299", format: "DecimalExponent", negated: "-1e3", integer: 1000n, float: 1000 },
    { text: "12345678901234567890.5", printed: "12345678901234567890500m", format: "DecimalSI", negated: "-12345678901234567890500m", integer: undefined, float: 1.234567890123457e+19 },
  ])("$text prints as $printed", ({ text, printed, format, negated, integer, float }) => {
    const quantity = parse(text);
    expect(formatQuantity(quantity)).toBe(printed);
    expect(quantity.format).toBe(format);
    expect(formatQuantity(negate(quantity))).toBe(negated);
    expect(asInteger(quantity)).toBe(integer);
    expect(isIntegerQuantity(quantity)).toBe(integer !== undefined);
    expect(asApproximateFloat(quantity)).toBe(float);
    expect(signOf(quantity)).toBe(Math.sign(float));
  });

  test.each([
    { text: "", error: MALFORMED },
    { text: "1Kii", error: "unable to parse quantity's suffix" },
    { text: "1 ", error: MALFORMED },
    { text: "1.2.3", error: MALFORMED },
    { text: "1e", error: "unable to parse quantity's suffix" },
    { text: "abc", error: MALFORMED },
    { text: "0x1", error: MALFORMED },
    { text: "1_0", error: MALFORMED },
    { text: "Pi", error: "unable to parse numeric part of quantity" },
  ])("$text is refused", ({ text, error }) => {
    expect(parseQuantity(text)).toEqual({ error });
  });
});

// biome-ignore format: a table
describe("arithmetic", () => {
  test.each([
    { a: "1", b: "500m", sum: "1500m", difference: "500m", order: 1 },
    { a: "1Gi", b: "1G", sum: "2073741824", difference: "73741824", order: 1 },
    { a: "0", b: "1Ki", sum: "1Ki", difference: "-1Ki", order: -1 },
    { a: "1", b: "1000m", sum: "2", difference: "0", order: 0 },
    { a: "9223372036854775807", b: "1", sum: "9223372036854775808", difference: "9223372036854775806", order: 1 },
    { a: "-1", b: "1", sum: "0", difference: "-2", order: -1 },
    { a: "1.5", b: "1.5", sum: "3", difference: "0", order: 0 },
    { a: "100n", b: "1", sum: "1000000100n", difference: "-999999900n", order: -1 },
  ])("$a and $b", ({ a, b, sum, difference, order }) => {
    expect(formatQuantity(addQuantities(parse(a), parse(b)))).toBe(sum);
    expect(formatQuantity(subtractQuantities(parse(a), parse(b)))).toBe(difference);
    expect(compareQuantities(parse(a), parse(b))).toBe(order);
  });
});

describe("hostile exponents", () => {
  test.each(["1e2147483647", "1e-2147483648", "12345678901234567890e2147483647", "-1e2000000000"])(
    "%s costs little",
    (text) => {
      const quantity = parse(text);
      const one = parse("1");
      const order = compareQuantities(quantity, one);
      expect(compareQuantities(one, quantity)).toBe(0 - order);
      expect(signOf(addQuantities(quantity, one))).toBe(text.startsWith("-") ? -1 : 1);
      expect(formatQuantity(subtractQuantities(quantity, one)).length).toBeLessThan(100);
    },
  );
});

function parse(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed.error !== undefined) throw new Error(parsed.error);
  return parsed.value;
}

test("a text is a quantity as the expression of the message and Go's steps have it", () => {
  const shape = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
  const letters = ["0", "1", ".", "-", "K", "i", "e", "!"];
  for (let seed = 0; seed < 8 ** 5; seed++) {
    const text = [0, 1, 2, 3, 4].map((at) => letters[Math.floor(seed / 8 ** at) % 8]).join("");
    expect(parseQuantity(text).error === MALFORMED, text).toBe(!shape.test(text));
  }
});
