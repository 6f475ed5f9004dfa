/** Random edits of random schemas: no witness may show nothing, and nothing called safe may be contradicted by a sample. */
import { expect, test } from "vitest";
import { runTrial } from "./trial.ts";

const TRIALS = Number(process.env["UPGRADE_TRIALS"] ?? 300);
const FIRST = Number(process.env["UPGRADE_SEED"] ?? 1);

test("verdicts on random edits stand up to sampled objects", { timeout: 600_000 }, () => {
  let judged = 0;
  for (let seed = FIRST; seed < FIRST + TRIALS; seed++) {
    const trial = runTrial(seed, 60);
    if (trial === undefined) continue;
    judged++;
    expect(trial.complaints, `seed ${seed}`).toEqual([]);
  }
  expect(judged).toBeGreaterThan(TRIALS / 2);
});
