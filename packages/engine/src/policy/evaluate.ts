/**
 * One policy evaluated for one binding and one parameter.
 *
 * Match conditions first, on a budget of their own: one that is false ends it in silence whatever the others say. Then
 * all validations, without stopping at the first failure; then all message expressions, also of validations that
 * passed, on what is left of the same budget; then the audit annotations, on a fresh one. Running out of budget turns
 * the whole evaluation into one error. Follows apiserver pkg/admission/plugin/policy/validating/validator.go.
 */
import { isError, typeNameOf, type Value } from "@portcullis/cel/internal";
import { trimSpace } from "@portcullis/gostd/space";
import { byteLength } from "@portcullis/gostd/utf8";
import { aggregate } from "../field/format.ts";
import {
  MATCH_CONDITIONS_COST_BUDGET,
  MAX_MESSAGE_EXPRESSION_SIZE_BYTES,
  RUNTIME_COST_BUDGET,
} from "../kubecel/limits.ts";
import { Activation, type Inputs, type VariableReading } from "./activation.ts";
import type { CompiledExpression, CompiledPolicy } from "./compile.ts";
import * as messages from "./messages.ts";
import type { Validation } from "./policy.ts";

/** Seconds from any beginning. */
export type Clock = () => number;

/** For callers who do not ask how long it took. */
export const NO_CLOCK: Clock = () => 0;

export interface Decision {
  readonly action: "admit" | "deny";
  readonly evaluation: "admit" | "deny" | "error";
  readonly message: string;
  /** Empty for errors. */
  readonly reason: string;
  /** Seconds that the expression took; none where something else stopped the evaluation. */
  readonly elapsed: number;
}

export type AnnotationOutcome =
  | { readonly action: "publish"; readonly key: string; readonly value: string }
  | { readonly action: "exclude"; readonly key: string }
  | { readonly action: "error"; readonly key: string; readonly error: string; readonly elapsed: number };

export interface PolicyEvaluation {
  /** One a validation; a single one where something stopped the evaluation; none where conditions excluded it. */
  readonly decisions: readonly Decision[];
  readonly annotations: readonly AnnotationOutcome[];
  readonly steps: EvaluationSteps;
}

/** How it went, for explanations. */
export interface EvaluationSteps {
  readonly matchConditions: PassResult | undefined;
  /** The index of the condition that excluded the request. */
  readonly excludedBy: number | undefined;
  readonly validations: PassResult | undefined;
  readonly messageExpressions: PassResult | undefined;
  readonly auditAnnotations: PassResult | undefined;
  /** What validations read. */
  readonly inputs: Inputs | undefined;
}

/** Expressions evaluated together. */
export interface PassResult {
  readonly results: readonly ExpressionResult[];
  readonly variables: readonly VariableReading[];
  /** What is left of the budget. */
  readonly remaining: number;
  /** Set if the budget ran out; results stop there. */
  readonly failure: string | undefined;
  /** Seconds. */
  readonly elapsed: number;
}

export interface ExpressionResult {
  /** Undefined if there is no message expression. */
  readonly expression: string | undefined;
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly cost: number;
  /** What variables cost that were first read here. */
  readonly variablesCost: number;
  /** Seconds, variables included. */
  readonly elapsed: number;
}

/** Inputs of the passes: they differ in the request they see, the namespace and the authorizer. */
export interface EvaluationInputs {
  readonly matchConditions: Inputs;
  readonly validations: Inputs;
  readonly messageExpressions: Inputs;
  readonly auditAnnotations: Inputs;
}

