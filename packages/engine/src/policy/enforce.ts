/**
 * What becomes of decisions: refusals, warnings, audit annotations and counts, as the binding's validationActions say.
 *
 * Configuration errors and errors in audit annotations refuse the request under failurePolicy Fail whatever the actions
 * are. Follows apiserver pkg/admission/plugin/policy/validating/dispatcher.go.
 */
import { forbidden, StatusError } from "../status/error.ts";
import type { StatusReason } from "../status/reasons.ts";
import { objectOf, textOf } from "../value/read.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import type { AnnotationCollector, AuditAnnotations } from "./audit.ts";
import type { PolicyBinding } from "./binding.ts";
import type { Decision, EvaluationSteps, PassResult, PolicyEvaluation } from "./evaluate.ts";
import * as messages from "./messages.ts";
import type { AdmissionPolicy } from "./policy.ts";

/** Collected over all policies of a request. */
export interface Consequences {
  readonly denials: Denial[];
  readonly warnings: string[];
  readonly annotations: AuditAnnotations;
  readonly observations: Observation[];
  readonly conditions: ConditionsObservation[];
}

/** Who decided. */
export interface DecidedBy {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding;
}

/** One reason of a policy to refuse a request. */
export interface Denial {
  readonly policy: string;
  /** Undefined if the policy itself could not be applied. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

/** One count of `apiserver_validating_admission_policy_check_total`. */
export interface Observation {
  readonly policy: string;
  readonly binding: string;
  readonly action: "deny" | "audit" | "warn" | "allow";
  readonly errorType: "compile_error" | "out_of_budget" | "invalid_error" | "no_error";
  /** Seconds that the expression took. */
  readonly elapsed: number;
}

/** Match conditions that kept a policy from being applied: one was false, or could not be evaluated. */
export interface ConditionsObservation {
  readonly policy: string;
  /** Conditions that failed before one was found to be false. */
  readonly errors: number;
  /** Seconds. */
  readonly elapsed: number;
}

export function enforce(
  evaluation: PolicyEvaluation,
  by: DecidedBy,
  collector: AnnotationCollector,
  consequences: Consequences,
): void {
  observeConditions(evaluation.steps, by, consequences);
  for (const [index, decision] of evaluation.decisions.entries()) applyDecision(decision, index, by, consequences);
  for (const outcome of evaluation.annotations) {
    if (outcome.action === "publish") collector.add(outcome.key, outcome.value);
    if (outcome.action !== "error") continue;
    consequences.denials.push(denialBy(by, outcome.error, ""));
    observe({ evaluation: "error", message: outcome.error, elapsed: outcome.elapsed }, "deny", by, consequences);
  }
}

function observeConditions(steps: EvaluationSteps, { policy }: DecidedBy, { conditions }: Consequences): void {
  const observed = conditionsObservation(policy.name, steps.matchConditions, steps.excludedBy);
  if (observed !== undefined) conditions.push(observed);
}

/** Undefined if there is nothing to count: conditions that all hold are not. */
export function conditionsObservation(
  policy: string,
  pass: PassResult | undefined,
  excludedBy: number | undefined,
): ConditionsObservation | undefined {
  if (pass === undefined) return undefined;
  const failed = (results: PassResult["results"]): number => results.filter(({ error }) => error !== undefined).length;
  const errors = pass.failure === undefined ? failed(pass.results.slice(0, excludedBy)) : 0;
  const isHeld = pass.failure === undefined && excludedBy === undefined && errors === 0;
  return isHeld ? undefined : { policy, errors, elapsed: pass.elapsed };
}

function denialBy({ policy, binding }: DecidedBy, message: string, reason: string): Denial {
  return { policy: policy.name, binding: binding.name, message, reason };
}

function applyDecision(decision: Decision, index: number, by: DecidedBy, consequences: Consequences): void {
  const { message, reason } = decision;
  if (decision.action === "admit") {
    if (decision.evaluation === "error") observe(decision, "allow", by, consequences);
    return;
  }
  const { policy, binding } = by;
  for (const action of binding.validationActions) {
    if (action === "Deny") {
      consequences.denials.push(denialBy(by, message, reason));
      observe(decision, "deny", by, consequences);
    } else if (action === "Audit") {
      consequences.annotations.addFailure({ message, binding, expressionIndex: index });
      observe(decision, "audit", by, consequences);
    } else if (action === "Warn") {
      consequences.warnings.push(messages.warned(policy.name, binding.name, message));
      observe(decision, "warn", by, consequences);
    }
  }
}

function observe(
  decision: Pick<Decision, "evaluation" | "message" | "elapsed">,
  action: Observation["action"],
  { policy, binding }: DecidedBy,
  { observations }: Consequences,
): void {
  const errorType = errorTypeOf(decision);
  observations.push({ policy: policy.name, binding: binding.name, action, errorType, elapsed: decision.elapsed });
}

function errorTypeOf({ evaluation, message }: Pick<Decision, "evaluation" | "message">): Observation["errorType"] {
  return evaluation === "admit" ? "no_error" : errorTypeOfMessage(message);
}

/** Upstream goes by how the message begins. */
export function errorTypeOfMessage(message: string): Observation["errorType"] {
  if (message.startsWith("compilation")) return "compile_error";
  return message.startsWith("validation failed due to running out of cost budget") ? "out_of_budget" : "invalid_error";
}

/** `binding` is undefined if the policy itself could not be applied. */
export function addConfigurationError(
  problem: string,
  policy: AdmissionPolicy,
  binding: PolicyBinding | undefined,
  { denials }: Consequences,
): void {
  const failurePolicy = policy.failurePolicy ?? "Fail";
  if (failurePolicy === "Ignore") return;
  const described =
    binding === undefined ? messages.failedToConfigurePolicy(problem) : messages.failedToConfigureBinding(problem);
  const message = failurePolicy === "Fail" ? described : messages.unrecognizedFailurePolicy(failurePolicy);
  denials.push({ policy: policy.name, binding: binding?.name, message, reason: "" });
}

interface Refused {
  readonly code: number;
  readonly reason: StatusReason;
}

const INVALID: Refused = { code: 422, reason: "Invalid" };

/** By the reasons a validation may give. */
const REFUSALS: ReadonlyMap<string, Refused> = new Map([
  ["Forbidden", { code: 403, reason: "Forbidden" }],
  ["Unauthorized", { code: 401, reason: "Unauthorized" }],
  ["RequestEntityTooLarge", { code: 413, reason: "RequestEntityTooLarge" }],
]);

/** Says "is forbidden" whatever its reason and code are. */
export function refusal(denial: Denial | undefined, attributes: AdmissionAttributes): StatusError | undefined {
  if (denial === undefined) return undefined;
  const { group, resource } = attributes.resource;
  const text = messages.denied(denial.policy, denial.binding, denial.message);
  const base = forbidden({ group, resource }, shownName(attributes), text);
  return new StatusError({
    ...(REFUSALS.get(denial.reason) ?? INVALID),
    message: base.message,
    details: { ...base.details, causes: [{ type: "", message: text, field: "" }] },
  });
}

/** The name in the refusal. */
export function shownName({ name, object }: AdmissionAttributes): string {
  if (name !== "") return name;
  const metadata = objectOf(object?.["metadata"]);
  return textOf(metadata["name"]) || textOf(metadata["generateName"]) || "Unknown";
}
