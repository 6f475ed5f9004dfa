/** Answers recorded from cel-go with the libraries Kubernetes enables. */
import { expect, test } from "vitest";
import { evaluate, evaluateToText } from "./evaluate.testing.ts";
import { optionalsLibrary } from "./optionals.ts";

test.each([
  ["optional.of(1)", "optional.of(1)"],
  ["optional.none()", "optional.none()"],
  ["optional.ofNonZeroValue('')", "optional.none()"],
  ["optional.ofNonZeroValue(0.0)", "optional.none()"],
  ["optional.ofNonZeroValue([0])", "optional.of([0])"],
  ["optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z'))", "optional.none()"],
  ["optional.ofNonZeroValue(timestamp('1970-01-01T00:00:00Z'))", 'optional.of(timestamp("1970-01-01T00:00:00Z"))'],
  ["optional.of(1).value()", "1"],
  ["optional.none().value()", "optional.none() dereference"],
  ["optional.of(null).hasValue()", "true"],
  ["optional.none().hasValue()", "false"],
  ["optional.none().or(optional.of(1))", "optional.of(1)"],
  ["optional.none().orValue(2)", "2"],
  ["optional.of(1).optMap(x, x + 1)", "optional.of(2)"],
  ["optional.none().optMap(x, x + 1)", "optional.none()"],
  ["optional.of(1).optFlatMap(x, optional.none())", "optional.none()"],
  ["optional.of([1]).optMap(x, x.map(y, y + 1))", "optional.of([2])"],
  ["[1, 2].first()", "optional.of(1)"],
  ["[].first()", "optional.none()"],
  ["[1, 2].last()", "optional.of(2)"],
  ["optional.unwrap([optional.of(1), optional.none()])", "[1]"],
  ["[optional.of(1)].unwrapOpt()", "[1]"],
])("%s is %s", (expression, expected) => {
  expect(evaluateToText(expression)).toBe(expected);
});

test.each([
  ["optional.of(1).optMap(x.y, 1)", "optMap() variable name must be a simple identifier"],
  ["optional.of(1).optFlatMap(x.y, 1)", "optFlatMap() variable name must be a simple identifier"],
])("%s has the error %s", (expression, message) => {
  expect(() => evaluate(expression)).toThrow(message);
});

test.each([
  { version: 0, macros: ["optMap"], functions: 10 },
  { version: 1, macros: ["optMap", "optFlatMap"], functions: 10 },
  { version: 2, macros: ["optMap", "optFlatMap"], functions: 14 },
])("version $version has the macros $macros and $functions functions", ({ version, macros, functions }) => {
  const library = optionalsLibrary(version);
  expect(library.macros?.map(({ name }) => name)).toEqual(macros);
  expect(library.functions).toHaveLength(functions);
});
