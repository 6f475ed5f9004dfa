/**
 * Our engine against the results of cel-go and the Kubernetes libraries: values, error texts, issues, types, static and
 * actual costs. One test per topic; the message shows the first disagreements.
 */
import { type KubernetesVersion, minorOf } from "@portcullis/engine/internal/value/server-version";
import { describe, expect, test } from "vitest";
import {
  extraFile,
  type RecordedCase,
  readCases,
  readTopic,
  readVersion,
  recordedVersions,
  textOf,
  topics,
} from "./cel/case.ts";
import { type Difference, differences } from "./cel/compare.ts";
import { runCase } from "./cel/subject.ts";
import { compareWithLedger, readLedger, type Verdict } from "./ledger.ts";
import { committedScoreboard, score } from "./scoreboard.ts";

const UPSTREAM = "cel-go v0.26.0, Kubernetes v1.36.4";
const SHOWN = Number(process.env["SHOW_FAILURES"] ?? 5);

const listed = readLedger("cel");
const verdicts = new Map<string, Verdict>();

test.each(topics)("%s agrees with the recorded answers", (topic) => {
  verdicts.set(topic, expectAgreement(readTopic(topic)));
});

const versions = recordedVersions().map((version) => ({
  version,
  answers: new Map(readVersion(version).map((recorded) => [recorded.case.id, recorded])),
}));

describe.each(versions)("Kubernetes $version", ({ version, answers }) => {
  test.each(topics)("%s agrees with its answers", (topic) => {
    const cases = readTopic(topic).filter((recorded) => isWithin(recorded, version));
    const own = cases.map((recorded) => answers.get(recorded.case.id) ?? recorded);
    const ledger = readLedger(`cel-${version}`);
    const verdict = verdictOf(new Map(own.map((entry) => [entry.case.id, differencesOn(entry, version)])));
    const { unlisted, stale } = compareWithLedger(verdict, new Map([...listed, ...ledger]));
    const described = own.filter(({ case: { id } }) => unlisted.slice(0, SHOWN).includes(id));
    expect.soft(described.map((entry) => describeFailure(entry, differencesOn(entry, version)))).toEqual([]);
    expect
      .soft(
        stale.filter((id) => ledger.has(id)),
        "these agree now: take them off the ledger",
      )
      .toEqual([]);
  });
});

function differencesOn(recorded: RecordedCase, version: KubernetesVersion): readonly Difference[] {
  return differences(recorded.case.want, runCase(recorded, version));
}

/** Whether a server of the version can have the compatibility version that a case names. */
function isWithin({ case: { env } }: RecordedCase, version: KubernetesVersion): boolean {
  return env?.version === undefined || minorOf(env.version) <= minorOf(version);
}

test("cases that only 1.37 has agree", () => {
  const answers = versions.find(({ version }) => version === "1.37")?.answers ?? new Map<string, RecordedCase>();
  const cases = [...answers.values()].filter(({ case: { id } }) => id.startsWith("since-"));
  expect(cases.length).toBeGreaterThan(50);
  const failures = cases.map((recorded) => ({ recorded, found: differencesOn(recorded, "1.37") }));
  expect(
    failures.filter(({ found }) => found.length > 0).map(({ recorded, found }) => describeFailure(recorded, found)),
  ).toEqual([]);
});

test.runIf(extraFile !== undefined)("the extra cases agree", () => {
  expectAgreement(readCases(extraFile ?? ""));
});

test("the ledger lists only cases that exist", () => {
  const known = new Set(topics.flatMap((topic) => readTopic(topic).map((recorded) => recorded.case.id)));
  expect([...listed.keys()].filter((id) => !known.has(id))).toEqual([]);
});

test("the scoreboard is up to date", ({ skip }) => {
  if (verdicts.size < topics.length) skip();
  const current = score(UPSTREAM, verdicts);
  expect(committedScoreboard("cel", current), "run with UPDATE_SCOREBOARD=1 to write it").toEqual(current);
});

function verdictOf(found: ReadonlyMap<string, readonly Difference[]>): Verdict {
  const ids = [...found.keys()];
  const agrees = (id: string) => found.get(id)?.length === 0;
  return { passed: ids.filter(agrees), failed: ids.filter((id) => !agrees(id)) };
}

function describeFailure(recorded: RecordedCase | undefined, found: readonly Difference[]): string {
  if (recorded === undefined) return "";
  const env = recorded.case.env === undefined ? "" : `   ${JSON.stringify(recorded.case.env)}`;
  const lines = found.map(({ field, want, got }) => `  ${field}\n    want ${show(want)}\n    got  ${show(got)}`);
  return [`${recorded.case.id}   ${brief(textOf(recorded.case))}${env}`, ...lines].join("\n");
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return brief(text).replaceAll("\n", "\n         ");
}

function brief(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}

/** The assertions are soft: the scoreboard also needs the verdict of a topic that disagrees. */
function expectAgreement(recorded: readonly RecordedCase[]): Verdict {
  const cases = new Map(recorded.map((entry) => [entry.case.id, entry]));
  const found = new Map([...cases].map(([id, entry]) => [id, differences(entry.case.want, runCase(entry))]));
  const verdict = verdictOf(found);
  const { unlisted, stale } = compareWithLedger(verdict, listed);
  const shown = unlisted.slice(0, SHOWN).map((id) => describeFailure(cases.get(id), found.get(id) ?? []));
  const summary = `${unlisted.length} of ${cases.size} cases disagree\n\n${shown.join("\n\n")}`;
  expect.soft(unlisted.length, summary).toBe(0);
  expect.soft(stale, "these agree now: take them off the ledger").toEqual([]);
  return verdict;
}
