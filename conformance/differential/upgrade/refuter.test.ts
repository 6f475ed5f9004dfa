/**
 * Random pairs of schemas, edited by the operators of `author-pairs.ts`: no proof may be refuted, and every witness
 * must hold.
 *
 * `UPGRADE_REFUTER=200000` sets the number of pairs; the default is smaller.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runRefuter } from "./refuter.ts";

const PAIRS = Number(process.env["UPGRADE_REFUTER"] ?? 120);
const FIRST = Number(process.env["UPGRADE_SEED"] ?? 1);

test("no proof about an edited schema is refuted", { timeout: 24 * 3600 * 1000 }, () => {
  let compared = 0;
  for (let seed = FIRST; seed < FIRST + PAIRS; seed++) {
    const run = runRefuter(seed, 150);
    if (run === undefined) continue;
    compared++;
    const shown = `seed ${seed}: ${JSON.stringify(run.pair)}`;
    expect(run.complaints, shown).toEqual([]);
  }
  expect(compared).toBeGreaterThan(PAIRS / 3);
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
