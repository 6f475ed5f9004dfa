import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonValue } from "../value/json.testing.ts";
import { typedText } from "../value/typed-text.testing.ts";
import { decodeJson, decodeJsonStream, encodeJson } from "./json.ts";

// What sigs.k8s.io/json answers.
// biome-ignore format: a table
describe("errors are Go's", () => {
  test.each([
    { text: "", error: "unexpected end of JSON input" },
    { text: "  ", error: "unexpected end of JSON input" },
    { text: "nul", error: "invalid character ' ' in literal null (expecting 'l')" },
    { text: "tru", error: "invalid character ' ' in literal true (expecting 'e')" },
    { text: "t", error: "invalid character ' ' in literal true (expecting 'r')" },
    { text: "-", error: "invalid character ' ' in numeric literal" },
    { text: "-a", error: "invalid character 'a' in numeric literal" },
    { text: "1.", error: "invalid character ' ' after decimal point in numeric literal" },
    { text: "1.x", error: "invalid character 'x' after decimal point in numeric literal" },
    { text: "1e", error: "invalid character ' ' in exponent of numeric literal" },
    { text: "1e+", error: "invalid character ' ' in exponent of numeric literal" },
    { text: "01", error: "invalid character '1' after top-level value" },
    { text: ".5", error: "invalid character '.' looking for beginning of value" },
    { text: "+1", error: "invalid character '+' looking for beginning of value" },
    { text: "\"abc", error: "unexpected end of JSON input" },
    { text: "\"a\nb\"", error: "invalid character '\\n' in string literal" },
    { text: "\"\\x\"", error: "invalid character 'x' in string escape code" },
    { text: "\"\\u12g4\"", error: "invalid character 'g' in \\u hexadecimal character escape" },
    { text: "\"\\", error: "invalid character ' ' in string escape code" },
    { text: "{\"a\"", error: "unexpected end of JSON input" },
    { text: "{\"a\" 1}", error: "invalid character '1' after object key" },
    { text: "{\"a\":1 \"b\"}", error: "invalid character '\"' after object key:value pair" },
    { text: "{\"a\":1,}", error: "invalid character '}' looking for beginning of object key string" },
    { text: "{a:1}", error: "invalid character 'a' looking for beginning of object key string" },
    { text: "[1 2]", error: "invalid character '2' after array element" },
    { text: "[1,]", error: "invalid character ']' looking for beginning of value" },
    { text: "[", error: "unexpected end of JSON input" },
    { text: "{}x", error: "invalid character 'x' after top-level value" },
    { text: "é", error: "invalid character 'Ã' looking for beginning of value" },
    { text: "\u0001", error: "invalid character '\\x01' looking for beginning of value" },
    { text: "'", error: "invalid character '\\'' looking for beginning of value" },
    { text: "{\"a\":1}}", error: "invalid character '}' after top-level value" },
    { text: "// c", error: "invalid character '/' looking for beginning of value" },
    { text: "1e999", error: "json: cannot unmarshal number 1e999 into Go value of type float64" },
    { text: "[1e999,", error: "unexpected end of JSON input" },
    { text: "-1e999", error: "json: cannot unmarshal number -1e999 into Go value of type float64" },
  ])("$text", ({ text, error }) => {
    expect(decodeJson(text).error).toBe(error);
    expect(decodeJson(bytesOf(text)).error).toBe(error);
  });
});

