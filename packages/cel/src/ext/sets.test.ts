/** Answers recorded from cel-go with the libraries Kubernetes enables. */
import { expect, test } from "vitest";
import { evaluateToText } from "./evaluate.testing.ts";

test.each([
  ["sets.contains([1, 2, 3], [3, 1])", "true"],
  ["sets.contains([1], [])", "true"],
  ["sets.contains([1], [2])", "false"],
  ["sets.contains([dyn(1)], [dyn(1.0), dyn(1u)])", "true"],
  ["sets.equivalent([1, 1, 2], [2, 1])", "true"],
  ["sets.equivalent([1, 2], [1])", "false"],
  ["sets.intersects([1, 2], [2, 3])", "true"],
  ["sets.intersects([], [1])", "false"],
])("%s is %s", (expression, expected) => {
  expect(evaluateToText(expression)).toBe(expected);
});
