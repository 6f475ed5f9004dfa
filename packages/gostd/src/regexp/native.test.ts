import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { compileNative } from "./native.ts";
import { compileRegexp } from "./pattern.ts";

// biome-ignore format: a table
test.each([
  { source: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", yes: ["a", "a-b"], no: ["", "-a", "a-", "A"] },
  { source: "^[a-z]{2,3}$",     yes: ["ab", "abc"],   no: ["a", "abcd"] },
  { source: "b+c|^$",           yes: ["", "abbc"],    no: ["ab", "c"] },
  { source: "a$|^b",            yes: ["xa", "bx"],    no: ["ax", "xb"] },
  { source: "\\d\\.\\w[\\s-]",  yes: ["1.a ", "1._-"], no: ["1.a", "12a "] },
  { source: "^(?:a|bc)*?$",     yes: ["", "abca"],    no: ["b"] },
  { source: "[^a-c\\]]",        yes: ["d", "\n"],     no: ["a", "]", "abc"] },
  { source: "\\Aa\\z",          yes: ["a"],           no: ["aa", "a\n"] },
  { source: "$^",               yes: [""],            no: ["a"] },
  { source: "^.{3}$",           yes: ["abc"],         no: ["a\nb", "ab"] },
  { source: "a{0}b{2}",         yes: ["bb"],          no: ["ab"] },
])("$source", ({ source, yes, no }) => {
  const matcher = compileNative(source);
  for (const text of yes) expect(matcher?.matches(text), text).toBe(true);
  for (const text of no) expect(matcher?.matches(text), text).toBe(false);
});

test.each([
  "(?i)a",
  "\\bfoo",
  "\\pL+",
  "é.",
  "[[:alpha:]]",
  "\\Qa.b\\E",
  "(?s).",
  "\\x{41}",
  "(a{100}){10}(b{100}){10}(c{100}){10}.*",
])("%s uses re2js", (source) => {
  expect(compileNative(source)).toBeUndefined();
});

test("a text beyond ASCII uses re2js where that matters", () => {
  const matcher = compileNative("^ab*$");
  expect(matcher?.matches("abé")).toBeUndefined();
  expect(matcher?.matches("xé")).toBe(false);
  expect(compileNative("ab")?.matches("xabé")).toBe(true);
  expect(compileNative("[ab]c")?.matches("xacé")).toBe(true);
});

test("an automaton that would grow too large falls back to re2js", () => {
  const source = "a[ab]{14}c";
  let seed = 1;
  const noise = Array.from({ length: 60_000 }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed > 0x7fffffff ? "a" : "b";
  }).join("");
  expect(compileNative(source)?.matches(noise)).toBeUndefined();
  expect(compileRegexp(source).pattern?.matches(noise)).toBe(false);
  expect(compileRegexp(source).pattern?.matches(`${noise}a${"b".repeat(14)}c`)).toBe(true);
});

const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  "-",
  "\\.",
  ".",
  "[ab]",
  "[^a]",
  "[a-c0-9]",
  "\\d",
  "\\w",
  "\\s",
  "[\\w-]",
  "^",
  "$",
  "x",
  "()",
);
const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?");
const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie("term"), { maxLength: 5 }).map((terms) => terms.join("")),
      { minLength: 1, maxLength: 3 },
    )
    .map((options) => options.join("|")),
  term: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(atom, quantifier).map((parts) => parts.join("")),
    fc
      .tuple(fc.constantFrom("(", "(?:"), tie("pattern"), quantifier)
      .map(([open, inner, count]) => `${open}${inner})${count}`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "-", ".", "0", "x", " ", "\n", "A", "é"),
  maxLength: 14,
});

test("it agrees with re2js on every generated pattern and text", () => {
  let answered = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 12 }), (source, texts) => {
      const matcher = compileNative(source);
      if (matcher === undefined) return;
      const reference = RE2JS.compile(source);
      for (const candidate of texts) {
        const answer = matcher.matches(candidate);
        if (answer === undefined) continue;
        answered++;
        expect(answer, JSON.stringify([source, candidate])).toBe(reference.test(candidate));
      }
    }),
    { numRuns: 1500 },
  );
  expect(answered).toBeGreaterThan(3000);
});
