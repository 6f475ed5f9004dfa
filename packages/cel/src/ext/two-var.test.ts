/** Answers recorded from cel-go with the libraries Kubernetes enables. */
import { expect, test } from "vitest";
import { evaluate, evaluateToText } from "./evaluate.testing.ts";

test.each([
  ["[1, 2].all(i, v, v == i + 1)", "true"],
  ["[1, 2].exists(i, v, i == 1 && v == 2)", "true"],
  ["[1, 1].existsOne(i, v, v == 1)", "false"],
  ["[1, 1].exists_one(i, v, i == 0)", "true"],
  ["{'a': 1}.all(k, v, k == 'a' && v == 1)", "true"],
  ["[5, 6].transformList(i, v, i + v)", "[5, 7]"],
  ["[5, 6].transformList(i, v, i > 0, v)", "[6]"],
  ["['a', 'b'].transformMap(i, v, v + v)", '{0: "aa", 1: "bb"}'],
  ["['a', 'b'].transformMap(i, v, i > 0, v + v)", '{1: "bb"}'],
  ["{'a': 1}.transformMap(k, v, v + 1)", '{"a": 2}'],
  ["['a', 'b'].transformMapEntry(i, v, {v: i})", '{"a": 0, "b": 1}'],
  ["['a', 'b'].transformMapEntry(i, v, i > 0, {v: i})", '{"b": 1}'],
  ["['a', 'a'].transformMapEntry(i, v, {v: i})", "insert failed: key a already exists"],
  ["['a', 'b'].transformMapEntry(i, v, {1: i})", "insert failed: key 1 already exists"],
])("%s is %s", (expression, expected) => {
  expect(evaluateToText(expression)).toBe(expected);
});

test.each([
  ["[1].all(x.y, x, true)", "argument must be a simple name"],
  ["[1].all(x, 1, true)", "argument must be a simple name"],
  ["[1].transformMap(i, i, 1)", "duplicate variable name: i"],
  ["[1].all(__result__, x, true)", "iteration variable overwrites accumulator variable"],
  ["[1].transformList(x, __result__, true)", "iteration variable overwrites accumulator variable"],
])("%s has the error %s", (expression, message) => {
  expect(() => evaluate(expression)).toThrow(message);
});
