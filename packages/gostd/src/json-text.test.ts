import { expect, test } from "vitest";
import { jsonFloat, jsonString } from "./json-text.ts";

// biome-ignore format: a table
test.each([
  { text: "plain",              html: '"plain"',                           bare: '"plain"' },
  { text: 'q"\\/',              html: '"q\\"\\\\/"',                       bare: '"q\\"\\\\/"' },
  { text: "\b\f\n\r\t\v\0\x1f", html: '"\\b\\f\\n\\r\\t\\u000b\\u0000\\u001f"', bare: '"\\b\\f\\n\\r\\t\\u000b\\u0000\\u001f"' },
  { text: "<a&b>",              html: '"\\u003ca\\u0026b\\u003e"',         bare: '"<a&b>"' },
  { text: "\u2028\u2029",       html: '"\\u2028\\u2029"',                  bare: '"\\u2028\\u2029"' },
  { text: "é😀\x7f",            html: '"é😀\x7f"',                         bare: '"é😀\x7f"' },
  { text: "a\ud800",            html: '"a\ufffd"',                         bare: '"a\ufffd"' },
])("$text is written as Go writes it", ({ text, html, bare }) => {
  expect(jsonString(text, { escapeHtml: true })).toBe(html);
  expect(jsonString(text, { escapeHtml: false })).toBe(bare);
});

// biome-ignore format: a table
test.each([
  [0, "0"], [-0, "-0"], [1, "1"], [1.5, "1.5"], [1e20, "100000000000000000000"], [1e21, "1e+21"], [1e-6, "0.000001"],
  [1e-7, "1e-7"], [1e-10, "1e-10"], [-1.5e-9, "-1.5e-9"], [123456789, "123456789"], [1.7976931348623157e308, "1.7976931348623157e+308"],
])("%d is written as %s", (value, text) => {
  expect(jsonFloat(value)).toBe(text);
});

test("float32 has its own digits and thresholds", () => {
  expect(jsonFloat(Math.fround(0.1), 32)).toBe("0.1");
  expect(jsonFloat(Math.fround(1e-6), 32)).toBe("0.000001");
});
