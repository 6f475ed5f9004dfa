/** A verdict as plain data: the Status itself, and every step with its reason, for programs and for people. */
import { displayText, isError, type Value } from "@portcullis/cel";
import { statusBody } from "../status/error.ts";
import { type Plain, toPlain } from "../value/copy.ts";
import type { PolicyVerdict } from "./dispatch.ts";
import type { Denial } from "./enforce.ts";
import type { AnnotationOutcome, Decision, ExpressionResult, PassResult } from "./evaluate.ts";
import type { EvaluationTrace, Outcome, PolicyTrace } from "./trace.ts";

/** The outcome of validating policies as plain JSON. */
export interface VerdictReport {
  readonly allowed: boolean;
  /** The Status that the client would get; undefined if the request is allowed. */
  readonly status: Plain | undefined;
  /** Each once, in order. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Every reason to refuse; `status` is the first. */
  readonly denials: readonly Denial[];
  readonly policies: readonly PolicyReport[];
  /** What all expressions cost together. */
  readonly cost: number;
}

/** One policy: whether it was applied, and why or why not. */
export interface PolicyReport {
  readonly policy: string;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly bindings: readonly BindingReport[];
}

/** What a policy did under one of its bindings. */
export interface BindingReport {
  readonly binding: string;
  readonly outcome: Outcome;
  readonly reason: string;
  /** One for each parameter. */
  readonly evaluations: readonly EvaluationReport[];
}

/** One evaluation of a policy, with one parameter. */
export interface EvaluationReport {
  /** Undefined where `params` is null. */
  readonly param: EvaluationTrace["param"];
  /** The index of the match condition that was false. */
  readonly excludedBy: number | undefined;
  readonly matchConditions: PassReport | undefined;
  readonly validations: PassReport | undefined;
  readonly messageExpressions: PassReport | undefined;
  readonly auditAnnotations: PassReport | undefined;
  readonly decisions: readonly Omit<Decision, "elapsed">[];
  readonly annotations: readonly AnnotationReport[];
}

/** What became of one audit annotation. */
export type AnnotationReport =
  | Exclude<AnnotationOutcome, { readonly action: "error" }>
  | { readonly action: "error"; readonly key: string; readonly error: string };

/** Expressions that share a budget. */
export interface PassReport {
  /** What is left of it. */
  readonly remaining: number;
  /** Set if it ran out. */
  readonly failure: string | undefined;
  readonly variables: readonly { readonly name: string; readonly value: string; readonly cost: number }[];
  readonly expressions: readonly ExpressionReport[];
}

/** The value, cost and error of one expression. */
export interface ExpressionReport extends Omit<ExpressionResult, "value" | "elapsed"> {
  /** As CEL would write it. */
  readonly value: string | undefined;
}

/** A verdict of validating policies as plain JSON. */
export function reportVerdict(verdict: PolicyVerdict): VerdictReport {
  const { allowed, error, warnings, auditAnnotations, denials, traces } = verdict;
  const policies = traces.map(reportPolicy);
  return {
    allowed,
    status: error && toPlain(statusBody(error)),
    warnings: [...new Set(warnings)],
    auditAnnotations: Object.fromEntries(auditAnnotations),
    denials,
    policies,
    cost: totalCost(policies),
  };
}

function reportPolicy({ policy, outcome, reason, bindings }: PolicyTrace): PolicyReport {
  return {
    policy,
    outcome,
    reason,
    bindings: bindings.map(({ evaluations, ...binding }) => ({
      ...binding,
      evaluations: evaluations.map(reportEvaluation),
    })),
  };
}

function reportEvaluation({ param, steps, decisions, annotations }: EvaluationTrace): EvaluationReport {
  return {
    param,
    excludedBy: steps.excludedBy,
    matchConditions: reportPass(steps.matchConditions),
    validations: reportPass(steps.validations),
    messageExpressions: reportPass(steps.messageExpressions),
    auditAnnotations: reportPass(steps.auditAnnotations),
    decisions: decisions.map(({ elapsed: _, ...decision }) => decision),
    annotations: annotations.map((outcome) =>
      outcome.action === "error" ? { action: outcome.action, key: outcome.key, error: outcome.error } : outcome,
    ),
  };
}

/** Expressions that share a budget, as plain data. */
export function reportPass(pass: PassResult | undefined): PassReport | undefined {
  if (pass === undefined) return undefined;
  return {
    remaining: pass.remaining,
    failure: pass.failure,
    variables: pass.variables.map(({ name, value, cost }) => ({ name, value: showValue(value), cost })),
    expressions: pass.results.map(({ value, elapsed: _, ...result }) => ({
      ...result,
      value: value === undefined ? undefined : showValue(value),
    })),
  };
}

function totalCost(policies: readonly PolicyReport[]): number {
  const passes = policies
    .flatMap(({ bindings }) => bindings.flatMap(({ evaluations }) => evaluations))
    .flatMap((each) => [each.matchConditions, each.validations, each.messageExpressions, each.auditAnnotations]);
  return passes
    .flatMap((pass) => pass?.expressions ?? [])
    .reduce((sum, { cost, variablesCost }) => sum + cost + variablesCost, 0);
}

/** A value as CEL would write it; an error as what it says. */
export function showValue(value: Value): string {
  if (isError(value)) return `error: ${value.message}`;
  return typeof value === "string" ? JSON.stringify(value) : displayText(value);
}
