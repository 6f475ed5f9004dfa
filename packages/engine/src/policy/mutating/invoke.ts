/**
 * One policy with one binding and one parameter, put to an object: its match conditions, then its mutations in order.
 *
 * A mutation that fails does not keep the next from running; each has a budget of its own.
 */
import type { Authorizer } from "../../kubecel/library/authz.ts";
import { MATCH_CONDITIONS_COST_BUDGET, RUNTIME_COST_BUDGET } from "../../kubecel/limits.ts";
import { type StatusError, serviceUnavailable } from "../../status/error.ts";
import { deepEqual } from "../../value/equal.ts";
import { Activation } from "../activation.ts";
import { type AdmissionAttributes, type EquivalentResources, formatKind } from "../attributes.ts";
import type { PolicyContext } from "../dispatch.ts";
import { type ConditionsObservation, conditionsObservation, errorTypeOfMessage } from "../enforce.ts";
import {
  type ConditionsVerdict,
  conditionsVerdict,
  type ExpressionResult,
  NO_CLOCK,
  type PassResult,
  runPass,
} from "../evaluate.ts";
import { paramName } from "../params.ts";
import { nothing, type RequestViews } from "../request-views.ts";
import { type CompiledMutatingPolicy, type CompiledMutation, compiledMutatingPolicy } from "./compile.ts";
import type { MutableKinds } from "./kinds.ts";
import * as messages from "./messages.ts";
import { applyConfiguration, applyPatches, type Patched } from "./patch.ts";
import type { Reinvocation, ReinvocationState } from "./reinvocation.ts";
import type { Invocation, Matched, PolicyError, Versioned } from "./select.ts";
import type { MutationTrace } from "./trace.ts";

/** What mutating policies may ask about the cluster, and the state of their reinvocation. */
export interface MutationContext extends Omit<PolicyContext, "auditAllFailures"> {
  readonly kinds: MutableKinds;
  /** What the run before this one left; undefined for the first. */
  readonly previous?: ReinvocationState | undefined;
}

/** What the invocations of a request share. */
export interface Run {
  readonly attributes: AdmissionAttributes;
  readonly context: MutationContext;
  readonly equivalents: EquivalentResources;
  readonly authorizer: Authorizer;
  readonly views: RequestViews;
  readonly invocations: readonly Invocation[];
  readonly errors: PolicyError[];
  readonly observations: MutationObservation[];
  readonly conditions: ConditionsObservation[];
}

/** One count of `apiserver_mutating_admission_policy_check_total`. */
export interface MutationObservation {
  readonly policy: string;
  readonly binding: string;
  readonly errorType: "compile_error" | "out_of_budget" | "invalid_error" | "no_error";
  /** Seconds that the mutation took. */
  readonly elapsed: number;
}

/** The identity of an invocation. */
export function keyOf({ policy, binding, param }: Invocation): string {
  const { namespace, name } = param === undefined ? { namespace: "", name: "" } : paramName(param);
  return [policy.name, binding.name, namespace, name].join("/");
}

/** A refusal ends the request at once. */
export function invoke(invocation: Invocation, again: Reinvocation, run: Run): "skipped" | "done" | StatusError {
  const { policy, param, versioned } = invocation;
  const compiled = compiledMutatingPolicy(policy, run.context.version);
  const mutations: MutationTrace[] = [];
  const trace = (matchConditions: PassResult | undefined, excludedBy: number | undefined): void => {
    const { isReinvoke } = again;
    invocation.trace.push({ param: param && paramName(param), isReinvoke, matchConditions, excludedBy, mutations });
  };
  const conditions = checkConditions(invocation, compiled, run);
  if (conditions !== undefined && !conditions.verdict.matches) {
    trace(conditions.pass, conditions.verdict.excludedBy);
    return "skipped";
  }
  if (again.isSkipped(keyOf(invocation))) return "skipped";
  trace(conditions?.pass, undefined);
  for (const mutation of compiled.mutations) {
    if (versioned.object === undefined) continue;
    const refusal = mutate(mutation, invocation, compiled, mutations, run);
    if (refusal !== undefined) return refusal;
  }
  return "done";
}