export function evaluatePolicy(
  compiled: CompiledPolicy,
  inputs: EvaluationInputs,
  clock: Clock = NO_CLOCK,
): PolicyEvaluation {
  const run = (expressions: readonly (CompiledExpression | undefined)[], pass: Inputs, budget: number): PassResult =>
    hasSome(expressions)
      ? runPass(expressions, new Activation(pass, compiled.variables), budget, clock)
      : emptyPass(expressions.length, budget);
  const steps: { -readonly [Key in keyof EvaluationSteps]: EvaluationSteps[Key] } = { ...NO_STEPS };
  const { failurePolicy } = compiled.policy;
  const stopped = (message: string): PolicyEvaluation => ({
    decisions: [errorDecision(failurePolicy, message)],
    annotations: [],
    steps,
  });

  if (compiled.matchConditions.length > 0) {
    const pass = run(compiled.matchConditions, inputs.matchConditions, MATCH_CONDITIONS_COST_BUDGET);
    steps.matchConditions = pass;
    const match = conditionsVerdict(pass, failurePolicy);
    steps.excludedBy = match.excludedBy;
    if (match.error !== undefined) return stopped(match.error);
    if (!match.matches) return { decisions: [], annotations: [], steps };
  }

  const validations = run(compiled.validations, inputs.validations, RUNTIME_COST_BUDGET);
  steps.validations = validations;
  steps.inputs = inputs.validations;
  if (validations.failure !== undefined) return stopped(validations.failure);

  const texts = run(compiled.messageExpressions, inputs.messageExpressions, validations.remaining);
  steps.messageExpressions = texts;
  const decisions = compiled.policy.validations.map((validation, index) =>
    decide(validation, validations.results[index], texts, index, failurePolicy),
  );

  if (compiled.auditAnnotations.length === 0) {
    steps.auditAnnotations = NO_ANNOTATIONS;
    return { decisions, annotations: NONE, steps };
  }
  const annotations = run(compiled.auditAnnotations, inputs.auditAnnotations, RUNTIME_COST_BUDGET);
  steps.auditAnnotations = annotations;
  if (annotations.failure !== undefined) return stopped(annotations.failure);
  const outcomes = compiled.policy.auditAnnotations.map(({ key, valueExpression }, index) =>
    annotate(key, valueExpression, annotations.results[index], failurePolicy),
  );
  return { decisions, annotations: outcomes, steps };
}

const NO_STEPS: EvaluationSteps = {
  matchConditions: undefined,
  excludedBy: undefined,
  validations: undefined,
  messageExpressions: undefined,
  auditAnnotations: undefined,
  inputs: undefined,
};

function hasSome(expressions: readonly (CompiledExpression | undefined)[]): boolean {
  for (const each of expressions) if (each !== undefined) return true;
  return false;
}

/** What a pass without expressions comes to; most policies have no message expressions and no audit annotations. */
function emptyPass(count: number, remaining: number): PassResult {
  const results = count === 0 ? NONE : new Array<ExpressionResult>(count).fill(ABSENT);
  return { results, variables: NONE, remaining, failure: undefined, elapsed: 0 };
}

const NONE: readonly never[] = [];
const NO_ANNOTATIONS: PassResult = emptyPass(0, RUNTIME_COST_BUDGET);

/** Expressions in turn, until the budget is spent. */
export function runPass(
  expressions: readonly (CompiledExpression | undefined)[],
  activation: Activation,
  budget: number,
  clock: Clock,
): PassResult {
  const results: ExpressionResult[] = [];
  const start = clock();
  let remaining = budget;
  for (const compiled of expressions) {
    const begun = clock();
    const result = runExpression(compiled, activation);
    results.push(clock === NO_CLOCK ? result : { ...result, elapsed: clock() - begun });
    remaining -= result.variablesCost + result.cost;
    if (remaining < 0) break;
  }
  const { readings: variables } = activation;
  const elapsed = clock() - start;
  return remaining < 0
    ? { results, variables, remaining: -1, failure: messages.outOfBudget(), elapsed }
    : { results, variables, remaining, failure: undefined, elapsed };
}

const ABSENT: ExpressionResult = {
  expression: undefined,
  value: undefined,
  error: undefined,
  cost: 0,
  variablesCost: 0,
  elapsed: 0,
};

