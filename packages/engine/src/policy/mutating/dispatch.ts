/**
 * All mutating policies put to one request: the changed object, or the Status of the refusal.
 *
 * What a policy is for is found out before anything is changed; then each one that matched sees what those before it
 * made. Mutations of one policy run in order, and one that fails does not keep the next from running. Where policies
 * match different versions of the object, only the changes to the version that was changed last survive. The refusal
 * tells every error, keeps code 403 whatever its reason, and does not begin with "is forbidden". Follows apiserver
 * pkg/admission/plugin/policy/mutating/dispatcher.go and policy/generic/policy_dispatcher.go.
 */
import type { Authorizer } from "../../kubecel/library/authz.ts";
import { MATCH_CONDITIONS_COST_BUDGET, RUNTIME_COST_BUDGET } from "../../kubecel/limits.ts";
import { forbidden, internalError, notFound, StatusError, serviceUnavailable } from "../../status/error.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";
import { Activation } from "../activation.ts";
import {
  type AdmissionAttributes,
  type EquivalentResources,
  formatKind,
  NO_EQUIVALENTS,
  sameKind,
} from "../attributes.ts";
import { cachingAuthorizer } from "../authorizer.ts";
import { nothing, type PolicyContext, paramName } from "../dispatch.ts";
import { type ConditionsObservation, conditionsObservation, errorTypeOfMessage, shownName } from "../enforce.ts";
import {
  type ConditionsVerdict,
  type ExpressionResult,
  judgeConditions,
  NO_CLOCK,
  type PassResult,
  runPass,
} from "../evaluate.ts";
import { isExempt } from "../exempt.ts";
import type { PolicySet } from "../policy-set.ts";
import * as reasons from "../reasons.ts";
import { RequestViews } from "../request-views.ts";
import { type CompiledMutatingPolicy, type CompiledMutation, compiledMutatingPolicy } from "./compile.ts";
import type { MutableKinds } from "./kinds.ts";
import * as messages from "./messages.ts";
import { applyConfiguration, applyPatches, type Patched } from "./patch.ts";
import type { MutatingPolicy } from "./policy.ts";
import { FIRST_RUN, Reinvocation, type ReinvocationState } from "./reinvocation.ts";
import {
  type Invocation,
  type Matched,
  type PolicyError,
  type Selection,
  selectInvocations,
  type Versioned,
} from "./select.ts";
import type { MutatingPolicyTrace, MutationTrace } from "./trace.ts";

export interface MutationContext extends Omit<PolicyContext, "auditAllFailures"> {
  readonly kinds: MutableKinds;
  /** What the run before this one left; undefined for the first. */
  readonly previous?: ReinvocationState | undefined;
}

export interface MutationVerdict {
  /** The object to go on with. */
  readonly object: JsonObject | undefined;
  readonly error: StatusError | undefined;
  /** Every reason to refuse. */
  readonly denials: readonly MutationDenial[];
  /** Whether all of admission is to run once more. */
  readonly reinvokes: boolean;
  readonly state: ReinvocationState;
  readonly traces: readonly MutatingPolicyTrace[];
  /** What the server counts. */
  readonly observations: readonly MutationObservation[];
  readonly conditions: readonly ConditionsObservation[];
}