interface CheckedConditions {
  readonly pass: PassResult;
  readonly verdict: ConditionsVerdict;
}

/** Match conditions see the resource as requested and no namespace. */
function checkConditions(
  { policy, binding, matched, versioned, param }: Invocation,
  compiled: CompiledMutatingPolicy,
  run: Run,
): CheckedConditions | undefined {
  if (compiled.matchConditions.length === 0) return undefined;
  const { attributes, authorizer, context } = run;
  const request = run.views.request(attributes.resource, matched.kind);
  const { object, oldObject } = versioned;
  const bound = { authorizer, attributes };
  const inputs = { object, oldObject, params: param, request, namespaceObject: nothing, authorizer: bound };
  const activation = new Activation(inputs, compiled.variables);
  const { clock = NO_CLOCK } = context;
  const pass = runPass(compiled.matchConditions, activation, MATCH_CONDITIONS_COST_BUDGET, clock);
  const verdict = conditionsVerdict(pass, policy.failurePolicy);
  const observed = conditionsObservation(policy.name, pass, verdict.excludedBy);
  if (observed !== undefined) run.conditions.push(observed);
  if (verdict.error !== undefined) run.errors.push({ policy, binding, message: verdict.error, reason: "Invalid" });
  return { pass, verdict };
}

function mutate(
  mutation: CompiledMutation,
  { policy, binding, matched, versioned, param }: Invocation,
  compiled: CompiledMutatingPolicy,
  traces: MutationTrace[],
  run: Run,
): StatusError | undefined {
  const { attributes, authorizer, views, context } = run;
  const { clock = NO_CLOCK } = context;
  const start = clock();
  const request = views.request(matched.resource, matched.kind);
  const { object, oldObject } = versioned;
  const bound = { authorizer, attributes };
  const inputs = { object, oldObject, params: param, request, namespaceObject: views.namespace, authorizer: bound };
  const activation = new Activation(inputs, compiled.variables);
  const { patched, result } = patchedBy(mutation, activation, versioned, matched, run);
  const { patchType } = mutation;
  const message = patched.refusal?.message ?? patched.error;
  const isChanged = patched.object !== undefined && !deepEqual(object ?? null, patched.object);
  traces.push({ patchType, result, variables: activation.readings, error: message, isChanged });
  const errorType = message === undefined ? "no_error" : errorTypeOfMessage(message);
  run.observations.push({ policy: policy.name, binding: binding.name, errorType, elapsed: clock() - start });
  if (patched.refusal !== undefined) return patched.refusal;
  if (patched.error !== undefined) run.errors.push({ policy, binding, message: patched.error, reason: "Invalid" });
  else {
    versioned.object = patched.object;
    versioned.kept = patched.kept ?? versioned.kept;
    versioned.isDirty = true;
  }
  return undefined;
}

interface Evaluated {
  readonly patched: Patched;
  /** Undefined if the expression was not evaluated. */
  readonly result: ExpressionResult | undefined;
}

/** Each mutation has a budget of its own. */
function patchedBy(
  { patchType, compiled }: CompiledMutation,
  activation: Activation,
  { object, kind }: Versioned,
  { resource }: Matched,
  { context, attributes }: Run,
): Evaluated {
  const { subresource } = attributes;
  const mutable = context.kinds.find({ resource, subresource, kind }, attributes.kind);
  if (mutable === undefined) {
    return {
      patched: { refusal: serviceUnavailable(messages.schemaMissing(formatKind(kind))) },
      result: undefined,
    };
  }
  if (compiled.error !== undefined) return { patched: { error: compiled.error.detail }, result: undefined };
  const { results, failure } = runPass([compiled], activation, RUNTIME_COST_BUDGET, NO_CLOCK);
  const [result] = results;
  const error = failure ?? result?.error;
  if (error !== undefined || result?.value === undefined || object === undefined) {
    return { patched: { error: error ?? "" }, result };
  }
  const apply = patchType === "JSONPatch" ? applyPatches : applyConfiguration;
  const patched = apply(result.value, object, mutable);
  const isRefused = patched.object !== undefined && mutable.refusal !== undefined;
  return { patched: isRefused ? { error: mutable.refusal ?? "" } : patched, result };
}
