/**
 * The conformance suite of CEL and cel-go's own parser, checker and comprehension tests, from the cel-spec package.
 * Cases that need protobuf messages or an extension Kubernetes does not enable are listed with their reason; a listed
 * case that passes fails the run.
 */
import { expect, test } from "vitest";
import { checkCompilation, checkEvaluation } from "./cel-spec/subject.ts";
import { checkingCases, comprehensionCases, conformanceCases, parsingCases, type SpecCase } from "./cel-spec/suite.ts";
import { compareWithLedger, readLedger, type Verdict } from "./ledger.ts";
import { committedScoreboard, score } from "./scoreboard.ts";

const UPSTREAM = "cel-spec v0.25.1, cel-go, as in @bufbuild/cel-spec 0.6.1";
const SHOWN = Number(process.env["SHOW_FAILURES"] ?? 5);

type Check = (entry: SpecCase) => string | undefined;

// biome-ignore format: a table
const suites: readonly { name: string; cases: readonly SpecCase[]; check: Check }[] = [
  { name: "compile/parsing",       cases: parsingCases,       check: checkCompilation },
  { name: "compile/checking",      cases: checkingCases,      check: checkCompilation },
  { name: "compile/comprehension", cases: comprehensionCases, check: checkCompilation },
  { name: "compile/conformance",   cases: conformanceCases,   check: checkCompilation },
  { name: "evaluate/conformance",  cases: conformanceCases,   check: checkEvaluation },
];

const listed = readLedger("cel-spec", ["cel-spec"]);
const verdicts = new Map<string, Verdict>();

test.each(suites)("$name agrees", ({ name, cases, check }) => {
  const problems = new Map<string, string>();
  const verdict = { passed: [] as string[], failed: [] as string[] };
  for (const entry of cases) {
    const id = `${name.split("/")[0]}/${entry.id}`;
    const problem = attempt(check, entry);
    if (problem !== undefined) problems.set(id, `${id}   ${entry.test.expr}\n${problem}`);
    (problem === undefined ? verdict.passed : verdict.failed).push(id);
  }
  verdicts.set(name, verdict);
  const { unlisted, stale } = compareWithLedger(verdict, listed);
  const shown = unlisted.slice(0, SHOWN).map((id) => problems.get(id) ?? id);
  expect(unlisted.length, `${unlisted.length} cases fail\n\n${shown.join("\n\n")}`).toBe(0);
  expect(stale, "these pass now: take them off the list").toEqual([]);
});

test("the list has only cases that exist", () => {
  const known = new Set([...verdicts.values()].flatMap(({ passed, failed }) => [...passed, ...failed]));
  if (verdicts.size === suites.length) expect([...listed.keys()].filter((id) => !known.has(id))).toEqual([]);
});

test("the scoreboard is up to date", ({ skip }) => {
  if (verdicts.size < suites.length) skip();
  const current = score(UPSTREAM, verdicts);
  expect(committedScoreboard("cel-spec", current), "run with UPDATE_SCOREBOARD=1 to write it").toEqual(current);
});

function attempt(check: Check, entry: SpecCase): string | undefined {
  try {
    return check(entry);
  } catch (thrown) {
    return `threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`;
  }
}
