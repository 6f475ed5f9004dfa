import { expect, test } from "vitest";
import { compileCached, compileRegexp, type Pattern, PatternCache } from "./pattern.ts";

function compile(source: string): Pattern {
  const result = compileRegexp(source);
  if (result.error !== undefined) throw new Error(result.error);
  return result.pattern;
}

// biome-ignore format: a table
test.each([
  ["(a", "missing closing ): `(a`"],
  ["a)", "unexpected ): `a)`"],
  ["[a", "missing closing ]: `[a`"],
  ["*", "missing argument to repetition operator: `*`"],
  ["a**", "invalid nested repetition operator: `**`"],
  ["a{1001}", "invalid repeat count: `{1001}`"],
  ["(a{1000}){2}", "invalid repeat count: `{2}`"],
  ["[z-a]", "invalid character class range: `z-a`"],
  ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
  ["(?<=a)", "invalid named capture: `(?<=a)`"],
  ["\\q", "invalid escape sequence: `\\q`"],
  ["\\1", "invalid escape sequence: `\\1`"],
  ["a\\", "trailing backslash at end of expression: ``"],
  ["\\p{Foo}", "invalid character class range: `\\p{Foo}`"],
  ["\\p{Old_Italic}", "invalid character class range: `\\p{Old_Italic}`"],
  ["\\p{letter}(", "missing closing ): `\\p{letter}(`"],
  ["[[:foo:]]", "invalid character class range: `[:foo:]`"],
  ["[[:]a:]]", "invalid character class range: `[:]a:]`"],
  ["[[:a[:", "missing closing ]: `[[:a[:`"],
  ["[\\pLa-\\pL]", "invalid escape sequence: `\\p`"],
  ["[\\p{Foo}\\p{Foo}]", "invalid character class range: `\\p{Foo}`"],
])("%s has Go's error", (source, problem) => {
  expect(compileRegexp(source)).toEqual({ error: `error parsing regexp: ${problem}` });
});

test("nesting beyond Go's limit is an error", () => {
  const source = "(".repeat(1001) + ")".repeat(1001);
  expect(compileRegexp(source).error).toBe(`error parsing regexp: expression nests too deeply: \`${source}\``);
});

// biome-ignore format: a table
test.each([
  { source: "^[a-z]+$",      yes: ["abc"],           no: ["", "aBc", "ab1", "abc\n"] },
  { source: "b",             yes: ["abc"],           no: ["ac", ""] },
  { source: "",              yes: ["", "x"],         no: [] },
  { source: "(?i)straße",    yes: ["STRAßE"],        no: ["strasse"] },
  { source: "^.$",           yes: ["a", "é", "😀"],  no: ["\n", "ab"] },
  { source: "\\bfoo\\b",     yes: ["a foo b"],       no: ["afoob"] },
  { source: "^\\p{letter}+$", yes: ["aé中"],         no: ["a1"] },
  { source: "^\\pl$",        yes: ["a"],             no: ["1"] },
  { source: "^[[:a]$",       yes: ["[", ":", "a"],   no: ["b"] },
  { source: "^[\\pL\\pL]$",   yes: ["é"],             no: ["1"] },
  { source: "^[a\\pL\\pL-]$", yes: ["é", "-"],        no: ["1"] },
  { source: "^[[:]$",        yes: ["[", ":"],        no: ["]"] },
  { source: "^(a+)+$",       yes: ["a".repeat(50)],  no: [`${"a".repeat(50)}b`] },
  { source: "(?P<n>a)(?P<n>b)", yes: ["ab"],         no: ["a"] },
  { source: "a{,2}",         yes: ["a{,2}"],         no: ["aa"] },
])("$source matches what Go's matches", ({ source, yes, no }) => {
  const pattern = compile(source);
  for (const text of yes) expect(pattern.matches(text), text).toBe(true);
  for (const text of no) expect(pattern.matches(text), text).toBe(false);
});

test("a long choice of plain texts matches as a short one does", () => {
  const pattern = compile(Array.from({ length: 10_000 }, (_, i) => `a${i}`).join("|"));
  expect([pattern.matches("a9999"), pattern.matches("b"), pattern.groupCount]).toEqual([true, false, 0]);
  expect([pattern.find("é a12"), pattern.find("b")]).toEqual(["a1", undefined]);
});

test("a long text that nests too deeply with another is an error", () => {
  const source = Array.from({ length: 1_100 }, (_, i) => "a".repeat(i + 1)).join("|");
  expect(compileRegexp(source).error).toMatch(/expression nests too deeply/);
});

test("find takes the leftmost match, preferring earlier alternatives", () => {
  expect(compile("a|ab").find("xab")).toBe("a");
  expect(compile("b+").findIndex("abbc")).toEqual([1, 3]);
  expect(compile("z").find("abc")).toBeUndefined();
});

// biome-ignore format: a table
test.each([
  { source: "a*",    text: "baaac", limit: -1, found: ["", "aaa", "", ] },
  { source: "a",     text: "aaa",   limit: 2,  found: ["a", "a"] },
  { source: "a",     text: "aaa",   limit: 0,  found: [] },
  { source: "",      text: "😀é",   limit: -1, found: ["", "", ""] },
  { source: "^a",    text: "aa",    limit: -1, found: ["a"] },
  { source: "[0-9]+", text: "1, 22, 333", limit: -1, found: ["1", "22", "333"] },
])("$source finds all in $text", ({ source, text, limit, found }) => {
  expect(compile(source).findAll(text, limit)).toEqual(found);
});

test("groups that did not match are undefined", () => {
  expect(compile("(a)|(b)").findSubmatch("b")).toEqual(["b", undefined, "b"]);
  expect(compile("(a)(b)?").groupCount).toBe(2);
  expect(compile("a").findSubmatch("x")).toBeUndefined();
});

// biome-ignore format: a table
test.each([
  ["a(x*)b", "-ab-axxb-", "$1", "--xx-"],
  ["a(x*)b", "-ab-axxb-", "$1W", "---"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Go's way to name a group
  ["a(x*)b", "-ab-axxb-", "${1}W", "-W-xxW-"],
  ["(?P<n>a)", "banana", "<$n>", "b<a>n<a>n<a>"],
  ["(?P<n>a)|(?P<n>b)", "ab", "<$n>", "<a><b>"],
  ["a", "aa", "$$", "$$"],
  ["a", "aa", "$", "$$"],
  ["a*", "baac", "x", "xbxcx"],
  ["a", "a", "${", "${"],
  ["(a)", "a", "$01", ""],
])("replacing %s in %s by %s", (source, text, replacement, result) => {
  expect(compile(source).replaceAll(text, replacement)).toBe(result);
});

test("a cache keeps the most recently used patterns, including errors", () => {
  const cache = new PatternCache(2);
  const first = cache.compile("a");
  cache.compile("(");
  expect(cache.compile("a")).toBe(first);
  cache.compile("c");
  expect(cache.compile("a")).toBe(first);
  expect(cache.compile("(").error).toBe("error parsing regexp: missing closing ): `(`");
  expect(compileCached("a", cache).pattern?.source).toBe("a");
  expect(compileCached("b").pattern).toBe(compileCached("b").pattern);
});

test("a cache drops old patterns where all are long", () => {
  const cache = new PatternCache();
  const long = (letter: string): string => `${letter}|`.repeat(1_500_000);
  const first = cache.compile(long("a"));
  cache.compile(long("b"));
  expect(cache.compile(long("a"))).not.toBe(first);
  expect(cache.compile("a")).toBe(cache.compile("a"));
});
