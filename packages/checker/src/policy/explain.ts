/** Explains a verdict: what matched, and each expression with its value and cost. */
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type {
  AnnotationOutcome,
  Decision,
  ExpressionResult,
  PassResult,
} from "@portcullis/engine/internal/policy/evaluate";
import type { MutationVerdict } from "@portcullis/engine/internal/policy/mutating/dispatch";
import type { MutatingPolicy } from "@portcullis/engine/internal/policy/mutating/policy";
import type {
  InvocationTrace,
  MutatingBindingTrace,
  MutationTrace,
} from "@portcullis/engine/internal/policy/mutating/trace";
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import type { PolicyHook } from "@portcullis/engine/internal/policy/policy-set";
import { showValue } from "@portcullis/engine/internal/policy/report";
import type { BindingTrace, EvaluationTrace, Outcome, PolicyTrace } from "@portcullis/engine/internal/policy/trace";
import type { FailureExplainer } from "./failure-parts.ts";

/** The same for mutating policies. */
export function explainMutation(verdict: MutationVerdict, hooks: readonly PolicyHook<MutatingPolicy>[]): string[] {
  const policies = new Map(hooks.map(({ policy }) => [policy.name, policy]));
  return verdict.traces.flatMap(({ policy, outcome, reason, bindings }) => [
    `mutating policy ${policy}  ${OUTCOMES[outcome]}: ${reason}`,
    ...bindings.flatMap((binding) => explainMutatingBinding(binding, policies.get(policy))).map(indent),
  ]);
}

function explainMutatingBinding(
  { binding, outcome, reason, invocations }: MutatingBindingTrace,
  spec: MutatingPolicy | undefined,
): string[] {
  return [
    `binding ${binding}  ${OUTCOMES[outcome]}: ${reason}`,
    ...invocations.flatMap((invocation) => explainInvocation(invocation, spec)).map(indent),
  ];
}

function explainInvocation(invocation: InvocationTrace, spec: MutatingPolicy | undefined): string[] {
  const { param, isReinvoke, matchConditions, excludedBy, mutations } = invocation;
  const name = (index: number): string => spec?.matchConditions[index]?.name ?? "";
  return [
    ...(isReinvoke ? ["asked again, because something changed after it ran"] : []),
    ...paramLines(param),
    ...passLines("condition", matchConditions, name),
    ...(excludedBy === undefined ? [] : [`not applied: condition ${name(excludedBy)} is false`]),
    ...mutations.flatMap(explainStep),
  ];
}

function explainStep({ result, variables, error, isChanged }: MutationTrace, index: number): string[] {
  const results = result === undefined ? [] : [result];
  const pass = { results, variables, remaining: 0, failure: undefined, elapsed: 0 };
  const done = isChanged ? "changes the object" : "changes nothing";
  const outcome = indent(error === undefined ? done : `fails: ${error}`);
  return [...passLines("mutation", pass, () => `[${index}]`), outcome];
}

function paramLines(param: EvaluationTrace["param"]): string[] {
  return param === undefined ? [] : [`params ${param.namespace === "" ? "" : `${param.namespace}/`}${param.name}`];
}

/** With an explainer, also the parts of the validations that failed. */
export function explainVerdict(
  verdict: PolicyVerdict,
  hooks: readonly PolicyHook[],
  explainer?: FailureExplainer,
): string[] {
  const policies = new Map(hooks.map(({ policy }) => [policy.name, policy]));
  const traces = verdict.traces.flatMap((trace) =>
    explainPolicy(trace, { spec: policies.get(trace.policy), explainer }),
  );
  const annotations = [...verdict.auditAnnotations].map(([key, value]) => `  ${key}: ${value}`);
  return [...traces, ...(annotations.length === 0 ? [] : ["audit annotations", ...annotations])];
}

interface ExplainedPolicy {
  readonly spec: AdmissionPolicy | undefined;
  readonly explainer: FailureExplainer | undefined;
}

const OUTCOMES: Readonly<Record<Outcome, string>> = { match: "matched", skip: "not applied", error: "error" };

function explainPolicy({ policy, outcome, reason, bindings }: PolicyTrace, subject: ExplainedPolicy): string[] {
  return [
    `policy ${policy}  ${OUTCOMES[outcome]}: ${reason}`,
    ...bindings.flatMap((binding) => explainBinding(binding, subject)).map(indent),
  ];
}

function explainBinding({ binding, outcome, reason, evaluations }: BindingTrace, subject: ExplainedPolicy): string[] {
  return [
    `binding ${binding}  ${OUTCOMES[outcome]}: ${reason}`,
    ...evaluations.flatMap((evaluation) => explainEvaluation(evaluation, subject)).map(indent),
  ];
}

function explainEvaluation(evaluation: EvaluationTrace, { spec, explainer }: ExplainedPolicy): string[] {
  const { param, steps, decisions, annotations } = evaluation;
  const lines = paramLines(param);
  lines.push(...passLines("condition", steps.matchConditions, (index) => spec?.matchConditions[index]?.name ?? ""));
  if (steps.excludedBy !== undefined) {
    return [...lines, `not applied: condition ${spec?.matchConditions[steps.excludedBy]?.name ?? ""} is false`];
  }
  lines.push(
    ...passLines(
      "validation",
      steps.validations,
      (index) => `[${index}]`,
      (index) => [
        ...decided(decisions[index]),
        ...(decisions[index]?.evaluation === "admit" || spec === undefined
          ? []
          : (explainer?.linesFor(spec, index, steps.inputs) ?? [])),
      ],
    ),
  );
  lines.push(...passLines("message", steps.messageExpressions, (index) => `[${index}]`));
  const keys = (index: number): string => spec?.auditAnnotations[index]?.key ?? "";
  lines.push(...passLines("annotation", steps.auditAnnotations, keys, (index) => annotated(annotations[index])));
  if (steps.validations === undefined) lines.push(...decisions.flatMap(decided));
  return lines;
}

function passLines(
  noun: string,
  pass: PassResult | undefined,
  label: (index: number) => string,
  more: (index: number) => readonly string[] = () => [],
): string[] {
  if (pass === undefined) return [];
  const variables = pass.variables.map(
    ({ name, value, cost }) => `variable ${name} = ${showValue(value)}  (cost ${cost})`,
  );
  const results = pass.results.flatMap((result, index) =>
    result.expression === undefined
      ? []
      : [`${noun} ${label(index)} ${oneLine(result.expression)} = ${showResult(result)}`, ...more(index).map(indent)],
  );
  return [...variables, ...results, ...(pass.failure === undefined ? [] : [`stopped: ${pass.failure}`])];
}

function decided(decision: Decision | undefined): string[] {
  if (decision === undefined || decision.evaluation === "admit") return [];
  const verb = decision.action === "deny" ? "fails" : "ignored because of failurePolicy";
  return [`${verb}: ${decision.message}`];
}

function annotated(outcome: AnnotationOutcome | undefined): string[] {
  return outcome?.action === "error" ? [`fails: ${outcome.error}`] : [];
}

function showResult({ value, error, cost, variablesCost }: ExpressionResult): string {
  const shown = value === undefined ? `error: ${error ?? ""}` : showValue(value);
  return `${shown}  (cost ${cost}${variablesCost === 0 ? "" : ` + ${variablesCost} for variables`})`;
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}

function indent(line: string): string {
  return `  ${line}`;
}
