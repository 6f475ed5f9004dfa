/**
 * What the features of the designs may cost a write. KEP-4008 allows ratcheting 5 %: the committed figure, and a short
 * measurement of this build. Strict field validation (KEP-2885) has the same limit here.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error: benchmarks have no types
import { LIMIT_PERCENT, measureOverhead } from "../../bench/ratcheting.mjs";

const FILE = path.join(import.meta.dirname, "..", "scoreboard", "ratcheting-overhead.json");

test("the committed overhead of ratcheting is within the limit of the design", () => {
  const { limit, percent } = JSON.parse(readFileSync(FILE, "utf8"));
  expect(limit).toBe(5);
  expect(LIMIT_PERCENT).toBe(limit);
  expect(Object.entries(percent).filter(([, value]) => Number(value) > limit)).toEqual([]);
  expect(Object.keys(percent)).toHaveLength(2);
});

test("ratcheting costs an update of a valid object at most 5 % in this build", async () => {
  const percent: Record<string, number> = await measureOverhead({ repeats: 6, millis: 40 });
  expect(Object.entries(percent).filter(([, value]) => value > LIMIT_PERCENT)).toEqual([]);
}, 120_000);

test("strict field validation costs a create at most 5 % in this build", async () => {
  const percent: Record<string, number> = await measureOverhead({ repeats: 6, millis: 40 }, ["strict", "create"]);
  expect(Object.entries(percent).filter(([, value]) => value > LIMIT_PERCENT)).toEqual([]);
}, 120_000);
