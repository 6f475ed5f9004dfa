/** Runs all corpora through a surface: one test for each topic, one scoreboard for each surface. */
import { expect, test } from "vitest";
import { compareWithLedger, readLedger, type Verdict } from "../ledger.ts";
import { committedScoreboard, score } from "../scoreboard.ts";
import type { Outcome } from "../vectors/vector.ts";
import { agrees } from "./compare.ts";
import type { Corpus } from "./corpora.ts";
import { wantedRequest } from "./request.ts";
import { isUnanswered, type Surface, type SurfaceAnswer, type SurfaceCase, type Unanswered } from "./surface.ts";

const UPSTREAM = "Kubernetes v1.36.4";
const SHOWN = Number(process.env["SHOW_FAILURES"] ?? 5);

export function testSurface(surface: Surface, corpora: readonly Corpus[]): void {
  const listed = readLedger(surface.name);
  const verdicts = new Map<string, Verdict>();
  const unanswered: Record<string, number> = {};
  const known = new Set<string>();

  test.each(corpora)("$topic is answered as recorded", async ({ topic, read }) => {
    const [passed, failed, shown]: [string[], string[], string[]] = [[], [], []];
    for (const asked of read()) {
      for (const { id, wanted, answer, isUnordered } of await answersOf(surface, asked)) {
        known.add(`${topic}/${id}`);
        if (isUnanswered(answer)) unanswered[answer.unanswered] = (unanswered[answer.unanswered] ?? 0) + 1;
        else if (agrees(wanted, answer, isUnordered)) passed.push(`${topic}/${id}`);
        else {
          failed.push(`${topic}/${id}`);
          shown.push(`${topic}/${id}\n  want ${JSON.stringify(wanted)}\n  got  ${JSON.stringify(answer)}`);
        }
      }
    }
    await surface.close?.();
    verdicts.set(topic, { passed, failed });
    const { unlisted, stale } = compareWithLedger({ passed, failed }, listed);
    const texts = shown.filter((text) => unlisted.includes(text.split("\n")[0] ?? "")).slice(0, SHOWN);
    expect(unlisted.length, `${unlisted.length} answers differ\n\n${texts.join("\n\n")}`).toBe(0);
    expect(stale, "these agree now: remove them from the ledger").toEqual([]);
  });

  test("the ledger lists only answers that exist", ({ skip }) => {
    if (verdicts.size < corpora.length) skip();
    expect([...listed.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  test("the scoreboard is up to date", ({ skip }) => {
    if (verdicts.size < corpora.length) skip();
    const reasons = Object.fromEntries(Object.entries(unanswered).sort(([a], [b]) => (a < b ? -1 : 1)));
    const current = { ...score(UPSTREAM, verdicts), unanswered: reasons };
    expect(committedScoreboard(surface.name, current), "run with UPDATE_SCOREBOARD=1 to write it").toEqual(current);
  });
}

interface Answered {
  /** Of the case, and of the step where it has several. */
  readonly id: string;
  readonly wanted: Outcome;
  readonly answer: SurfaceAnswer | Unanswered;
  readonly isUnordered: boolean;
}

async function answersOf(surface: Surface, asked: SurfaceCase): Promise<readonly Answered[]> {
  if ("request" in asked) {
    const answer = await surface.answerRequest(asked.request);
    return [{ id: idOf(asked.id), wanted: wantedRequest(asked.request), answer, isUnordered: false }];
  }
  const { vector } = asked;
  const answers = await surface.answerSteps(vector);
  return answers.map((answer, step) => ({
    id: vector.steps.length === 1 ? idOf(asked.id) : `${idOf(asked.id)}/${step}`,
    wanted: vector.expect[step] ?? {},
    answer,
    isUnordered: vector.unordered === true,
  }));
}

/** Ledgers list ids without blanks. */
function idOf(id: string): string {
  return id.replaceAll(/\s+/g, "-");
}
