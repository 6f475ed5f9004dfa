import { expect, test } from "vitest";
import { ArrayList } from "./list.ts";
import { isLargerThan } from "./nested-size.ts";
import type { Value } from "./value.ts";

function doubled(levels: number): Value {
  let value: Value = 1;
  for (let i = 0; i < levels; i++) value = new ArrayList([value, value]);
  return value;
}

test.each([
  { levels: 0, limit: 0, isLarger: false },
  { levels: 1, limit: 2, isLarger: false },
  { levels: 1, limit: 1, isLarger: true },
  { levels: 3, limit: 14, isLarger: false },
  { levels: 3, limit: 13, isLarger: true },
  { levels: 60, limit: 100_000, isLarger: true },
])("$levels levels of two elements are larger than $limit: $isLarger", ({ levels, limit, isLarger }) => {
  expect(isLargerThan(doubled(levels), limit)).toBe(isLarger);
});
