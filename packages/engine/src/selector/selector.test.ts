import { expect, test } from "vitest";
import { matchesFields, parseFieldSelector } from "./fields.ts";
import { fromStructured, matchesLabels, parseLabelSelector } from "./labels.ts";

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
