/** Our policies against the responses of a kube-apiserver: objects accepted and refused, requests, type checking. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { compareWithLedger, readLedger, type Verdict } from "./ledger.ts";
import { answerObject, type ObjectCase } from "./policy/object-case.ts";
import { answerRequest, type RequestCase } from "./policy/request-case.ts";
import { answerTypecheck, type TypecheckCase } from "./policy/typecheck-case.ts";
import { committedScoreboard, score } from "./scoreboard.ts";

const UPSTREAM = "Kubernetes v1.36.4";
const SHOWN = Number(process.env["SHOW_FAILURES"] ?? 5);
const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "corpora", "policy");

const listed = readLedger("policy");
const verdicts = new Map<string, Verdict>();

test("requests have the recorded responses", () => {
  expectAgreement("requests", read<RequestCase>("requests"), ({ expect: want }) => want, answerRequest);
});

test("policies and bindings are accepted and refused as recorded", () => {
  expectAgreement("objects", read<ObjectCase>("objects"), ({ expect: want }) => want, answerObject);
});

test("type checking warns as recorded", () => {
  expectAgreement("typecheck", read<TypecheckCase>("typecheck"), ({ warnings }) => warnings, answerTypecheck);
});

function read<T>(name: string): readonly T[] {
  const lines = readFileSync(path.join(folder, `${name}.jsonl`), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line): T => JSON.parse(line));
}

function expectAgreement<T extends { readonly id: string }>(
  topic: string,
  cases: readonly T[],
  wanted: (recorded: T) => unknown,
  answer: (recorded: T) => unknown,
): void {
  const failures = new Map<string, string>();
  for (const recorded of cases) {
    const [want, got] = [plain(wanted(recorded)), plain(answer(recorded))];
    if (!isDeepStrictEqual(want, got)) failures.set(recorded.id, describe(recorded.id, want, got));
  }
  const ids = cases.map(({ id }) => id);
  const verdict = { passed: ids.filter((id) => !failures.has(id)), failed: [...failures.keys()] };
  verdicts.set(topic, verdict);
  const { unlisted, stale } = compareWithLedger(verdict, listed);
  const shown = unlisted.slice(0, SHOWN).map((id) => failures.get(id));
  expect.soft(unlisted.length, `${unlisted.length} of ${cases.length} disagree\n\n${shown.join("\n\n")}`).toBe(0);
  expect.soft(stale, "these agree now: take them off the ledger").toEqual([]);
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function describe(id: string, want: unknown, got: unknown): string {
  return `${id}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}`;
}

test("the scoreboard is up to date", ({ skip }) => {
  if (verdicts.size < 3) skip();
  const current = score(UPSTREAM, verdicts);
  expect(committedScoreboard("policy", current), "run with UPDATE_SCOREBOARD=1 to write it").toEqual(current);
});
