import { expect, test } from "vitest";
import { isAsciiText, joinedSize, rememberSize, runesOf, textSize } from "./text-size.ts";

test.each([
  { name: "the empty text", text: "", runes: 0, ascii: true },
  { name: "letters", text: "abc", runes: 3, ascii: true },
  { name: "a longer text, which is cached", text: "abcdefghijklmnop", runes: 16, ascii: true },
  { name: "another of the same length", text: "abcdefghijklmnoö", runes: 16, ascii: false },
  { name: "an emoji counts as one", text: "🛡".repeat(9), runes: 9, ascii: false },
  { name: "half an emoji counts as one", text: `${"a".repeat(20)}\ud83d`, runes: 21, ascii: false },
  { name: "a text that is too long to be cached", text: "é".repeat(5000), runes: 5000, ascii: false },
])("$name", ({ text, runes, ascii }) => {
  for (let round = 0; round < 2; round++) {
    expect(runesOf(text)).toBe(runes);
    expect(isAsciiText(text)).toBe(ascii);
  }
});

test("two texts joined are as long as both, and as much ASCII", () => {
  const joined = `abcdefghijkl${"🛡"}`;
  rememberSize(joined, joinedSize(textSize("abcdefghijkl"), textSize("🛡")));
  expect(runesOf(joined)).toBe(13);
  expect(isAsciiText(joined)).toBe(false);
  expect(joinedSize(textSize("abc"), textSize("de"))).toBe(5);
});
