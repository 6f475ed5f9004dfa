import { expect, test } from "vitest";
import { semanticEqual } from "./equal.ts";
import { Float64, type JsonValue, newEmptyMap } from "./json.ts";

const map = newEmptyMap();

test.each<[string, JsonValue | undefined, JsonValue | undefined, boolean]>([
  ["an empty list and none", [], undefined, true],
  ["an empty list and null", [], null, true],
  ["an empty map and none", map, undefined, true],
  ["two empty maps", map, newEmptyMap(), true],
  ["a struct without members and none", {}, undefined, false],
  ["a struct without members and an empty map", {}, map, false],
  ["an empty list inside and none", { a: "x", b: [] }, { a: "x" }, true],
  ["none and an empty map inside", { a: "x" }, { a: "x", b: map }, true],
  ["a missing text and an empty one", {}, { a: "" }, false],
  ["lists in which an item differs", [{ a: 1 }], [{ a: 2 }], false],
  ["lists of different lengths", [1], [1, 1], false],
  ["equal numbers of different types", 1, new Float64(1), false],
  ["a list and a map", [1], { a: 1 }, false],
])("%s", (_, left, right, isEqual) => {
  expect(semanticEqual(left, right)).toBe(isEqual);
  expect(semanticEqual(right, left)).toBe(isEqual);
});

test("values far deeper than any type are compared, too", () => {
  const deep = (end: JsonValue): JsonValue => {
    let value = end;
    for (let depth = 0; depth < 5000; depth++) value = { a: value };
    return value;
  };
  expect(semanticEqual(deep(1), deep(1))).toBe(true);
  expect(semanticEqual(deep(1), deep(2))).toBe(false);
});
