import { expect, test } from "vitest";
import { matchesFields, parseFieldSelector } from "./fields.ts";
import { fromStructured, type Labels, matchesLabels, parseLabelSelector } from "./labels.ts";

// biome-ignore format: a table
test.each([
  { selector: "",                     labels: {},                   matches: true },
  { selector: "a=b",                  labels: { a: "b" },           matches: true },
  { selector: "a==b",                 labels: { a: "c" },           matches: false },
  { selector: "a!=b",                 labels: {},                   matches: true },
  { selector: "a in (b, c)",          labels: { a: "c" },           matches: true },
  { selector: "a notin (b,c)",        labels: { a: "c" },           matches: false },
  { selector: "a",                    labels: { a: "" },            matches: true },
  { selector: "!a",                   labels: { a: "" },            matches: false },
  { selector: "a>5",                  labels: { a: "6" },           matches: true },
  { selector: "a in (), b",           labels: { a: "", b: "x" },    matches: true },
  { selector: "in in (in,notin)",     labels: { in: "notin" },      matches: true },
  { selector: "constructor",          labels: {},                   matches: false },
])("`$selector` on $labels: $matches", ({ selector, labels, matches }) => {
  const parsed = parseLabelSelector(selector);
  if (parsed.error !== undefined) throw new Error(parsed.error);
  expect(matchesLabels(parsed.value, labels)).toBe(matches);
});

// biome-ignore format: a table
test.each([
  { selector: "a b",      error: "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt" },
  { selector: "a in (b",  error: "unable to parse requirement: found '', expected: ',' or ')'" },
  { selector: ",",        error: "found ',', expected: !, identifier, or 'end of string'" },
  { selector: "a,",       error: "found '', expected: identifier after ','" },
  { selector: "a=b=c",    error: "found '=', expected: ',' or 'end of string'" },
  { selector: "!a=b",     error: "found '=', expected: ',' or 'end of string'" },
  { selector: "a in b",   error: "unable to parse requirement: found 'b' expected: '('" },
  { selector: "a>b",      error: `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer` },
])("`$selector` is refused", ({ selector, error }) => {
  expect(parseLabelSelector(selector).error).toBe(error);
});

test("a structured selector that is absent matches nothing, an empty one everything", () => {
  expect(fromStructured(undefined)).toEqual({ value: undefined });
  expect(fromStructured({})).toEqual({ value: [] });
  expect(fromStructured({ matchExpressions: [{ key: "a", operator: "Has", values: [] }] }).error).toBe(
    '"Has" is not a valid label selector operator',
  );
});

test("field selectors compare whole values and support escapes", () => {
  const parsed = parseFieldSelector("metadata.name=a\\,b,spec.x!=c");
  expect(parsed.value).toEqual([
    { field: "metadata.name", value: "a,b", negated: false },
    { field: "spec.x", value: "c", negated: true },
  ]);
  expect(matchesFields(parsed.value ?? [], (field) => (field === "metadata.name" ? "a,b" : "d"))).toBe(true);
  expect(parseFieldSelector("x").error).toBe("invalid selector: 'x'; can't understand 'x'");
});

// Each requirement alone is not compiled.
test("a long selector matches what all its requirements match", () => {
  const operators = ["=", "!=", "in", "notin", "exists", "!", "gt", "lt"] as const;
  const keys = ["a", "b", "toString"];
  const texts = ["", "1", "2", "x"];
  const pick = <T>(items: readonly T[], seed: number): T => items[seed % items.length] as T;
  const labels: readonly Labels[] = [{}, { a: "1" }, { a: "2", b: "x" }, { a: "1", b: "1", toString: "" }, { b: "" }];
  for (let seed = 0; seed < 400; seed++) {
    const requirement = {
      key: pick(keys, seed),
      operator: pick(operators, Math.floor(seed / 3)),
      values: [pick(texts, Math.floor(seed / 24)), pick(texts, Math.floor(seed / 96))],
    };
    const other = { key: "a", operator: pick(operators, seed * 7), values: [pick(texts, seed * 5)] };
    const long = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? requirement : other));
    for (const each of labels) {
      const expected = matchesLabels([requirement], each) && matchesLabels([other], each);
      expect(matchesLabels(long, each), JSON.stringify([requirement, other, each])).toBe(expected);
    }
  }
});

test("a long field selector matches what all its terms match", () => {
  const read = (field: string): string => (field === "a" ? "1" : "");
  const long = (text: string): boolean =>
    matchesFields(parseFieldSelector(Array.from({ length: 20 }, () => text).join(",")).value ?? [], read);
  expect([long("a=1"), long("a=2"), long("a!=2"), long("a!=1"), long("b="), long("a=1,a=2")]).toEqual([
    ...[true, false, true, false, true, false],
  ]);
});
