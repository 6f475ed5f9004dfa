/**
 * Random pairs of schemas, edited by the operators of `author-pairs.ts` or with the rules of `author-chains.ts`: no
 * proof may be refuted, and every witness must hold.
 *
 * `UPGRADE_REFUTER=2000` sets the number of seeds, `UPGRADE_SEED` the first of them; `UPGRADE_AUTHOR=edits` or `chains`
 * chooses one of the two. `refute.mjs` is for long runs.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { AUTHORS, runRefuter } from "./refuter.ts";

const PAIRS = Number(process.env["UPGRADE_REFUTER"] ?? 120);
const FIRST = Number(process.env["UPGRADE_SEED"] ?? 1);

const WANTED = process.env["UPGRADE_AUTHOR"];
const authors = (Object.keys(AUTHORS) as (keyof typeof AUTHORS)[]).filter((each) => each === (WANTED ?? each));

test.each(authors)("no proof about random pairs is refuted: %s", { timeout: 24 * 3600 * 1000 }, (author) => {
  let pairs = 0;
  const complaints: string[] = [];
  for (let seed = FIRST; seed < FIRST + PAIRS; seed++) {
    const run = runRefuter(seed, 150, author);
    if (run === undefined) continue;
    pairs++;
    complaints.push(...run.complaints.map((each) => `seed ${seed}: ${each}: ${JSON.stringify(run.pair)}`));
  }
  expect(complaints).toEqual([]);
  expect(pairs).toBeGreaterThan(PAIRS / 4);
});

/** The largest runs so far; `command` repeats each. */
test("no proof was contradicted in the recorded runs", () => {
  const file = path.join(import.meta.dirname, "../../scoreboard/upgrade-refuter.json");
  const runs: Record<string, { pairs: number; contradicted: number }> = JSON.parse(readFileSync(file, "utf8"));
  for (const { pairs, contradicted } of Object.values(runs)) {
    expect(pairs).toBeGreaterThan(2000);
    expect(contradicted).toBe(0);
  }
});
