/** Answers recorded from cel-go with the libraries Kubernetes enables. */
import { expect, test } from "vitest";
import { ArrayList } from "../values/list.ts";
import { CelError, ListValue } from "../values/value.ts";
import { evaluate, evaluateToText } from "./evaluate.testing.ts";
import { listsLibrary } from "./lists.ts";
import { sortByKeys } from "./sort.ts";

test.each([
  ["[[1], [2, 3]].flatten()", "[1, 2, 3]"],
  ["[[1], [2, 3]].flatten(0)", "[[1], [2, 3]]"],
  ["[[[1]], [[2]]].flatten(2)", "[1, 2]"],
  ["[[1]].flatten(-1)", "level must be non-negative"],
  ["dyn([1]).flatten()", "[1]"],
  ["[3, 1, 2].sort()", "[1, 2, 3]"],
  ["['b', 'a', 'ab'].sort()", '["a", "ab", "b"]'],
  ["[2u, 1u].sort()", "[1u, 2u]"],
  ["[true, false].sort()", "[false, true]"],
  ["[duration('2s'), duration('1s')].sort()", '[duration("1s"), duration("2s")]'],
  ["[b'b', b'a'].sort()", '[b"\\141", b"\\142"]'],
  ["[double('NaN'), 1.0, 0.5].sort()", '[double("NaN"), 0.5, 1.0]'],
  ["dyn([[1]]).sort()", "list elements must be comparable"],
  ["dyn([null]).sort()", "list elements must be comparable"],
  ["['bb', 'a'].sortBy(e, e.size())", '["a", "bb"]'],
  ["['bb', 'a', 'cc', 'b'].sortBy(e, e.size())", '["a", "b", "bb", "cc"]'],
  ["[].sortBy(e, e)", "[]"],
  ["lists.range(0).map(i, i).sort()", "[]"],
  ["lists.range(3)", "[0, 1, 2]"],
  ["lists.range(-1)", "lists.range: size must be non-negative, got -1"],
  ["lists.range(1000001)", "lists.range: size 1000001 exceeds maximum allowed (1000000)"],
  [
    "lists.range(30).sortBy(i, i % 3)",
    "[12, 27, 24, 3, 21, 18, 6, 0, 15, 9, 7, 4, 10, 13, 28, 1, 16, 25, 22, 19, 8, 20, 5, 23, 2, 17, 26, 11, 14, 29]",
  ],
  [
    "lists.range(60).sortBy(i, i % 7)",
    "[49, 7, 14, 28, 0, 35, 42, 56, 21, 50, 43, 57, 36, 15, 8, 29, 1, 22, 30, 16, 58, 2, 9, 23, 51, 44, 37, 10, 38, 17, 59, 31, 52, 24, 3, 45, 25, 32, 53, 39, 46, 18, 11, 4, 19, 54, 40, 47, 33, 26, 12, 5, 13, 48, 34, 55, 41, 6, 20, 27]",
  ],
  [
    "lists.range(120).sortBy(i, -(i % 2))",
    "[61, 89, 119, 3, 117, 5, 115, 7, 113, 9, 111, 11, 109, 59, 107, 15, 105, 17, 103, 19, 101, 21, 99, 23, 97, 25, 95, 27, 93, 29, 91, 31, 1, 33, 87, 35, 85, 37, 83, 39, 81, 41, 79, 43, 77, 45, 75, 47, 73, 49, 71, 51, 69, 53, 67, 55, 65, 57, 63, 13, 94, 22, 62, 56, 32, 58, 66, 54, 68, 52, 70, 50, 72, 48, 74, 46, 76, 44, 78, 42, 80, 40, 82, 38, 84, 36, 86, 34, 0, 30, 64, 88, 92, 28, 90, 26, 96, 24, 98, 112, 100, 20, 102, 18, 104, 16, 106, 14, 108, 12, 110, 10, 60, 8, 114, 6, 116, 4, 118, 2]",
  ],
  ["lists.range(5).reverse()", "[4, 3, 2, 1, 0]"],
  ["lists.range(5).slice(1, 3)", "[1, 2]"],
  ["[1, 2, 3].slice(1, 5)", "cannot slice(1, 5), list is length 3"],
  ["[1, 2, 3].slice(-1, 2)", "cannot slice(-1, 2), negative indexes not supported"],
  ["[1, 2, 3].slice(2, 1)", "cannot slice(2, 1), start index must be less than or equal to end index"],
  ["[1, 2, 3].slice(3, 3)", "[]"],
  ["[1, 2, 1, 3, 2].distinct()", "[1, 2, 3]"],
  ["['b', 'b', 'a'].distinct()", '["b", "a"]'],
  ["[[1], [1], [2]].distinct()", "[[1], [2]]"],
  [
    "[dyn(1), dyn(1.0), dyn(1u), dyn('1'), dyn(true), dyn(true), dyn(null), dyn(null)].distinct()",
    '[1, "1", true, null]',
  ],
  ["[double('NaN'), double('NaN')].distinct()", '[double("NaN"), double("NaN")]'],
])("%s is %s", (expression, expected) => {
  expect(evaluateToText(expression)).toBe(expected);
});

test.each([
  ["1.sortBy(e, e)", "sortBy can only be applied to a list, identifier, comprehension, call or select expression"],
  ["[1].sortBy(1, e)", "argument is not an identifier"],
  ["[1].sortBy(__result__, 1)", "iteration variable overwrites accumulator variable"],
])("%s has the error %s", (expression, message) => {
  expect(() => evaluate(expression)).toThrow(message);
});

test("elements of different types are not ordered", () => {
  const mixed = new ArrayList([1, "a"]);
  expect(sortByKeys(mixed, mixed)).toEqual(new CelError("list elements must have the same type"));
});

test("a range of a million takes no memory", () => {
  const range = evaluate("lists.range(1000000)");
  expect(range).toBeInstanceOf(ListValue);
  expect(range instanceof ListValue ? [range.size, range.at(999_999)] : []).toEqual([1_000_000, 999_999]);
});

test("ten thousand strings are distinguished without comparing each pair", () => {
  const list = new ArrayList(Array.from({ length: 20_000 }, (_, index) => `name-${index % 10_000}`));
  expect(evaluate("list.distinct().size()", { list })).toBe(10_000);
});

test.each([
  { version: 0, names: ["slice"] },
  { version: 1, names: ["slice", "flatten"] },
  {
    version: 3,
    names: ["slice", "flatten", "sort", "@sortByAssociatedKeys", "lists.range", "reverse", "distinct"],
  },
])("version $version has $names", ({ version, names }) => {
  expect(listsLibrary(version).functions?.map(({ name }) => name)).toEqual(names);
});

test("costs come with version 3", () => {
  const prices = (version: number) =>
    listsLibrary(version).functions?.flatMap(({ overloads }) => overloads.map(({ cost }) => cost !== undefined));
  expect(prices(2)?.some(Boolean)).toBe(false);
  expect(prices(3)?.every(Boolean)).toBe(true);
});
