/** Random edits of random schemas: every witness must hold, and no sample may contradict a safe verdict. */
import { expect, test } from "vitest";
import { runRuleTrial, runTrial, type Trial } from "./trial.ts";

const TRIALS = Number(process.env["UPGRADE_TRIALS"] ?? 300);
/** Fewer trials, because each takes longer: for most rules a refused object is searched. */
const RULE_TRIALS = Math.ceil(TRIALS / 8);
const FIRST = Number(process.env["UPGRADE_SEED"] ?? 1);

test.each([
  { name: "schemas", run: runTrial, trials: TRIALS, samples: 60 },
  { name: "rules", run: runRuleTrial, trials: RULE_TRIALS, samples: 400 },
])(
  "verdicts on random edits of $name stand up to sampled objects",
  { timeout: 600_000 },
  ({ run, trials, samples }) => {
    let compared = 0;
    for (let seed = FIRST; seed < FIRST + trials; seed++) {
      const trial: Trial | undefined = run(seed, samples);
      if (trial === undefined) continue;
      compared++;
      expect(trial.complaints, `seed ${seed}`).toEqual([]);
    }
    expect(compared).toBeGreaterThan(trials / 2);
  },
);
