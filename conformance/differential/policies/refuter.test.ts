/**
 * Edited policies of the examples and of the corpus of proofs: no request may contradict a proof, and every witness must
 * hold. The edits are the operators of `proof-mutants.testing.ts`.
 *
 * `POLICY_PAIRS=20000` sets the number of pairs, `POLICY_SEED` the first of them; `POLICY_LOG=file` keeps the counts of
 * a long run.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { RefutedSource, type Trial } from "./refuter.ts";
import { policySources } from "./sources.ts";

const PAIRS = Number(process.env["POLICY_PAIRS"] ?? 60);
const SEED = Number(process.env["POLICY_SEED"] ?? 1);
const LOG = process.env["POLICY_LOG"];

/** Pairs from one source before the next one is opened. */
const SHARE = Math.max(1, Math.min(100, Math.floor(PAIRS / 40)));
const OPTIONS = { seconds: 0.3, tries: 60 };

test("no proof about an edited policy is refuted", { timeout: 24 * 3600 * 1000 }, async () => {
  const sources = policySources();
  const counts = { pairs: 0, none: 0, some: 0, unknown: 0 };
  const complaints: string[] = [];
  const count = ({ name, comparison, complaints: own }: Trial): void => {
    counts.pairs++;
    for (const { verdict } of [comparison.newlyDenied, comparison.newlyAllowed]) counts[verdict]++;
    complaints.push(...own.map((each) => `${name}: ${each}`));
  };
  for (let round = 0; counts.pairs < PAIRS; round++) {
    const source = sources[(SEED * 31 + round * 7) % sources.length];
    if (source === undefined) throw new Error("there are sources");
    const opened = await RefutedSource.open(source, OPTIONS);
    for (let tried = 0, made = 0; made < SHARE && tried < SHARE * 3 && counts.pairs < PAIRS; tried++) {
      const trial = await opened.trial(SEED * 1_000_003 + round * 997 + tried);
      if (trial === undefined) continue;
      made++;
      count(trial);
    }
    if (LOG !== undefined) writeFileSync(LOG, JSON.stringify({ round, ...counts, complaints }, undefined, 1));
  }
  expect(complaints).toEqual([]);
});

/** The largest run so far; `command` repeats it. */
test("no proof was contradicted in the recorded run", () => {
  const file = path.join(import.meta.dirname, "../../scoreboard/policy-refuter.json");
  const { pairs, contradicted }: { pairs: number; contradicted: number } = JSON.parse(readFileSync(file, "utf8"));
  expect(pairs).toBeGreaterThan(1000);
  expect(contradicted).toBe(0);
});
