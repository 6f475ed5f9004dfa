/**
 * All mutating policies put to one request: the changed object, or the Status of the refusal.
 *
 * All policies are matched before anything is changed; then each matching policy sees the result of those before it.
 * The mutations of one policy run in order, and the next one runs even if one fails. If policies match different
 * versions of the object, only the changes to the version that was changed last survive. The refusal lists every error,
 * keeps code 403 whatever its reason, and does not start with "is forbidden". Follows apiserver
 * pkg/admission/plugin/policy/mutating/dispatcher.go and policy/generic/policy_dispatcher.go.
 */

import { forbidden, internalError, notFound, StatusError } from "../../status/error.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";
import { asVersion } from "../../value/server-version.ts";
import { type AdmissionAttributes, type EquivalentResources, NO_EQUIVALENTS, sameKind } from "../attributes.ts";
import { cachingAuthorizer } from "../authorizer.ts";
import { type ConditionsObservation, shownName } from "../enforce.ts";
import { applicablePart } from "../exempt.ts";
import type { PolicySet } from "../policy-set.ts";
import * as reasons from "../reasons.ts";
import { RequestViews } from "../request-views.ts";
import { invoke, keyOf, type MutationContext, type MutationObservation, type Run } from "./invoke.ts";
import * as messages from "./messages.ts";
import type { MutatingPolicy } from "./policy.ts";
import { FIRST_RUN, Reinvocation, type ReinvocationState } from "./reinvocation.ts";
import { type PolicyError, type Selection, selectInvocations, type Versioned } from "./select.ts";
import type { MutatingPolicyTrace } from "./trace.ts";

/** What the mutating policies made of a request. */
export interface MutationVerdict {
  /** The object after mutation. */
  readonly object: JsonObject | undefined;
  /** The changed object with the empty lists and maps that JSON does not show; undefined if nothing was changed. */
  readonly kept?: JsonObject | undefined;
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
  /** Undefined if the policy itself could not be applied. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

/** One run. Where it says that admission runs again, that is for the caller to do: see `mutateFully`. */
export function mutateByPolicies(
  all: PolicySet<MutatingPolicy>,
  attributes: AdmissionAttributes,
  context: MutationContext,
): MutationVerdict {
  if (context.version === undefined) return mutateNow(all, attributes, context);
  return asVersion(context.version, () => mutateNow(all, attributes, context));
}

function mutateNow(
  all: PolicySet<MutatingPolicy>,
  attributes: AdmissionAttributes,
  context: MutationContext,
): MutationVerdict {
  const equivalents = context.equivalents ?? NO_EQUIVALENTS;
  const state = context.previous ?? FIRST_RUN;
  // There is no object to change in a deletion.
  const set = attributes.operation === "DELETE" ? undefined : applicablePart(all, attributes.resource);
  if (set === undefined) return unchanged(attributes.object, state);
  const explains = context.explain === true;
  const hooks = explains ? set.hooks : set.candidates(attributes, equivalents);
  if (hooks.length === 0 && !explains) return unchanged(attributes.object, state);
  const selection = selectInvocations(hooks, attributes, context, equivalents);
  const run = newRun(attributes, context, equivalents, selection);
  const { object, kept: full, refusal, next } = run.invocations.length === 0 ? kept(run, state) : invokeAll(run, state);
  const denials = run.errors.flatMap((error) => (error.policy.failurePolicy === "Ignore" ? [] : [denialOf(error)]));
  return {
    object,
    kept: full,
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
  return joinRuns(first, mutateByPolicies(set, again, { ...context, previous: first.state }));
}

/** Both runs as one verdict. */
export function joinRuns(first: MutationVerdict, second: MutationVerdict): MutationVerdict {
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
    object,
    error: undefined,
    denials: [],
    reinvokes: false,
    state,
    traces: [],
    observations: [],
    conditions: [],
  };
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
  readonly kept?: JsonObject | undefined;
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
  const { object, kept: full, kind } = last;
  if (sameKind(kind, attributes.kind)) return { ...finish(object, undefined), kept: full };
  const back = run.equivalents.convert(object, attributes.kind);
  return typeof back === "string"
    ? finish(attributes.object, internalError(messages.notConvertedBack(back)))
    : finish(back, undefined);
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
