/**
 * Upgrades that published projects really made.
 *
 *     npx vitest run conformance/differential/upgrade/releases.test.ts        # a part, a few objects each
 *     npm run prove:upgrades                                                  # all pairs, up to 1,000 objects each
 *     UPDATE_SCOREBOARD=1 npm run prove:upgrades                              # writes scoreboard/upgrade-releases.json
 *     UPGRADE_PROJECTS=keda,velero npm run prove:upgrades                     # some projects only
 *     UPGRADE_MORE_RELEASES=FOLDER npm run prove:upgrades                     # also projects that are not committed
 *     npm run prove:upgrades -- --server https://127.0.0.1:6443 --token TOKEN     # also replays every witness there
 *
 * `conformance/recorders/upgrade/record.mjs` records other projects into a folder; `other-repositories.txt` beside it
 * lists those of the results.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { proveRelease, type ReleaseProof } from "./release-proof.ts";
import { otherProjects, projects, type ReleasePair, readPairs } from "./releases.ts";
import { ServerReplay, type ServerResult } from "./server-replay.ts";

const isAll = process.env["UPGRADE_RELEASES"] === "all";
const SAMPLES = Number(process.env["UPGRADE_SAMPLES"] ?? (isAll ? 1000 : 20));
/** An ordinary run checks one of this many pairs, with a smaller budget. */
const STRIDE = 15;
const BUDGET = 400;

const scoreFile = path.join(import.meta.dirname, "../../scoreboard/upgrade-releases.json");
const committed: Scores = JSON.parse(readFileSync(scoreFile, "utf8"));

interface Scores {
  readonly [project: string]: Score;
}

interface Score {
  pairs: number;
  changedNodes: number;
  unknownNodes: number;
  safe: number;
  unsafe: number;
  witnesses: number;
  unknown: Record<string, number>;
  samples: number;
  contradictions: number;
  /** Witnesses that a kube-apiserver confirmed, if one was at hand, and those that could not be tried, by reason. */
  replayed?: { readonly confirmed: number; readonly skipped: Record<string, number> };
}

const { UPGRADE_SERVER: url, UPGRADE_TOKEN: token = "" } = process.env;
const server = url === undefined ? undefined : new ServerReplay({ url, token });

/** Replays the witnesses of all pairs; a contradiction fails the test. */
async function replayAll(
  replay: ServerReplay,
  pairs: readonly ReleasePair[],
  proofs: readonly ReleaseProof[],
): Promise<Score["replayed"]> {
  const result: ServerResult = { confirmed: 0, skipped: {}, contradictions: [] };
  for (const [index, pair] of pairs.entries()) {
    const shown = proofs[index]?.shown ?? [];
    if (shown.length > 0) await replay.replay([pair.old(), pair.new()], shown, result);
  }
  expect(result.contradictions).toEqual([]);
  return { confirmed: result.confirmed, skipped: result.skipped };
}

const all = [...projects, ...otherProjects];
const wanted = process.env["UPGRADE_PROJECTS"]?.split(",") ?? all;
const scores: Record<string, Score> = {};

describe.each(all)("upgrades of %s", (project) => {
  const pairs = readPairs(project);
  const chosen = !wanted.includes(project)
    ? []
    : isAll
      ? pairs
      : pairs.filter((_, index) => index % STRIDE === STRIDE >> 1);

  // A project with few pairs may have none in an ordinary run; `npm run prove:upgrades` runs all of them.
  test.skipIf(chosen.length === 0)(
    "are not contradicted by replayed witnesses and sampled objects",
    { timeout: 3_600_000 },
    async () => {
      const proofs = chosen.map((pair: ReleasePair) =>
        proveRelease(pair, { samples: SAMPLES, ...(isAll ? {} : { budget: BUDGET }) }),
      );
      expect(proofs.flatMap(({ complaints }) => complaints)).toEqual([]);
      const replayed = server === undefined ? committed[project]?.replayed : await replayAll(server, chosen, proofs);
      scores[project] = { ...scoreOf(proofs), ...(replayed === undefined ? {} : { replayed }) };
    },
  );

  // Projects that are not committed have more releases tomorrow.
  test.skipIf(!projects.includes(project))("are all in the committed results", () => {
    expect(committed[project]?.pairs).toBe(pairs.length);
  });
});

test("the committed results cover 600 pairs, with nothing contradicted and at most 0.5 % unknown", () => {
  const results = Object.values(committed);
  const sum = (pick: (score: Score) => number): number => results.reduce((total, score) => total + pick(score), 0);
  expect(sum(({ pairs }) => pairs)).toBeGreaterThanOrEqual(600);
  expect(sum(({ contradictions }) => contradictions)).toBe(0);
  expect(sum(({ unknownNodes }) => unknownNodes) / sum(({ changedNodes }) => changedNodes)).toBeLessThanOrEqual(0.005);
});

afterAll(() => {
  if (!isAll) return;
  if (process.env["UPDATE_SCOREBOARD"] !== "1") {
    for (const project of projects.filter((each) => scores[each] !== undefined))
      expect(scores[project], project).toEqual(committed[project]);
    return;
  }
  // Read again: another run may have written other projects since.
  const merged = { ...JSON.parse(readFileSync(scoreFile, "utf8")), ...scores };
  const sorted = Object.fromEntries(Object.entries(merged).sort(([left], [right]) => (left < right ? -1 : 1)));
  writeFileSync(scoreFile, `${JSON.stringify(sorted, undefined, 1)}\n`);
});

function scoreOf(proofs: readonly ReleaseProof[]): Score {
  const score: Score = {
    pairs: proofs.length,
    changedNodes: 0,
    unknownNodes: 0,
    safe: 0,
    unsafe: 0,
    witnesses: 0,
    unknown: {},
    samples: 0,
    contradictions: 0,
  };
  for (const proof of proofs) {
    for (const key of ["changedNodes", "unknownNodes", "safe", "unsafe", "witnesses", "samples"] as const)
      score[key] += proof[key];
    score.contradictions += proof.complaints.length;
    for (const [reason, count] of Object.entries(proof.unknown))
      score.unknown[reason] = (score.unknown[reason] ?? 0) + count;
  }
  return score;
}
