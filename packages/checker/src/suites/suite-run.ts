/** Runs suites: every case is a request that is evaluated as in `policy eval` and compared with the expectation. */

import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../input/usage-error.ts";
import { convertDrafts } from "../policy/drafts.ts";
import { evaluateRequest } from "../policy/evaluate-request.ts";
import * as messages from "../policy/messages.ts";
import { type PolicyCluster, policyCluster } from "../policy/policy-cluster.ts";
import { refusedPolicies } from "../policy/policy-objects.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Coverage } from "./coverage.ts";
import type { Matcher } from "./matcher.ts";
import type { Expectation, PlacedSuite, SuiteCase } from "./suite.ts";
import { withoutRules } from "./suite-third-party.ts";

export interface CaseResult {
  readonly name: string;
  /** The path of the case in the suite. */
  readonly path: string;
  readonly passed: boolean;
  /** The differences from the expectation. */
  readonly problems: readonly string[];
  readonly verdict: PolicyVerdict;
}

export interface SuiteResult {
  readonly file: string;
  readonly name: string;
  readonly results: readonly CaseResult[];
  readonly document: ManifestDocument;
  readonly skipped: number;
  /** Notes for the reader of the results. */
  readonly notes: readonly string[];
}

export async function runSuite(suite: PlacedSuite, engine: EngineOptions, coverage?: Coverage): Promise<SuiteResult> {
  const clusters = new Map<readonly JsonObject[], PolicyCluster>();
  const notes = new Set<string>();
  const clusterOf = async (objects: readonly JsonObject[]): Promise<PolicyCluster> => {
    const known = clusters.get(objects);
    if (known !== undefined) return known;
    const converted = convertDrafts(objects);
    for (const note of converted.notes) notes.add(note);
    const made = makeCluster(converted.objects, suite.file, engine);
    for (const refused of await refusedPolicies(converted.objects, made.cluster)) {
      if (suite.isThirdParty !== true) throw new UsageError(messages.unreadable(suite.file, refused));
      notes.add(messages.refusedPolicy(refused));
    }
    clusters.set(objects, made);
    return made;
  };
  const results: CaseResult[] = [];
  for (const each of suite.cases) {
    const cluster = await clusterOf(each.objects);
    for (const { policy } of cluster.policies.hooks) coverage?.add(policy);
    const evaluated = await evaluateCase(each, cluster, engine);
    for (const note of evaluated.notes) notes.add(note);
    coverage?.record(evaluated.verdict);
    const problems = compare(each.expect, evaluated.verdict);
    const { name, path } = each;
    results.push({ name, path, passed: problems.length === 0, problems, verdict: evaluated.verdict });
  }
  const { file, name, document, skipped = 0 } = suite;
  return { file, name, results, document, skipped, notes: [...notes] };
}

function makeCluster(objects: readonly JsonObject[], file: string, engine: EngineOptions): PolicyCluster {
  const cluster = policyCluster(objects, engine);
  const { hooks, unbound } = cluster.policies;
  if (hooks.length + unbound.length === 0) throw new UsageError(messages.noPolicyInSuite(file));
  return cluster;
}

interface EvaluatedCase {
  readonly verdict: PolicyVerdict;
  readonly notes: readonly string[];
}

async function evaluateCase(
  { request, objects, ignoresRules }: SuiteCase,
  cluster: PolicyCluster,
  engine: EngineOptions,
): Promise<EvaluatedCase> {
  const { attributes, verdict } = await evaluateRequest(request, cluster);
  const others = verdict.traces.filter(({ outcome }) => outcome === "skip");
  if (ignoresRules !== true || others.length === 0) return { verdict, notes: [] };
  const { group, resource } = attributes.resource;
  const notes = others.map(({ policy, reason }) =>
    messages.appliedAnyway(policy, group === "" ? resource : `${resource}.${group}`, reason),
  );
  const relaxed = policyCluster(objects.map(withoutRules), engine);
  return { verdict: evaluatePolicies(relaxed.policies, attributes, relaxed.context), notes };
}

