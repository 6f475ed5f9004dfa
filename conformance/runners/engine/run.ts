/** One vitest test per topic; the message shows the first disagreements. */

import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { expect, test } from "vitest";
import { compareWithLedger, readLedger, type Verdict } from "../ledger.ts";
import { RECORDED_VERSION } from "../recorded-version.ts";
import { committedScoreboard, score } from "../scoreboard.ts";
import { type Answer, type EngineCase, readTopic } from "./case.ts";
import { type Difference, differences } from "./compare.ts";

const UPSTREAM = "Kubernetes v1.36.4";
const SHOWN = Number(process.env["SHOW_FAILURES"] ?? 5);

type Answerer = (asked: EngineCase) => Answer;

export function testTopics(suite: string, topics: readonly string[], answer: Answerer): void {
  testCases(suite, new Map(topics.map((topic) => [topic, () => readTopic(topic)])), answer);
}

/** `suite` names the ledger's prefix and the scoreboard. */
export function testCases(
  suite: string,
  sources: ReadonlyMap<string, () => readonly EngineCase[]>,
  answer: Answerer,
): void {
  const topics = [...sources.keys()];
  const casesOf = (topic: string) => sources.get(topic)?.() ?? [];
  const listed = readLedger(suite);
  const verdicts = new Map<string, Verdict>();

  test.each(topics)("%s agrees with the recorded answers", (topic) => {
    const cases = new Map(casesOf(topic).map((each) => [each.id, each]));
    const found = new Map([...cases].map(([id, each]) => [id, differences(each.want, safely(answer, each))]));
    const verdict = verdictOf(found);
    verdicts.set(topic, verdict);
    const { unlisted, stale } = compareWithLedger(verdict, listed);
    const shown = unlisted.slice(0, SHOWN).map((id) => describeFailure(cases.get(id), found.get(id) ?? []));
    const summary = `${unlisted.length} of ${cases.size} cases disagree\n\n${shown.join("\n\n")}`;
    expect(unlisted.length, summary).toBe(0);
    expect(stale, "these agree now: take them off the ledger").toEqual([]);
  });

  test("the ledger lists only cases that exist", () => {
    const known = new Set(topics.flatMap((topic) => casesOf(topic).map(({ id }) => id)));
    expect([...listed.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  test("the scoreboard is up to date", ({ skip }) => {
    if (verdicts.size < topics.length) skip();
    const current = score(UPSTREAM, verdicts);
    expect(committedScoreboard(suite, current), "run with UPDATE_SCOREBOARD=1 to write it").toEqual(current);
  });
}

/** A crash of our code is an ordinary disagreement, so that one does not hide the rest. */
function safely(answer: Answerer, asked: EngineCase): Answer {
  try {
    return asVersion(RECORDED_VERSION, () => answer(asked));
  } catch (crash) {
    const text = crash instanceof Error ? (crash.stack ?? crash.message) : String(crash);
    return { decode: `crashed: ${text}`, unknown: [], errors: [], warnings: [], costs: [] };
  }
}

function verdictOf(found: ReadonlyMap<string, readonly Difference[]>): Verdict {
  const ids = [...found.keys()];
  const agrees = (id: string) => found.get(id)?.length === 0;
  return { passed: ids.filter(agrees), failed: ids.filter((id) => !agrees(id)) };
}

function describeFailure(asked: EngineCase | undefined, found: readonly Difference[]): string {
  if (asked === undefined) return "";
  const question = [
    asked.id,
    ...[asked.schema, asked.old, asked.object].flatMap((each) =>
      each === undefined ? [] : brief(canonicalJson(each, { escapeHtml: false })),
    ),
  ];
  const lines = found.map(({ field, want, got }) => `  ${field}\n    want ${show(want)}\n    got  ${show(got)}`);
  return [question.join("\n  "), ...lines].join("\n");
}

function show(text: string): string {
  return brief(text).replaceAll("\n", "\n         ");
}

function brief(text: string): string {
  return text.length > 1500 ? `${text.slice(0, 1500)}… (${text.length} characters)` : text;
}
