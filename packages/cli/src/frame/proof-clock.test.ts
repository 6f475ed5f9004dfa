import { expect, test } from "vitest";
import { proofClock } from "./proof-clock.ts";

// biome-ignore format: a table
test.each([
  { name: "counts processor time while other programs run",    passed: 100, used: 60,  spent: 60 },
  { name: "counts a quarter of the clock while nothing runs",  passed: 100, used: 0,   spent: 25 },
  { name: "counts the threads of the process as one",          passed: 100, used: 180, spent: 100 },
])("the clock of proofs $name", ({ passed, used, spent }) => {
  let turn = 0;
  const now = proofClock(
    () => turn * passed,
    () => turn * used,
  );
  turn = 1;
  expect(now()).toBe(spent);
  turn = 3;
  expect(now()).toBe(3 * spent);
});
