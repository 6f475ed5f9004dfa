import { expect, test } from "vitest";
import { EntryMap, insertEntry, MutableMap, mapEntry } from "./map.ts";
import { CelError, Double, Uint, type Value } from "./value.ts";

const map = EntryMap.of([
  [1, "int"],
  [new Uint(2), "uint"],
  [new Double(3), "double"],
  [true, "bool"],
  ["__proto__", "string"],
  [null, "null"],
]);

test.each<{ key: Value; expected: Value }>([
  { key: 1, expected: "int" },
  { key: new Uint(1), expected: "int" },
  { key: new Double(1), expected: "int" },
  { key: 2, expected: "uint" },
  { key: new Double(2), expected: "uint" },
  { key: new Double(3), expected: "double" },
  { key: 3, expected: new CelError("no such key: 3") },
  { key: true, expected: "bool" },
  { key: "__proto__", expected: "string" },
  { key: null, expected: "null" },
  { key: "1", expected: new CelError("no such key: 1") },
  { key: new Double(1.5), expected: new CelError("no such key: 1.5") },
])("the key $key finds $expected", ({ key, expected }) => {
  expect(mapEntry(map, key)).toEqual(expected);
});

test("a key of another numeric type is another entry", () => {
  const both = new EntryMap();
  expect([both.set(1, "a"), both.set(new Uint(1), "b"), both.set(1, "c")]).toEqual([true, true, false]);
  expect([both.size, both.get(1), both.get(new Uint(1))]).toEqual([2, "c", "b"]);
});

test("inserting leaves the map alone unless it is an accumulator", () => {
  const longer = insertEntry(map, "new", 1);
  expect([map.size, longer instanceof EntryMap && longer.size]).toEqual([6, 7]);
  const accumulator = new MutableMap();
  expect(insertEntry(accumulator, "new", 1)).toBe(accumulator);
});

test("inserting a key that exists, in any numeric type, is an error", () => {
  expect(insertEntry(map, new Uint(1), 1)).toEqual(new CelError("insert failed: key 1 already exists"));
});
