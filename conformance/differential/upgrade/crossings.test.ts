/**
 * Schemas of one type against one another: what is called safe must not refuse any of the listed values.
 *
 * `UPGRADE_CROSSINGS=20000` sets the number of pairs; the default is smaller.
 */
import { expect, test } from "vitest";
import { Random } from "../apply/random.ts";
import { CROSSINGS, FRAMES } from "./crossing-schemas.ts";
import { CrossingTable } from "./crossings.ts";

const PAIRS = Number(process.env["UPGRADE_CROSSINGS"] ?? 180);
const SEED = Number(process.env["UPGRADE_SEED"] ?? 1);

const kinds = Object.keys(CROSSINGS);
const frames = Object.keys(FRAMES);

test.each(kinds)("no pair of %s that breaks something is called safe", { timeout: 24 * 3600 * 1000 }, (kind) => {
  const share = Math.ceil(PAIRS / kinds.length);
  const verdicts = new Set<string>();
  for (const [index, frame] of frames.entries()) {
    // An ordinary run looks at one place for each kind, another one for each.
    if (PAIRS < 1000 && index !== kinds.indexOf(kind) % frames.length) continue;
    const random = new Random(SEED + index);
    const table = new CrossingTable(kind, frame);
    for (let left = PAIRS < 1000 ? share : Math.ceil(share / frames.length); left > 0; left--) {
      const { old, new: next, verdict, complaints } = table.run(random);
      verdicts.add(verdict);
      expect(complaints, `${frame}: ${old} to ${next}`).toEqual([]);
    }
  }
  expect(verdicts).toContain("safe");
  expect(verdicts).toContain("unsafe");
});
