import { expect, test } from "vitest";
import { addRanges, fixedRange, MAX_UINT64, multiplyByCostFactor, multiplyRanges, unionRanges } from "./range.ts";

test("sums and products stop at the largest uint64", () => {
  const huge = { min: 2n, max: MAX_UINT64 };
  expect(addRanges(huge, fixedRange(3))).toEqual({ min: 5n, max: MAX_UINT64 });
  expect(multiplyRanges(huge, fixedRange(3))).toEqual({ min: 6n, max: MAX_UINT64 });
  expect(multiplyRanges(huge, fixedRange(0))).toEqual({ min: 0n, max: 0n });
});

// biome-ignore format: a table
test.each([
  { size: 0n,                   factor: 0.1,  cost: 0n },
  { size: 1n,                   factor: 0.1,  cost: 1n },
  { size: 10n,                  factor: 0.1,  cost: 1n },
  { size: 30n,                  factor: 0.1,  cost: 3n },
  { size: 31n,                  factor: 0.1,  cost: 4n },
  { size: MAX_UINT64,           factor: 0.1,  cost: 1844674407370955264n },
  { size: MAX_UINT64,           factor: 0.25, cost: 4611686018427387904n },
  { size: MAX_UINT64,           factor: 1,    cost: MAX_UINT64 },
  { size: MAX_UINT64,           factor: 2,    cost: MAX_UINT64 },
  { size: 9007199254740993n,    factor: 1,    cost: 9007199254740992n },
])("$size times $factor is $cost", ({ size, factor, cost }) => {
  expect(multiplyByCostFactor({ min: size, max: size }, factor)).toEqual({ min: cost, max: cost });
});

test("a union holds both ranges", () => {
  expect(unionRanges({ min: 2n, max: 3n }, { min: 1n, max: 2n })).toEqual({ min: 1n, max: 3n });
});
