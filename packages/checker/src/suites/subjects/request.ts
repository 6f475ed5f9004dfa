/** A request put to policies and to the match conditions of webhooks, as in `policy eval`. */
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { MutationVerdict } from "@portcullis/engine/internal/policy/mutating/dispatch";
import type { PolicyHook } from "@portcullis/engine/internal/policy/policy-set";
import { type EvaluatedRequest, evaluateRequest } from "../../policy/evaluate-request.ts";
import * as messages from "../../policy/messages.ts";
import { type PolicyCluster, policyCluster } from "../../policy/policy-cluster.ts";
import type { ExpectedOutcome, Observation } from "../expectation.ts";
import { withoutRules } from "../formats/third-party.ts";
import type { Matcher } from "../matcher.ts";
import type { RequestSubject } from "../suite.ts";
import type { SuiteContext } from "./context.ts";

export interface ObservedRequest {
  readonly seen: Observation;
  readonly verdict: PolicyVerdict;
  readonly mutation: MutationVerdict | undefined;
  readonly notes: readonly string[];
}

export interface ObserveOptions {
  readonly context: SuiteContext;
  /** Gets policies that are evaluated although their rules do not match. */
  readonly onRelaxed?: (policies: readonly PolicyHook[]) => void;
}

export async function observeRequest(
  { request, objects, ignoresRules }: RequestSubject,
  cluster: PolicyCluster,
  { context: { engine }, onRelaxed }: ObserveOptions,
): Promise<ObservedRequest> {
  const evaluated = await evaluateRequest(request, cluster);
  const { attributes, verdict, mutation } = evaluated;
  const others = verdict.traces.filter(({ outcome }) => outcome === "skip");
  if (ignoresRules !== true || others.length === 0)
    return { seen: observationOf(evaluated), verdict, mutation, notes: [] };
  const { group, resource } = attributes.resource;
  const notes = others.map(({ policy, reason }) =>
    messages.appliedAnyway(policy, group === "" ? resource : `${resource}.${group}`, reason),
  );
  const relaxed = policyCluster(objects.map(withoutRules), engine);
  onRelaxed?.(relaxed.policies.hooks);
  const again = evaluatePolicies(relaxed.policies, attributes, relaxed.context);
  return { seen: observationOf({ ...evaluated, verdict: again }), verdict: again, mutation, notes };
}

function observationOf({ attributes, verdict, mutation, webhooks }: EvaluatedRequest): Observation {
  const texts = textsOf(verdict);
  const isSkipped = !isApplied(verdict) && (mutation === undefined || mutation.changes.length === 0);
  const explained = webhooks.flatMap(({ explanations }) => explanations);
  const isAsked = explained.some(({ outcome }) => outcome === "asked");
  const { error } = verdict;
  const skipReason = isApplied(verdict) || !verdict.allowed ? undefined : notApplied(verdict);
  return {
    outcomes: outcomesOf(verdict, isSkipped && !isAsked, isAsked),
    why: skipReason ?? texts[0] ?? "",
    notApplied: isApplied(verdict) ? undefined : notApplied(verdict),
    texts,
    matchesText,
    violations: (message) => countViolations(verdict, message),
    warnings: verdict.warnings,
    reason: error?.reason,
    code: error?.code,
    auditAnnotations: verdict.auditAnnotations,
    stored: mutation?.error === undefined ? attributes.object : undefined,
    before: mutation?.before ?? attributes.object,
    cost: costOf(verdict),
    webhooks: new Map(explained.map(({ webhook, outcome }) => [webhook, outcome])),
  };
}

function outcomesOf(verdict: PolicyVerdict, isSkipped: boolean, isAsked: boolean): ExpectedOutcome[] {
  const main = !verdict.allowed ? "deny" : verdict.warnings.length > 0 ? "warn" : "allow";
  return [
    main,
    ...(verdict.allowed && isSkipped ? (["skip"] as const) : []),
    ...(hasError(verdict) ? (["error"] as const) : []),
    ...(isAsked ? (["match"] as const) : []),
  ];
}

function evaluationsOf({ traces }: PolicyVerdict) {
  return traces.flatMap(({ bindings }) => bindings.flatMap(({ evaluations }) => evaluations));
}

/** All expressions together, with the variables that they read. */
function costOf(verdict: PolicyVerdict): number {
  let cost = 0;
  for (const { steps } of evaluationsOf(verdict)) {
    const { matchConditions, validations, messageExpressions, auditAnnotations } = steps;
    for (const pass of [matchConditions, validations, messageExpressions, auditAnnotations]) {
      for (const each of pass?.results ?? []) cost += each.cost + each.variablesCost;
    }
  }
  return cost;
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
    all.filter((each) => message === undefined || matchesText(each.message, message)).length;
  return Math.max(count(failed), count(verdict.denials));
}

function notApplied({ traces }: PolicyVerdict): string {
  const reasons = traces.flatMap((trace) => [
    ...(trace.outcome === "match" ? [] : [trace.reason]),
    ...trace.bindings.filter(({ outcome }) => outcome !== "match").map(({ reason }) => reason),
  ]);
  return `no policy was applied: ${reasons.join("; ") || "a match condition is false"}`;
}

/** The refusal and the warnings that the client sees, and the failures that are only in the audit log. */
function textsOf(verdict: PolicyVerdict): string[] {
  const refusals = verdict.error === undefined ? [] : [verdict.error.message];
  const silent = evaluationsOf(verdict)
    .flatMap(({ decisions }) => decisions)
    .filter(({ action }) => action === "deny")
    .map(({ message }) => message);
  const shown = [...refusals, ...verdict.warnings];
  return shown.length > 0 ? shown : silent;
}

const PREFIX =
  /^(?:.* is forbidden: )?(?:Validation failed for )?ValidatingAdmissionPolicy '[^']*'(?: with binding '[^']*')?(?: denied request)?: /;

/** The whole text, the policy's message behind the names, or the message behind the API server's prefix. */
export function matchesText(text: string, wanted: Matcher): boolean {
  const behindForbidden = text.replace(/^.*? is forbidden: /, "");
  return [text, behindForbidden, text.replace(PREFIX, "")].some((each) => wanted.matches(each));
}
