/**
 * Our engine against the real code on random schemas, objects, edits and CRDs. Needs Go, so it is only run manually:
 *
 *     (cd conformance/oracle && go build -o engine.bin ./engine)
 *     ORACLE=conformance/oracle/engine.bin npx vitest run conformance/differential/engine
 *
 * `CASES` (default 10000, distributed over the kinds) and `SEED` (default 1) select the cases. A disagreement is shrunk
 * and appended to `corpora/engine/<kind>-found.jsonl`. `RECORD=300` writes that many of each kind to
 * `<kind>-generated.jsonl` instead.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { corpusFolder, type Kind } from "../../runners/engine/case.ts";
import { Random } from "../apply/random.ts";
import { type Asked, askBoth, isStable } from "./compare.ts";
import { lineText, questionId, randomQuestions } from "./question.ts";
import { shrink } from "./shrink.ts";

const oracle = process.env["ORACLE"] ?? "";
const cases = Number(process.env["CASES"] ?? 10_000);
const seed = Number(process.env["SEED"] ?? 1);
const record = Number(process.env["RECORD"] ?? 0);
const SHRUNK_PER_KIND = 12;

const shares: readonly (readonly [Kind, number])[] = [
  ["values", 0.45],
  ["updates", 0.45],
  ["definitions", 0.1],
];

test.skipIf(oracle === "").each(shares)(
  "random %s have the same answer",
  (kind, share) => {
    const count = record > 0 ? record : Math.ceil(cases * share);
    const asked = askBoth(oracle, kind, randomQuestions(new Random(seed), kind, count));
    const crashed = asked.filter((each) => each.case.want.panic !== undefined).length;
    const refused = asked.filter((each) => each.case.want.errors.length > 0).length;
    const different = asked.filter((each) => each.differences.length > 0 && isStable(oracle, kind, each.question));
    if (record > 0) return writeCorpus(kind, asked);
    const shown = distinctKinds(different).map((each) => describe(kind, shrink(oracle, kind, each)));
    const summary = `${different.length} of ${count} disagree (${refused} with errors, ${crashed} crashed upstream)`;
    console.log(`${kind}: ${summary}`);
    expect(different.length, [summary, ...shown].join("\n\n")).toBe(0);
  },
  3_600_000,
);

function writeCorpus(kind: Kind, asked: readonly Asked[]): void {
  const stable = asked.filter((each) => each.case.want.panic === undefined && isStable(oracle, kind, each.question));
  // A simple schema soon gets the same value again.
  const lines = new Set(stable.map((each) => corpusLine(kind, "generated", each)));
  writeFileSync(path.join(corpusFolder, `${kind}-generated.jsonl`), [...lines].join(""));
}

function corpusLine(kind: Kind, topic: string, { question, line }: Asked): string {
  return `{"id":"${questionId(kind, topic, question)}",${line.slice(1)}\n`;
}

/** A few of each kind of difference: the rest are probably duplicates. */
function distinctKinds(different: readonly Asked[]): readonly Asked[] {
  const seen = new Map<string, number>();
  const chosen = different.filter(({ differences }) => {
    const key = differences.map(({ field }) => field).join();
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return (seen.get(key) ?? 0) <= 4;
  });
  return chosen.slice(0, SHRUNK_PER_KIND);
}

function describe(kind: Kind, found: Asked): string {
  appendFileSync(path.join(corpusFolder, `${kind}-found.jsonl`), corpusLine(kind, "found", found));
  const parts = found.differences.map(({ field, want, got }) => `  ${field}\n    want ${want}\n    got  ${got}`);
  return [lineText(found.question), ...parts].join("\n");
}
