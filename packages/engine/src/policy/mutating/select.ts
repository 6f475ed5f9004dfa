/**
 * Which policies are for a request, with which bindings and params: all of it is found out before anything is changed.
 *
 * Follows apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go.
 */
import type { JsonObject } from "../../value/json.ts";
import {
  type AdmissionAttributes,
  type EquivalentResources,
  formatKind,
  type GroupVersionKind,
  sameKind,
} from "../attributes.ts";
import type { PolicyBinding } from "../binding.ts";
import type { PolicyContext } from "../dispatch.ts";
import { type MatchContext, type MatchResult, matchCriteria } from "../match.ts";
import * as messages from "../messages.ts";
import { collectParams, findParamResource, type ParamResource } from "../params.ts";
import type { BoundBinding, PolicyHook } from "../policy-set.ts";
import * as reasons from "../reasons.ts";
import type { MutatingPolicy } from "./policy.ts";
import type { InvocationTrace, MutatingBindingTrace, MutatingPolicyTrace } from "./trace.ts";

/** What is wrong with a policy, or with what it did. */
export interface PolicyError {
  readonly policy: MutatingPolicy;
  /** Undefined if the policy itself could not be applied. */
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: string;
}

/** A policy with one of its bindings and one parameter. */
export interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: PolicyBinding;
  readonly matched: Matched;
  readonly versioned: Versioned;
  readonly param: JsonObject | undefined;
  /** Receives the trace of its invocations. */
  readonly trace: InvocationTrace[];
}

export type Matched = MatchResult & { readonly outcome: "match" };

/** The objects in a version that some policy matched; one for all that matched it. */
export interface Versioned {
  readonly kind: GroupVersionKind;
  object: JsonObject | undefined;
  /** The changed object with the empty lists and maps that JSON does not show. */
  kept?: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  isDirty: boolean;
}

export interface Selection {
  readonly invocations: readonly Invocation[];
  readonly errors: readonly PolicyError[];
  readonly traces: readonly MutatingPolicyTrace[];
}

export function selectInvocations(
  hooks: readonly PolicyHook<MutatingPolicy>[],
  attributes: AdmissionAttributes,
  context: PolicyContext,
  equivalents: EquivalentResources,
): Selection {
  const selection: PendingSelection = {
    attributes,
    context,
    match: { equivalents, namespace: context.namespace },
    versions: new Map(),
    invocations: [],
    errors: [],
    traces: [],
  };
  for (const hook of hooks) selectPolicy(hook, selection);
  return selection;
}

interface PendingSelection extends Selection {
  readonly attributes: AdmissionAttributes;
  readonly context: PolicyContext;
  readonly match: MatchContext;
  readonly versions: Map<string, Versioned>;
  readonly invocations: Invocation[];
  readonly errors: PolicyError[];
  readonly traces: MutatingPolicyTrace[];
}

function selectPolicy(hook: PolicyHook<MutatingPolicy>, selection: PendingSelection): void {
  const { policy } = hook;
  const { matched, resource } = matchPolicy(hook, selection);
  const bindings: MutatingBindingTrace[] = [];
  const reason = matched.outcome === "error" ? matched.error : matched.reason;
  if (matched.outcome !== "skip" || selection.context.explain === true) {
    selection.traces.push({ policy: policy.name, outcome: matched.outcome, reason, bindings });
  }
  if (matched.outcome === "error") {
    const message = messages.failedToConfigurePolicy(reason);
    selection.errors.push({ policy, binding: undefined, message, reason: "" });
  }
  if (matched.outcome !== "match") return;
  for (const bound of hook.bindings) {
    const selected = selectBinding(bound, policy, matched, resource, selection);
    bindings.push({ binding: bound.binding.name, ...selected });
  }
}

interface MatchedPolicy {
  readonly matched: MatchResult;
  readonly resource: ParamResource | undefined;
}

function matchPolicy({ policy, criteria }: PolicyHook<MutatingPolicy>, selection: PendingSelection): MatchedPolicy {
  if (criteria === undefined) {
    return { matched: { outcome: "error", error: messages.noMatchConstraints() }, resource: undefined };
  }
  const matched = matchCriteria(criteria, selection.attributes, selection.match);
  if (matched.outcome !== "match") return { matched, resource: undefined };
  const { error, resource } = findParamResource(policy, selection.context.params);
  return { matched: error === undefined ? matched : { outcome: "error", error }, resource };
}

function selectBinding(
  { binding, criteria }: BoundBinding,
  policy: MutatingPolicy,
  matched: Matched,
  resource: ParamResource | undefined,
  selection: PendingSelection,
): Omit<MutatingBindingTrace, "binding"> {
  const trace: InvocationTrace[] = [];
  const fail = (problem: string, of: PolicyBinding | undefined): Omit<MutatingBindingTrace, "binding"> => {
    const described = of === undefined ? messages.failedToConfigurePolicy : messages.failedToConfigureBinding;
    selection.errors.push({ policy, binding: of, message: described(problem), reason: "" });
    return { outcome: "error", reason: problem, invocations: trace };
  };
  const own = criteria && matchCriteria(criteria, selection.attributes, selection.match);
  if (own?.outcome === "error") return fail(own.error, binding);
  if (own?.outcome === "skip") return { outcome: "skip", reason: own.reason, invocations: trace };
  const versioned = versionedAs(matched.kind, selection);
  if (typeof versioned === "string") return fail(versioned, undefined);
  const params = collectParams(policy.paramKind, resource, binding.paramRef, selection.attributes.namespace);
  if (params.error !== undefined) return fail(params.error, binding);
  for (const param of params.value) selection.invocations.push({ policy, binding, matched, versioned, param, trace });
  if (params.value.length === 0) return { outcome: "skip", reason: reasons.paramsAllowedMissing(), invocations: trace };
  return { outcome: "match", reason: own?.reason ?? reasons.noMatchResources(), invocations: trace };
}

/** A text says why the objects cannot be had in this version. */
function versionedAs(kind: GroupVersionKind, { attributes, match, versions }: PendingSelection): Versioned | string {
  const key = formatKind(kind);
  const known = versions.get(key);
  if (known !== undefined) return known;
  const convert = (object: JsonObject | undefined): JsonObject | string | undefined =>
    object === undefined || sameKind(kind, attributes.kind) ? object : match.equivalents.convert(object, kind);
  const oldObject = convert(attributes.oldObject);
  if (typeof oldObject === "string") return oldObject;
  const object = convert(attributes.object);
  if (typeof object === "string") return object;
  const made: Versioned = { kind, object, oldObject, isDirty: false };
  versions.set(key, made);
  return made;
}
