/** Runs suites: every case is evaluated in its context and compared with the expectation. */

import type { PolicyHook } from "@portcullis/engine/internal/policy/policy-set";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { UnsupportedError, UsageError } from "../input/usage-error.ts";
import * as messages from "../policy/messages.ts";
import { verdictData } from "../policy/verdict-json.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { Coverage } from "./coverage.ts";
import { compare, type Observation } from "./expectation.ts";
import { observeAuthentication } from "./subjects/authentication.ts";
import { observeAuthorization } from "./subjects/authorization.ts";
import { SuiteContext } from "./subjects/context.ts";
import { observeDevice } from "./subjects/device.ts";
import { observeExpression } from "./subjects/expression.ts";
import { observeRequest } from "./subjects/request.ts";
import { runWrites } from "./subjects/writes.ts";
import type { PlacedSuite, RequestSubject, SkippedCase, SuiteCase } from "./suite.ts";

export { SuiteContext } from "./subjects/context.ts";

export interface CaseResult {
  readonly name: string;
  /** The path of the case in the suite. */
  readonly path: string;
  readonly passed: boolean;
  /** The differences from the expectation. */
  readonly problems: readonly string[];
  /** What policies decided, for cases about requests. */
  readonly verdict?: object | undefined;
}

/** Plain data: it may come from another thread. */
export interface SuiteResult {
  readonly file: string;
  readonly name: string;
  readonly results: readonly CaseResult[];
  readonly skipped: readonly SkippedCase[];
  /** Failed cases, at their places. */
  readonly failures: readonly Finding[];
  /** Parts that cannot be read or evaluated. */
  readonly problems: readonly Finding[];
  /** Notes for the reader of the results. */
  readonly notes: readonly string[];
}

export function newContext(engine: EngineOptions): SuiteContext {
  return new SuiteContext(engine);
}

export async function runSuite(suite: PlacedSuite, context: SuiteContext, coverage?: Coverage): Promise<SuiteResult> {
  const notes = new Set<string>();
  const results: CaseResult[] = [];
  const problems = [...(suite.problems ?? [])];
  const skipped = [...(suite.skipped ?? [])];
  for (const each of suite.cases) {
    try {
      const { name, path } = each;
      const { problems: found, verdict } = await runCase(each, { suite, context, coverage, notes });
      results.push({ name, path, passed: found.length === 0, problems: found, verdict });
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown;
      const { name, path } = each;
      if (thrown instanceof UnsupportedError) skipped.push({ name, path, reason: thrown.message });
      else problems.push({ path: each.path, message: `${each.name}: ${thrown.message}` });
    }
  }
  const { file, name, document } = suite;
  const failures = results.filter(({ passed }) => !passed);
  return {
    file,
    name,
    results,
    skipped,
    notes: [...notes],
    failures: failures.map(({ name: test, problems: found, path }) =>
      findingAt(document, { rule: "policy/test", severity: "error", message: `${test}: ${found.join("; ")}`, path }),
    ),
    problems: problems.map(({ path, message }) =>
      findingAt(document, { rule: "policy/suite", severity: "error", message, path }),
    ),
  };
}

/** Whether a case passes. Throws a UsageError if it cannot be evaluated. */
export async function isPassed(each: SuiteCase, suite: PlacedSuite, context: SuiteContext): Promise<boolean> {
  const run = { suite, context, coverage: undefined, notes: new Set<string>() };
  return (await runCase(each, run)).problems.length === 0;
}

interface SuiteRun {
  readonly suite: PlacedSuite;
  readonly context: SuiteContext;
  readonly coverage: Coverage | undefined;
  readonly notes: Set<string>;
}

interface RanCase {
  readonly problems: readonly string[];
  readonly verdict?: object;
}

async function runCase({ subject, expect }: SuiteCase, run: SuiteRun): Promise<RanCase> {
  const { context } = run;
  const compared = (seen: Observation): RanCase => ({ problems: compare(expect, seen) });
  switch (subject.type) {
    case "request": {
      const { seen, verdict } = await observePolicies(subject, run);
      return { problems: compare(expect, seen), verdict: verdictData(verdict, { explain: false }) };
    }
    case "writes":
      return { problems: await runWrites(subject, context, run.coverage) };
    case "expression":
      return compared(observeExpression(subject, context));
    case "authentication":
      return compared(observeAuthentication(subject, context));
    case "authorization":
      return compared(observeAuthorization(subject, context));
    case "device":
      return compared(observeDevice(subject, context));
  }
}

async function observePolicies(subject: RequestSubject, { suite, context, coverage, notes }: SuiteRun) {
  const { policies, notes: converted, refused } = await context.cluster(subject.objects);
  for (const note of converted) notes.add(note);
  const [first] = refused;
  if (first !== undefined && subject.isConverted === true) throw new UnsupportedError(messages.notConverted(first));
  if (first !== undefined && suite.isThirdParty !== true) throw new UsageError(messages.unreadable(suite.file, first));
  for (const each of refused) notes.add(messages.refusedPolicy(each));
  const { hooks, unbound } = policies.policies;
  const { mutating } = policies;
  const count = hooks.length + unbound.length + mutating.hooks.length + mutating.unbound.length;
  if (count === 0 && !subject.objects.some(isWebhookConfiguration))
    throw new UsageError(messages.noPolicyInSuite(suite.file));
  const { version } = context.engine;
  const cover = (all: readonly PolicyHook[]): void => {
    for (const { policy } of all) coverage?.add(policy, version);
  };
  cover(hooks);
  for (const { policy } of mutating.hooks) coverage?.addMutating(policy, version);
  const observed = await observeRequest(subject, policies, { context, onRelaxed: cover });
  for (const note of observed.notes) notes.add(note);
  coverage?.record(observed.verdict);
  if (observed.mutation !== undefined) coverage?.recordMutation(observed.mutation);
  return observed;
}

function isWebhookConfiguration({ kind }: JsonObject): boolean {
  return kind === "ValidatingWebhookConfiguration" || kind === "MutatingWebhookConfiguration";
}
