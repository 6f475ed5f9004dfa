import { expect, test } from "vitest";
import {
  byteLength,
  compareStrings,
  countRunes,
  decodeUtf8,
  encodeUtf8,
  fromRunes,
  isAscii,
  isValidUtf8,
  sliceRunes,
  toRunes,
} from "./utf8.ts";

// biome-ignore format: a table
test.each([
  { text: "",        bytes: [],                                   runes: 0 },
  { text: "abc",     bytes: [0x61, 0x62, 0x63],                   runes: 3 },
  { text: "é",       bytes: [0xc3, 0xa9],                         runes: 1 },
  { text: "中",      bytes: [0xe4, 0xb8, 0xad],                   runes: 1 },
  { text: "a😀b",    bytes: [0x61, 0xf0, 0x9f, 0x98, 0x80, 0x62], runes: 3 },
  { text: "\u{10ffff}", bytes: [0xf4, 0x8f, 0xbf, 0xbf],          runes: 1 },
])("$text has Go's bytes and runes, and decodes back", ({ text, bytes, runes }) => {
  expect([...encodeUtf8(text)]).toEqual(bytes);
  expect(byteLength(text)).toBe(bytes.length);
  expect(countRunes(text)).toBe(runes);
  expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text);
  expect(fromRunes(toRunes(text))).toBe(text);
});

test("a lone surrogate encodes and counts as U+FFFD", () => {
  for (const text of ["\ud800", "\udc00", "a\ud800b"]) {
    expect(decodeUtf8(encodeUtf8(text))).toBe(text.replace(/[\ud800-\udfff]/, "\ufffd"));
    expect(byteLength(text)).toBe(encodeUtf8(text).length);
    expect(countRunes(text)).toBe(text.length);
  }
});

// biome-ignore format: a table
test.each([
  { name: "a stray byte",              bytes: [0x61, 0xff, 0x62],       text: "a\ufffdb" },
  { name: "a cut sequence, per byte",  bytes: [0xe2, 0x82],             text: "\ufffd\ufffd" },
  { name: "an overlong form",          bytes: [0xc0, 0x80],             text: "\ufffd\ufffd" },
  { name: "an encoded surrogate",      bytes: [0xed, 0xa0, 0x80],       text: "\ufffd\ufffd\ufffd" },
  { name: "a value beyond U+10FFFF",   bytes: [0xf4, 0x90, 0x80, 0x80], text: "\ufffd\ufffd\ufffd\ufffd" },
  { name: "a cut four-byte sequence",  bytes: [0xf0, 0x9f, 0x98, 0x41], text: "\ufffd\ufffd\ufffdA" },
])("$name is invalid and becomes one U+FFFD per byte", ({ bytes, text }) => {
  expect(isValidUtf8(Uint8Array.from(bytes))).toBe(false);
  expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text);
});

test("a long text survives the round trip", () => {
  const text = "aé中😀".repeat(10_000);
  expect(decodeUtf8(encodeUtf8(text))).toBe(text);
  expect(isValidUtf8(encodeUtf8(text))).toBe(true);
});

test("slices count in runes and stop at the end", () => {
  expect(sliceRunes("a😀b", 1, 2)).toBe("😀");
  expect(sliceRunes("a😀b", 2)).toBe("b");
  expect(sliceRunes("a😀b", 2, 9)).toBe("b");
  expect(sliceRunes("abc", 5)).toBe("");
});

test("strings compare by bytes, so that U+FFFF comes before an emoji", () => {
  expect(compareStrings("\uffff", "😀")).toBe(-1);
  expect(compareStrings("😀", "\ue000")).toBe(1);
  expect(compareStrings("a", "ab")).toBe(-1);
  expect(compareStrings("b", "ab")).toBe(1);
  expect(compareStrings("ab", "ab")).toBe(0);
});

test("ASCII ends at 0x7f", () => {
  expect(isAscii("a\x7f")).toBe(true);
  expect(isAscii("a\x80")).toBe(false);
});
