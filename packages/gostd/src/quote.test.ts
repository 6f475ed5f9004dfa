import { expect, test } from "vitest";
import { isGraphic, isPrint, quote, quoteBytes, quoteRune, quoteToAscii, unquote } from "./quote.ts";

// biome-ignore format: a table
test.each([
  { text: "",                quoted: '""',                    ascii: '""' },
  { text: "plain text",      quoted: '"plain text"',          ascii: '"plain text"' },
  { text: 'a"b\\c',          quoted: '"a\\"b\\\\c"',          ascii: '"a\\"b\\\\c"' },
  { text: "\x07\b\f\n\r\t\v", quoted: '"\\a\\b\\f\\n\\r\\t\\v"', ascii: '"\\a\\b\\f\\n\\r\\t\\v"' },
  { text: "\0\x1f\x7f",      quoted: '"\\x00\\x1f\\x7f"',     ascii: '"\\x00\\x1f\\x7f"' },
  { text: "é中😀",           quoted: '"é中😀"',               ascii: '"\\u00e9\\u4e2d\\U0001f600"' },
  { text: "\u00a0\u200b\ufeff", quoted: '"\\u00a0\\u200b\\ufeff"', ascii: '"\\u00a0\\u200b\\ufeff"' },
  { text: "\u{e0001}",       quoted: '"\\U000e0001"',         ascii: '"\\U000e0001"' },
  { text: "\ufffd",          quoted: '"\ufffd"',              ascii: '"\\ufffd"' },
  { text: "it's",            quoted: '"it\'s"',               ascii: '"it\'s"' },
])("Quote gives $quoted", ({ text, quoted, ascii }) => {
  expect(quote(text)).toBe(quoted);
  expect(quoteToAscii(text)).toBe(ascii);
  expect(unquote(quoted)).toEqual({ value: text });
  expect(unquote(ascii)).toEqual({ value: text });
});

test("bytes that are not UTF-8 are written as such", () => {
  expect(quoteBytes(Uint8Array.of(0x61, 0xc3, 0xc3, 0xa9, 0xff))).toBe('"a\\xc3é\\xff"');
});

test("QuoteRune escapes the single quote and replaces invalid code points", () => {
  expect(quoteRune(0x61)).toBe("'a'");
  expect(quoteRune(0x27)).toBe("'\\''");
  expect(quoteRune(0x22)).toBe("'\"'");
  expect(quoteRune(0x0a)).toBe("'\\n'");
  expect(quoteRune(0xd800)).toBe("'\ufffd'");
});

// biome-ignore format: a table
test.each([
  ["`raw\\n`", "raw\\n"], ["`a\rb`", "ab"], ["'x'", "x"], ["'\\''", "'"], ['"\\xc3\\xa9"', "é"], ['"\\101"', "A"], ["''", ""],
])("Unquote(%s)", (text, value) => {
  expect(unquote(text)).toEqual({ value });
});

test.each(["", '"', '"a', "a", "'ab'", '"a"b"', '"\\q"', '"\\u12"', '"\\ud800"', '"\\400"', '"\n"', "`a`b`", '"\\\'"'])(
  "Unquote refuses %j",
  (text) => {
    expect(unquote(text)).toEqual({ error: "invalid syntax" });
  },
);

test("printable follows Go's tables, graphic adds the spaces", () => {
  expect([0x20, 0x7e, 0xa1, 0x4e2d, 0x1f600, 0xfffd].every(isPrint)).toBe(true);
  expect([0x1f, 0x7f, 0xa0, 0xad, 0x2028, 0xe000, 0x10ffff, 0x378].some(isPrint)).toBe(false);
  expect([0xa0, 0x2003, 0x3000].every(isGraphic)).toBe(true);
  expect([0x09, 0x2028, 0xad].some(isGraphic)).toBe(false);
});
