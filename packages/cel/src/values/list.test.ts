import { expect, test } from "vitest";
import { ArrayList, ConcatList, concatLists, listElement, listIncludes, MutableList } from "./list.ts";
import { CelError, Double, type ListValue, Uint, type Value } from "./value.ts";

const ints = new ArrayList([1, 2]);
const joined = new ConcatList(ints, new ConcatList(new ArrayList([3]), new ArrayList([4, 5])));

test("a joined list reads like one", () => {
  expect(Array.from({ length: joined.size }, (_, index) => joined.at(index))).toEqual([1, 2, 3, 4, 5]);
});

test("a long chain of joined lists is read without recursion", () => {
  let chain: ListValue = ints;
  for (let index = 0; index < 50_000; index++) chain = new ConcatList(chain, ints);
  expect([chain.at(0), chain.at(chain.size - 1)]).toEqual([1, 2]);
});

test("joining with an empty list gives the other one", () => {
  expect(concatLists(ArrayList.empty, ints)).toBe(ints);
  expect(concatLists(ints, ArrayList.empty)).toBe(ints);
});

test("an accumulator grows in place", () => {
  const accumulator = new MutableList();
  expect(concatLists(accumulator, ints)).toBe(accumulator);
  expect(accumulator.toList().elements).toEqual([1, 2]);
});

test.each<{ name: string; list: ListValue; index: Value; expected: Value }>([
  { name: "a whole double", list: ints, index: new Double(1), expected: 2 },
  { name: "a uint", list: ints, index: new Uint(0), expected: 1 },
  { name: "past the end", list: ints, index: 2, expected: new CelError("index '2' out of range in list size '2'") },
  {
    name: "a negative index",
    list: ints,
    index: -1,
    expected: new CelError("index '-1' out of range in list size '2'"),
  },
  {
    name: "past the end of a joined list, reported for its last part",
    list: joined,
    index: 7,
    expected: new CelError("index '4' out of range in list size '2'"),
  },
  {
    name: "a fraction",
    list: ints,
    index: new Double(0.5),
    expected: new CelError("unsupported index value 0.5 in list"),
  },
  { name: "a string", list: ints, index: "0", expected: new CelError("unsupported index type 'string' in list") },
  { name: "a list", list: ints, index: ints, expected: new CelError("unsupported index type 'list(dyn)' in list") },
])("indexing by $name", ({ list, index, expected }) => {
  expect(listElement(list, index)).toEqual(expected);
});

test("membership compares across numeric types and skips errors", () => {
  expect(listIncludes(joined, new Double(5))).toBe(true);
  expect(listIncludes(new ArrayList([new CelError("x"), 2]), 2)).toBe(true);
  expect(listIncludes(new ArrayList([new CelError("x")]), 2)).toBe(false);
});