// biome-ignore format: a table
describe("values distinguish int64 from float64", () => {
  test.each([
    { text: "9223372036854775807", value: "i9223372036854775807", strict: [] },
    { text: "9223372036854775808", value: "f9.223372036854776e+18", strict: [] },
    { text: "-9223372036854775808", value: "i-9223372036854775808", strict: [] },
    { text: "-9223372036854775809", value: "f-9.223372036854776e+18", strict: [] },
    { text: "1.0", value: "f1", strict: [] },
    { text: "1e3", value: "f1000", strict: [] },
    { text: "-0", value: "i0", strict: [] },
    { text: "-0.0", value: "f-0", strict: [] },
    { text: "1e-400", value: "f0", strict: [] },
    { text: "0.1", value: "f0.1", strict: [] },
    { text: "\"\\ud83d\\ude00\"", value: "\"😀\"", strict: [] },
    { text: "\"\\ud800x\"", value: "\"�x\"", strict: [] },
    { text: "\"\\udc00\\ud83d\\ude00\"", value: "\"�😀\"", strict: [] },
    { text: "{\"a\":1,\"a\":2}", value: "{\"a\":i2}", strict: ["duplicate field \"a\""] },
    { text: "{\"a\":{\"b\":1,\"b\":2,\"b\":3}}", value: "{\"a\":{\"b\":i3}}", strict: ["duplicate field \"a.b\""] },
    { text: "{\"a\":[{\"b\":1},{\"b\":1,\"b\":2}]}", value: "{\"a\":[{\"b\":i1},{\"b\":i2}]}", strict: ["duplicate field \"a[1].b\""] },
    { text: "[[{\"x\":1,\"x\":2}]]", value: "[[{\"x\":i2}]]", strict: ["duplicate field \"[0][0].x\""] },
    { text: "{\"\":{\"a\":1,\"a\":2}}", value: "{\"\":{\"a\":i2}}", strict: ["duplicate field \".a\""] },
    { text: "{\"q\\\"\":1,\"q\\\"\":2}", value: "{\"q\\\"\":i2}", strict: ["duplicate field \"q\\\"\""] },
    { text: "{\"__proto__\":1,\"constructor\":2}", value: "{\"__proto__\":i1,\"constructor\":i2}", strict: [] },
  ])("$text", ({ text, value, strict }) => {
    const decoded = decodeJson(text, { duplicates: true });
    expect(decoded).toMatchObject({ strictErrors: strict });
    expect(decoded.error === undefined && typedText(decoded.value)).toBe(value);
  });
});

test("duplicates are reported only on request", () => {
  expect(decodeJson('{"a":1,"a":2}')).toMatchObject({ strictErrors: [] });
});

test("at most a hundred duplicates are reported", () => {
  const fields = Array.from({ length: 150 }, (_, i) => `"k${i}":1,"k${i}":2`);
  const decoded = decodeJson(`{${fields.join(",")}}`, { duplicates: true });
  expect(decoded.error === undefined && decoded.strictErrors).toHaveLength(100);
});

test("invalid bytes become U+FFFD inside strings and are reported elsewhere", () => {
  expect(decodeJson(Uint8Array.of(0x22, 0xff, 0xc3, 0x22))).toMatchObject({ value: "\ufffd\ufffd" });
  expect(decodeJson(Uint8Array.of(0x22, 0xff, 0x22, 0xfe))).toEqual({
    error: "invalid character 'þ' after top-level value",
    offset: 3,
  });
});

test("an encoded value decodes to the same value", () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const decoded = decodeJson(encodeJson(value), { duplicates: true });
      expect(decoded.error).toBeUndefined();
      // An integral float64 is written without a fraction, so it is the text that survives a round trip.
      if (decoded.error === undefined) expect(encodeJson(decoded.value)).toBe(encodeJson(value));
    }),
  );
});

describe("hostile input", () => {
  test("the nesting limit equals Go's", () => {
    expect(decodeJson("[".repeat(10_000) + "]".repeat(10_000)).error).toBeUndefined();
    expect(decodeJson("[".repeat(10_001)).error).toBe("invalid character '[' exceeded max depth");
    expect(decodeJson('{"a":'.repeat(3_000_000 / 5)).error).toBe("invalid character '{' exceeded max depth");
    expect(decodeJson("[[[]]]", { maxDepth: 2 }).error).toBe("invalid character '[' exceeded max depth");
  });

  test("many keys and long numbers take bounded time", () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join(",");
    expect(decodeJson(`{${keys}}`, { duplicates: true }).error).toBeUndefined();
    expect(decodeJson("9".repeat(1_000_000)).error).toMatch(/^json: cannot unmarshal number 9+ into/);
  });
});

test("a stream is decoded document by document until one fails", () => {
  const stream = decodeJsonStream('{"a":1}\n{"b":2} [');
  expect(stream.map(({ offset }) => offset)).toEqual([0, 8, 16]);
  expect(stream.map(({ document }) => document.error)).toEqual([undefined, undefined, "unexpected end of JSON input"]);
});

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