function compare(expect: Expectation, verdict: PolicyVerdict): string[] {
  const { error } = verdict;
  const problems: string[] = [];
  const differ = (what: string, wanted: unknown, found: unknown): void => {
    problems.push(`expected ${what} ${wanted}, got ${found}`);
  };
  const found = outcomeOf(verdict);
  if (expect.outcome !== undefined && !isOutcome(expect.outcome, verdict)) {
    const why = isApplied(verdict) || !verdict.allowed ? messagesOf(verdict).slice(0, 1) : [notApplied(verdict)];
    differ("outcome", expect.outcome, [found, ...why].join(": "));
  }
  if (expect.applied !== undefined && expect.applied !== isApplied(verdict)) {
    problems.push(expect.applied ? notApplied(verdict) : "a policy was applied");
  }
  for (const wanted of expect.violations ?? []) {
    const violations = countViolations(verdict, wanted.message);
    if (isWithin(violations, wanted)) continue;
    const which = wanted.message === undefined ? "violations" : `violations with message ${wanted.message.text}`;
    const found = [violations, ...messagesOf(verdict).slice(0, 1)].join(": ");
    problems.push(`expected ${rangeText(wanted)} ${which}, got ${found}`);
  }
  if (expect.message !== undefined && !messagesOf(verdict).some((text) => matchesText(text, expect.message))) {
    differ("message", expect.message.text, messagesOf(verdict).join(" | ") || "none");
  }
  if (expect.reason !== undefined && error?.reason !== expect.reason)
    differ("reason", expect.reason, error?.reason ?? "none");
  if (expect.code !== undefined && error?.code !== expect.code) differ("code", expect.code, error?.code ?? "none");
  for (const wanted of expect.warnings ?? []) {
    if (!verdict.warnings.some((text) => matchesText(text, wanted))) {
      differ("warning", wanted.text, verdict.warnings.join(" | ") || "none");
    }
  }
  for (const [key, wanted] of expect.auditAnnotations ?? []) {
    const value = verdict.auditAnnotations.get(key);
    const isRight = wanted === undefined ? value === undefined : value !== undefined && wanted.matches(value);
    if (!isRight) differ(`audit annotation ${key}`, wanted?.text ?? "none", value ?? "none");
  }
  return problems;
}

function outcomeOf({ allowed, warnings }: PolicyVerdict): "allow" | "deny" | "warn" {
  if (!allowed) return "deny";
  return warnings.length > 0 ? "warn" : "allow";
}

function isOutcome(wanted: string, verdict: PolicyVerdict): boolean {
  if (wanted === "skip") return verdict.allowed && !isApplied(verdict);
  if (wanted === "error") return hasError(verdict);
  return outcomeOf(verdict) === wanted;
}

function evaluationsOf({ traces }: PolicyVerdict) {
  return traces.flatMap(({ bindings }) => bindings.flatMap(({ evaluations }) => evaluations));
}

function isApplied(verdict: PolicyVerdict): boolean {
  return evaluationsOf(verdict).some(
    ({ steps, decisions }) =>
      steps.excludedBy === undefined && (steps.validations !== undefined || decisions.length > 0),
  );
}

function hasError(verdict: PolicyVerdict): boolean {
  const isConfiguration = verdict.traces.some(
    ({ outcome, bindings }) => outcome === "error" || bindings.some((binding) => binding.outcome === "error"),
  );
  return (
    isConfiguration ||
    evaluationsOf(verdict).some(
      ({ decisions, annotations }) =>
        decisions.some(({ evaluation }) => evaluation === "error") ||
        annotations.some(({ action }) => action === "error"),
    )
  );
}

/** Failures of validations, and of configurations that cannot be applied. */
function countViolations(verdict: PolicyVerdict, message: Matcher | undefined): number {
  const failed = evaluationsOf(verdict).flatMap(({ decisions }) => decisions.filter(({ action }) => action === "deny"));
  const count = (all: readonly { readonly message: string }[]): number =>
    all.filter((each) => matchesText(each.message, message)).length;
  return Math.max(count(failed), count(verdict.denials));
}

function notApplied({ traces }: PolicyVerdict): string {
  const reasons = traces.flatMap((trace) => [
    ...(trace.outcome === "match" ? [] : [trace.reason]),
    ...trace.bindings.filter(({ outcome }) => outcome !== "match").map(({ reason }) => reason),
  ]);
  return `no policy was applied: ${reasons.join("; ") || "a match condition is false"}`;
}

function isWithin(count: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return count >= min && count <= max;
}

function rangeText({ min, max }: { readonly min: number; readonly max: number }): string {
  if (min === max) return String(min);
  return max === Infinity ? `at least ${min}` : `${min} to ${max}`;
}

/** The refusal and the warnings that the client sees, and the failures that are only in the audit log. */
function messagesOf(verdict: PolicyVerdict): string[] {
  const refusals = verdict.error === undefined ? [] : [verdict.error.message];
  const silent = evaluationsOf(verdict)
    .flatMap(({ decisions }) => decisions)
    .filter(({ action }) => action === "deny")
    .map(({ message }) => message);
  const found = [...refusals, ...verdict.warnings];
  return found.length > 0 ? found : silent;
}

const PREFIX =
  /^(?:.* is forbidden: )?(?:Validation failed for )?ValidatingAdmissionPolicy '[^']*'(?: with binding '[^']*')?(?: denied request)?: /;

/** The whole text, the policy's message behind the names, or the message behind the API server's prefix. */
function matchesText(text: string, wanted: Matcher | undefined): boolean {
  if (wanted === undefined) return true;
  const behindForbidden = text.replace(/^.*? is forbidden: /, "");
  return [text, behindForbidden, text.replace(PREFIX, "")].some((each) => wanted.matches(each));
}
