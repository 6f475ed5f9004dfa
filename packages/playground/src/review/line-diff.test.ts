import { expect, test } from "vitest";
import { countChanges, diffLines } from "./line-diff.ts";

const show = (before: string, after: string): string =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => ({ same: "", added: "+", removed: "-" })[kind] + text)
    .join(" ");

test.each([
  { before: "", after: "", shown: "" },
  { before: "abc", after: "abc", shown: "a b c" },
  { before: "abc", after: "ac", shown: "a -b c" },
  { before: "ac", after: "abc", shown: "a +b c" },
  { before: "abcd", after: "axcd", shown: "a -b +x c d" },
  { before: "abc", after: "", shown: "-a -b -c" },
  { before: "aab", after: "ab", shown: "a -a b" },
])("$before to $after is $shown", ({ before, after, shown }) => {
  expect(show(before, after)).toBe(shown);
});

test("texts too large to compare line by line are replaced as a whole", () => {
  const many = (letter: string) => Array.from({ length: 2500 }, (_, index) => `${letter}${index}`);
  expect(countChanges(diffLines(many("a"), many("b")))).toBe(5000);
});
