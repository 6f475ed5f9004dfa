import { expect, test } from "vitest";
import { compileAutomaton, findText } from "./automaton.ts";
import { compileRegexp } from "./pattern.ts";

function lost(before: string, after: string): string | undefined {
  const [accept, reject] = [compileAutomaton(before), compileAutomaton(after)];
  if (accept === undefined || reject === undefined) throw new Error("does not compile");
  const answer = findText({ accept: [accept], reject: [reject] });
  if (answer.kind === "unknown") throw new Error("undecided");
  return answer.kind === "found" ? answer.text : undefined;
}

const LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

// biome-ignore format: a table
test.each([
  { name: "equal with another spelling",  before: "^http(s)?://.+$", after: "^https?://.+$", gone: undefined, gained: undefined },
  { name: "one more scheme",           before: "^http(s)?://.+$", after: "^(http|https|socks5)://.+$", gone: undefined, gained: "socks5://a" },
  { name: "one more character",        before: LABEL, after: "^[a-z0-9]([-a-z0-9_]*[a-z0-9])?$", gone: undefined, gained: "a_a" },
  { name: "subdomain to label",        before: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", after: LABEL, gone: "a.a", gained: undefined },
  { name: "an anchor that bound one branch only", before: "^(([0-9]+(s|m|h))+)|(Never)$", after: "^(([0-9]+(s|m|h))+|Never)$", gone: "0ha", gained: undefined },
  { name: "neither contains the other", before: "^([0-9]+(m|h)+(0s)?)$", after: "^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$", gone: "0hh", gained: "0h0m" },
  { name: "a shorter text",            before: "(^([A-Za-z][A-Za-z0-9_,:]*[A-Za-z0-9_])?$)", after: "^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$", gone: undefined, gained: "a" },
  { name: "a range inside another",    before: "^[a-zSA-Z]+$", after: "^[a-zA-Z]+$", gone: undefined, gained: undefined },
  { name: "ignoring case",             before: "(?i)^k$", after: "^[kK]$", gone: "\u212a", gained: undefined },
  { name: "word boundaries",           before: "\\bfoo\\b", after: "foo", gone: undefined, gained: "afoo" },
  { name: "lines",                     before: "(?m)^a$", after: "^a$", gone: "a\n", gained: undefined },
  { name: "letters of any script",     before: "^\\p{L}$", after: "^[a-zA-Z]$", gone: "\u00aa", gained: undefined },
])("$name", ({ before, after, gone, gained }) => {
  expect(lost(before, after)).toBe(gone);
  expect(lost(after, before)).toBe(gained);
});

test("lengths are counted in characters and bound the search", () => {
  const label = compileAutomaton(LABEL);
  if (label === undefined) throw new Error("does not compile");
  expect(findText({ accept: [label], reject: [], minLength: 3, maxLength: 3 })).toEqual({ kind: "found", text: "aaa" });
  expect(findText({ accept: [label], reject: [], maxLength: 0 })).toMatchObject({ kind: "none" });
  expect(findText({ accept: [], reject: [label], minLength: 64 })).toMatchObject({ kind: "found" });
});

test("a pattern that is too large has no automaton", () => {
  expect(compileAutomaton("((a{0,30}){0,30}){0,30}")).toBeUndefined();
  const wide = compileAutomaton("(a|b)*a(a|b){18}c");
  if (wide === undefined) throw new Error("does not compile");
  expect(findText({ accept: [wide], reject: [wide], maxSteps: 5000 })).toEqual({ kind: "unknown" });
});

/** All texts of up to four letters, against the matcher itself. */
test("inclusion agrees with trying every short text", () => {
  const sources = [
    "^a",
    "b$",
    "^[a-c]*$",
    "^.{1,3}$",
    "a+b?",
    "(?i)^B",
    "\\bc",
    "\\Bc",
    "^(ab|c)+$",
    "a.c",
    "^$",
    "[^a]",
    "c{2}",
    "(?m)^b",
  ];
  const texts = shortTexts([..."abcB\n-"], 4);
  for (const before of sources) {
    for (const after of sources) {
      const [from, to] = [compileRegexp(before).pattern, compileRegexp(after).pattern];
      const expected = texts.find((text) => from?.matches(text) === true && to?.matches(text) === false);
      const answer = lost(before, after);
      expect([...(answer ?? "")].length, `${before} -> ${after}`).toBeLessThanOrEqual(expected?.length ?? 0);
      expect(answer === undefined, `${before} -> ${after}: ${expected}`).toBe(expected === undefined);
      if (answer !== undefined) expect([from?.matches(answer), to?.matches(answer)]).toEqual([true, false]);
    }
  }
});

function shortTexts(letters: readonly string[], longest: number): string[] {
  const all = [""];
  let last = [""];
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((text) => letters.map((letter) => text + letter));
    all.push(...last);
  }
  return all;
}

test("a pattern can be matched with a text between others, and in another case", () => {
  const within = (source: string, more: object) => {
    const automaton = compileAutomaton(source);
    if (automaton === undefined) throw new Error(source);
    return { ...automaton, within: more };
  };
  const find = (source: string, more: object) => findText({ accept: [within(source, more)], reject: [] });
  expect(find("^ab-x$", { suffix: "-x" })).toEqual({ kind: "found", text: "ab" });
  expect(find("^ab-x$", { suffix: "-y" }).kind).toBe("none");
  expect(find("^xab$", { prefix: "x" })).toEqual({ kind: "found", text: "ab" });
  expect(find("\\bab\\b", { prefix: "x", suffix: " " })).toEqual({ kind: "found", text: "-ab" });
  expect(find("^B$", { letters: "lower" }).kind).toBe("none");
  const both = findText({ accept: [within("^b$", { letters: "lower" }), within("^[A-Z]$", {})], reject: [] });
  expect(both).toEqual({ kind: "found", text: "B" });
});