export interface MutationDenial {
  readonly policy: string;
  /** Undefined where the policy itself could not be applied. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

/** One count of `apiserver_mutating_admission_policy_check_total`. */
export interface MutationObservation {
  readonly policy: string;
  readonly binding: string;
  readonly errorType: "compile_error" | "out_of_budget" | "invalid_error" | "no_error";
  /** Seconds that the mutation took. */
  readonly elapsed: number;
}

/** One run. Where it says that admission runs again, that is for the caller to do: see `mutateFully`. */
export function mutateByPolicies(
  set: PolicySet<MutatingPolicy>,
  attributes: AdmissionAttributes,
  context: MutationContext,
): MutationVerdict {
  const equivalents = context.equivalents ?? NO_EQUIVALENTS;
  const state = context.previous ?? FIRST_RUN;
  // There is no object to change in a deletion.
  if (attributes.operation === "DELETE" || isExempt(attributes.resource)) return unchanged(attributes.object, state);
  const explains = context.explain === true;
  const hooks = explains ? set.hooks : set.candidates(attributes, equivalents);
  if (hooks.length === 0 && !explains) return unchanged(attributes.object, state);
  const selection = selectInvocations(hooks, attributes, context, equivalents);
  const run = newRun(attributes, context, equivalents, selection);
  const { object, refusal, next } = run.invocations.length === 0 ? kept(run, state) : invokeAll(run, state);
  const denials = run.errors.flatMap((error) => (error.policy.failurePolicy === "Ignore" ? [] : [denialOf(error)]));
  return {
    object,
    error: refusal ?? refusalOf(denials, attributes),
    denials,
    reinvokes: next.isWanted,
    state: next.state,
    traces: explains ? [...selection.traces, ...set.unbound.map(unboundTrace)] : selection.traces,
    observations: run.observations,
    conditions: run.conditions,
  };
}

/** Both runs, for callers without other admission. */
export function mutateFully(
  set: PolicySet<MutatingPolicy>,
  attributes: AdmissionAttributes,
  context: MutationContext,
): MutationVerdict {
  const first = mutateByPolicies(set, attributes, context);
  if (first.error !== undefined || !first.reinvokes) return first;
  const again = { ...attributes, object: first.object };
  const second = mutateByPolicies(set, again, { ...context, previous: first.state });
  return {
    ...second,
    traces: [...first.traces, ...second.traces.filter(hasRun)],
    observations: [...first.observations, ...second.observations],
    conditions: [...first.conditions, ...second.conditions],
  };
}

function hasRun({ bindings }: MutatingPolicyTrace): boolean {
  return bindings.some(({ invocations }) => invocations.length > 0);
}

function unboundTrace({ name }: MutatingPolicy): MutatingPolicyTrace {
  return { policy: name, outcome: "skip", reason: reasons.noBinding(), bindings: [] };
}

function unchanged(object: JsonObject | undefined, state: ReinvocationState): MutationVerdict {
  return {
    ...{ object, error: undefined, denials: [], reinvokes: false, state },
    ...{ traces: [], observations: [], conditions: [] },
  };
}

interface Run {
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

function newRun(
  attributes: AdmissionAttributes,
  context: MutationContext,
  equivalents: EquivalentResources,
  { invocations, errors }: Selection,
): Run {
  return {
    attributes,
    context,
    equivalents,
    authorizer: cachingAuthorizer(context.authorizer),
    views: new RequestViews(attributes, context.namespace),
    invocations,
    errors: [...errors],
    observations: [],
    conditions: [],
  };
}

interface Outcome {
  readonly object: JsonObject | undefined;
  readonly refusal: StatusError | undefined;
  readonly next: { readonly isWanted: boolean; readonly state: ReinvocationState };
}

/** No policy had anything to do: nothing is noted either. */
function kept({ attributes }: Run, state: ReinvocationState): Outcome {
  return { object: attributes.object, refusal: undefined, next: { isWanted: false, state } };
}

function invokeAll(run: Run, state: ReinvocationState): Outcome {
  const { attributes, views } = run;
  const again = new Reinvocation(state, run.context.previous !== undefined, attributes.object);
  const finish = (object: JsonObject | undefined, refusal: StatusError | undefined): Outcome => ({
    object,
    refusal,
    next: { isWanted: again.isWanted, state: again.leave(object) },
  });
  if (views.isNamespaceMissing()) {
    return finish(attributes.object, notFound({ group: "", resource: "namespaces" }, attributes.namespace));
  }
  let last: Versioned | undefined;
  for (const invocation of run.invocations) {
    const { policy, versioned } = invocation;
    const before = versioned.object;
    const outcome = invoke(invocation, again, run);
    if (outcome === "skipped") continue;
    if (policy.mutations.length > 0) last = versioned;
    if (outcome instanceof StatusError) return finish(attributes.object, outcome);
    if (!deepEqual(before ?? null, versioned.object ?? null)) again.changed();
    if (policy.reinvocationPolicy === "IfNeeded") again.mayRunAgain(keyOf(invocation));
  }
  if (last?.object === undefined || !last.isDirty) return finish(attributes.object, undefined);
  again.changed();
  const { object, kind } = last;
  const back = sameKind(kind, attributes.kind) ? object : run.equivalents.convert(object, attributes.kind);
  return typeof back === "string"
    ? finish(attributes.object, internalError(messages.notConvertedBack(back)))
    : finish(back, undefined);
}

function keyOf({ policy, binding, param }: Invocation): string {
  const { namespace, name } = param === undefined ? { namespace: "", name: "" } : paramName(param);
  return [policy.name, binding.name, namespace, name].join("/");
}

/** A refusal ends the request at once. */
function invoke(invocation: Invocation, again: Reinvocation, run: Run): "skipped" | "done" | StatusError {
  const { policy, param, versioned } = invocation;
  const compiled = compiledMutatingPolicy(policy, run.context.version);
  const mutations: MutationTrace[] = [];
  const trace = (matchConditions: PassResult | undefined, excludedBy: number | undefined): void => {
    const { isReinvoke } = again;
    invocation.trace.push({ param: param && paramName(param), isReinvoke, matchConditions, excludedBy, mutations });
  };
  const conditions = judge(invocation, compiled, run);
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

interface Judged {
  readonly pass: PassResult;
  readonly verdict: ConditionsVerdict;
}

/** Match conditions see the resource as requested and no namespace. */
function judge(
  { policy, binding, matched, versioned, param }: Invocation,
  compiled: CompiledMutatingPolicy,
  run: Run,
): Judged | undefined {
  if (compiled.matchConditions.length === 0) return undefined;
  const { attributes, authorizer, context } = run;
  const request = run.views.request(attributes.resource, matched.kind);
  const { object, oldObject } = versioned;
  const bound = { authorizer, attributes };
  const inputs = { object, oldObject, params: param, request, namespaceObject: nothing, authorizer: bound };
  const activation = new Activation(inputs, compiled.variables);
  const { clock = NO_CLOCK } = context;
  const pass = runPass(compiled.matchConditions, activation, MATCH_CONDITIONS_COST_BUDGET, clock);
  const verdict = judgeConditions(pass, policy.failurePolicy);
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
    versioned.isDirty = true;
  }
  return undefined;
}

interface Evaluated {
  readonly patched: Patched;
  /** Undefined where the expression was not evaluated. */
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

function denialOf({ policy, binding, message, reason }: PolicyError): MutationDenial {
  return { policy: policy.name, binding: binding?.name, message, reason };
}

function refusalOf(denials: readonly MutationDenial[], attributes: AdmissionAttributes): StatusError | undefined {
  const [first] = denials;
  if (first === undefined) return undefined;
  const { group, resource } = attributes.resource;
  const base = forbidden({ group, resource }, shownName(attributes), "");
  const texts = denials.map(({ policy, binding, message }) => messages.denied(policy, binding, message));
  return new StatusError({
    code: base.code,
    reason: first.reason === "Invalid" ? "Invalid" : base.reason,
    message: texts[0] ?? "",
    details: { ...base.details, causes: texts.map((message) => ({ type: "", message, field: "" })) },
  });
}
