import { expect, test } from "vitest";
import { Source } from "../source.ts";
import { checkedText, testScope } from "./check.testing.ts";
import {
  comprehensionNestingLimit,
  durationLiterals,
  homogeneousLiterals,
  regexLiterals,
  timestampLiterals,
  type Validator,
  validate,
} from "./validators.ts";

const ALL = [homogeneousLiterals, durationLiterals, timestampLiterals, regexLiterals];

function problems(text: string, validators: readonly Validator[] = ALL): string[] {
  const issues = validate(checkedText(text), new Source(text), testScope, validators);
  return issues.map(({ location, message }) => `${location.column} ${message}`);
}

// biome-ignore format: a table
test.each<readonly [text: string, ...expected: string[]]>([
  ["duration('1h') > dur"],
  ["duration('x') > dur", "9 invalid duration argument"],
  ["duration(s) > dur"],
  ["timestamp('2020-01-01T00:00:00Z') > t"],
  ["timestamp('2020') > t", "10 invalid timestamp argument"],
  ["timestamp(null) > t", "10 invalid timestamp argument"],
  ["s.matches('a+')"],
  ["s.matches('(')", "10 invalid matches argument"],
  ["matches('(', 'a')", "8 invalid matches argument"],
  ["matches('a', '(')"],
  ["[1, 2u]", "4 expected type 'int' but found 'uint'"],
  ["[1, 2u, 'a']", "4 expected type 'int' but found 'uint'"],
  ["[1, w]"],
  ["[d, 1]", "4 expected type 'dyn' but found 'int'"],
  ["[dur, null]", "6 expected type 'duration' but found 'null'"],
  ["[[], [1]]"],
  ["[?o, 'a']"],
  ["{'a': 1, 'b': 'c', 1: 1}", "14 expected type 'int' but found 'string'", "19 expected type 'string' but found 'int'"],
])("%s", (text, ...expected) => {
  expect(problems(text)).toEqual(expected);
});

test("functions may be exempt from having literals of one type", () => {
  const exempting: Validator = { name: "x", mixedLiteralFunctions: ["size"], validate: () => undefined };
  expect(problems("size([[1, 'a'], 2])", [homogeneousLiterals, exempting])).toEqual([]);
});

test.each([
  ["l.all(x, true)", 1, 0],
  ["l.all(x, l.all(y, true))", 1, 1],
  ["l.all(x, l.all(y, true))", 2, 0],
  ["l.all(x, [].all(y, l.all(z, true)))", 2, 0],
  ["l.all(x, true) && l.all(x, true)", 1, 0],
])("%s with at most %d comprehensions nested has %d problems", (text, limit, count) => {
  expect(problems(text, [comprehensionNestingLimit(limit)])).toHaveLength(count);
});
