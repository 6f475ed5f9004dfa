/**
 * Random pairs of schemas, edited by the operators of `author-pairs.ts` or with the rules of `author-chains.ts`: no
 * proof may be refuted, and every witness must hold.
 *
 * `UPGRADE_REFUTER=200000` sets the number of seeds, `UPGRADE_SEED` the first of them; `UPGRADE_LOG=file` keeps the
 * counts of a long run; `UPGRADE_AUTHOR=edits` or `chains` chooses one of the two.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { AUTHORS, type Refutation, runRefuter } from "./refuter.ts";

const PAIRS = Number(process.env["UPGRADE_REFUTER"] ?? 120);
const FIRST = Number(process.env["UPGRADE_SEED"] ?? 1);
const LOG = process.env["UPGRADE_LOG"];

const WANTED = process.env["UPGRADE_AUTHOR"];
const authors = (Object.keys(AUTHORS) as (keyof typeof AUTHORS)[]).filter((each) => each === (WANTED ?? each));

test.each(authors)("no proof about random pairs is refuted: %s", { timeout: 24 * 3600 * 1000 }, (author) => {
  const counts = { pairs: 0, safe: 0, unsafe: 0, unknown: 0 };
  const complaints: string[] = [];
  for (let seed = FIRST; seed < FIRST + PAIRS; seed++) {
    const run = runRefuter(seed, 150, author);
    if (run === undefined) continue;
    counts.pairs++;
    counts[worstVerdict(run)]++;
    complaints.push(...run.complaints.map((each) => `seed ${seed}: ${each}: ${JSON.stringify(run.pair)}`));
    if (LOG !== undefined && counts.pairs % 100 === 0) {
      writeFileSync(LOG, JSON.stringify({ seed, ...counts, complaints }, undefined, 1));
    }
  }
  expect(complaints).toEqual([]);
  expect(counts.pairs).toBeGreaterThan(PAIRS / 4);
});

function worstVerdict({ changes }: Refutation): "safe" | "unsafe" | "unknown" {
  const verdicts = changes.filter(({ axis }) => axis === "validity").map(({ verdict }) => verdict);
  return (["unsafe", "unknown"] as const).find((verdict) => verdicts.includes(verdict)) ?? "safe";
}

/** The largest runs so far; `command` repeats each. */
test("no proof was contradicted in the recorded runs", () => {
  const file = path.join(import.meta.dirname, "../../scoreboard/upgrade-refuter.json");
  const runs: Record<string, { pairs: number; contradicted: number }> = JSON.parse(readFileSync(file, "utf8"));
  for (const { pairs, contradicted } of Object.values(runs)) {
    expect(pairs).toBeGreaterThan(2000);
    expect(contradicted).toBe(0);
  }
});