function runExpression(compiled: CompiledExpression | undefined, activation: Activation): ExpressionResult {
  if (compiled === undefined) return ABSENT;
  const { expression, program } = compiled;
  if (program === undefined) {
    return { ...ABSENT, expression, error: messages.compilationError(compiled.error?.detail ?? "") };
  }
  const { value, cost } = program.evaluate(activation.resolve);
  const variablesCost = activation.takeVariablesCost();
  const isFailed = isError(value);
  return {
    expression,
    value: isFailed ? undefined : value,
    error: isFailed ? messages.expressionError(expression, value.message) : undefined,
    cost,
    variablesCost,
    elapsed: 0,
  };
}

export interface ConditionsVerdict {
  readonly matches: boolean;
  readonly excludedBy: number | undefined;
  readonly error: string | undefined;
}

/** One that is false excludes the request whatever the others say; one that failed is an error unless that is ignored. */
export function conditionsVerdict(
  { results, failure }: PassResult,
  failurePolicy: string | undefined,
): ConditionsVerdict {
  const excludedBy = failure === undefined ? results.findIndex(({ value }) => value === false) : -1;
  if (excludedBy >= 0) return { matches: false, excludedBy, error: undefined };
  const errors = failure === undefined ? results.flatMap(({ error }) => error ?? []) : [failure];
  if (errors.length === 0) return { matches: true, excludedBy: undefined, error: undefined };
  const error = isIgnored(failurePolicy) ? undefined : aggregate(errors);
  return { matches: false, excludedBy: undefined, error };
}

function decide(
  validation: Validation,
  result: ExpressionResult = ABSENT,
  texts: PassResult,
  index: number,
  failurePolicy: string | undefined,
): Decision {
  const { elapsed } = result;
  if (result.error !== undefined) return errorDecision(failurePolicy, result.error, elapsed);
  if (texts.failure !== undefined) {
    return errorDecision(failurePolicy, messages.failedMessageExpression(texts.failure), elapsed);
  }
  if (result.value === true) {
    return elapsed === 0 ? ADMITTED : { ...ADMITTED, elapsed };
  }
  const message = failureMessage(validation, texts.results[index]);
  return { action: "deny", evaluation: "deny", message, reason: validation.reason ?? "Invalid", elapsed };
}

const ADMITTED: Decision = { action: "admit", evaluation: "admit", message: "", reason: "", elapsed: 0 };

function errorDecision(failurePolicy: string | undefined, message: string, elapsed = 0): Decision {
  return { action: isIgnored(failurePolicy) ? "admit" : "deny", evaluation: "error", message, reason: "", elapsed };
}

function isIgnored(failurePolicy: string | undefined): boolean {
  return failurePolicy === "Ignore";
}

/** A message expression that failed, or says nothing usable, falls back to the message, and that to the expression. */
function failureMessage(validation: Validation, result: ExpressionResult | undefined): string {
  const evaluated = typeof result?.value === "string" ? usableMessage(trimSpace(result.value)) : "";
  return evaluated || trimSpace(validation.message) || messages.failedExpression(trimSpace(validation.expression));
}

function usableMessage(text: string): string {
  return byteLength(text) > MAX_MESSAGE_EXPRESSION_SIZE_BYTES || text.includes("\n") ? "" : text;
}

function annotate(
  key: string,
  expression: string,
  result: ExpressionResult = ABSENT,
  failurePolicy: string | undefined,
): AnnotationOutcome {
  const { value, error, elapsed } = result;
  if (error !== undefined) {
    return isIgnored(failurePolicy) ? { action: "exclude", key } : { action: "error", key, error, elapsed };
  }
  if (value === null) return { action: "exclude", key };
  if (typeof value === "string") {
    const text = trimSpace(value);
    return text === "" ? { action: "exclude", key } : { action: "publish", key, value: text };
  }
  const type = value === undefined ? "" : typeNameOf(value);
  return { action: "error", key, error: messages.unsupportedAnnotationType(expression, type), elapsed };
}
