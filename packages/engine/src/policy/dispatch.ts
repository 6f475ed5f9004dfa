/**
 * All policies put to one request: allowed or the Status of the refusal, warnings, audit annotations, and how it came
 * about.
 *
 * Policies run in the order of names, and so do their bindings. One refusal does not skip the evaluation of the others,
 * but only the first is returned to the client. Follows apiserver pkg/admission/plugin/policy/validating/dispatcher.go.
 */

import type { Authorizer } from "../kubecel/library/authz.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import { notFound, type StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { asVersion, since } from "../value/server-version.ts";
import { type AdmissionAttributes, type EquivalentResources, NO_EQUIVALENTS, sameKind } from "./attributes.ts";
import { AnnotationCollector, AuditAnnotations } from "./audit.ts";
import { cachingAuthorizer } from "./authorizer.ts";
import { decideBriefly } from "./brief.ts";
import { compiledPolicy } from "./compile.ts";
import {
  addConfigurationError,
  type ConditionsObservation,
  type Consequences,
  type Denial,
  enforce,
  type Observation,
  refusal,
} from "./enforce.ts";
import { type Clock, type EvaluationInputs, evaluatePolicy } from "./evaluate.ts";
import { applicablePart } from "./exempt.ts";
import { type MatchContext, type MatchResult, matchCriteria } from "./match.ts";
import * as messages from "./messages.ts";
import { collectParams, findParamResource, type ParamResource, type ParamSource, paramName } from "./params.ts";
import type { AdmissionPolicy } from "./policy.ts";
import type { BoundBinding, PolicyHook, PolicySet } from "./policy-set.ts";
import * as reasons from "./reasons.ts";
import { nothing, RequestViews } from "./request-views.ts";
import type { BindingTrace, EvaluationTrace, PolicyTrace } from "./trace.ts";

/** What policies may ask about the cluster: parameters, namespaces, rights. */
export interface PolicyContext {
  readonly params: ParamSource;
  readonly namespace: (name: string) => JsonObject | undefined;
  readonly authorizer: Authorizer;
  readonly equivalents?: EquivalentResources | undefined;
  /** Record every failure with action Audit instead of the first only. */
  readonly auditAllFailures?: boolean | undefined;
  /** What expressions may use is what a server of this version knows; by default all that there is. */
  readonly version?: KubernetesVersion | undefined;
  /** Makes times in `observations` known. */
  readonly clock?: Clock | undefined;
  /** Also say why policies that are not about the request are not. */
  readonly explain?: boolean | undefined;
  /**
   * Only find out which policies refuse, warn or are audited: no audit annotations, and no messages and traces of policies
   * that do not refuse. That is faster.
   */
  readonly isBrief?: boolean | undefined;
}

/** What the policies decided, with a trace of how. */
export interface PolicyVerdict {
  readonly allowed: boolean;
  /** The refusal. */
  readonly error: StatusError | undefined;
  /** In order, as they were raised; the server drops repetitions and cuts long ones. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** Every reason to refuse the request; `error` is the first. */
  readonly denials: readonly Denial[];
  readonly traces: readonly PolicyTrace[];
  /** What the server counts. */
  readonly observations: readonly Observation[];
  readonly conditions: readonly ConditionsObservation[];
}

/** Evaluates every policy of a set that matches a request, and combines their decisions as the API server does. */
export function evaluatePolicies(
  all: PolicySet,
  attributes: AdmissionAttributes,
  context: PolicyContext,
): PolicyVerdict {
  if (context.version === undefined) return evaluateNow(all, attributes, context);
  return asVersion(context.version, () => evaluateNow(all, attributes, context));
}

function evaluateNow(all: PolicySet, attributes: AdmissionAttributes, context: PolicyContext): PolicyVerdict {
  const set = applicablePart(all, attributes.resource);
  if (set === undefined) return NOTHING;
  const equivalents = context.equivalents ?? NO_EQUIVALENTS;
  const hooks = context.explain === true ? set.hooks : set.candidates(attributes, equivalents);
  if (hooks.length === 0 && context.explain !== true) return NOTHING;
  const verdict = runHooks(hooks, attributes, context);
  return context.explain === true
    ? { ...verdict, traces: [...verdict.traces, ...set.unbound.map(unboundTrace)] }
    : verdict;
}

/** The same for policies that were found to be about the resource, in the order of names; none may be exempt. */
export function evaluateHooks(
  hooks: readonly PolicyHook[],
  attributes: AdmissionAttributes,
  context: PolicyContext,
): PolicyVerdict {
  if (hooks.length === 0) return NOTHING;
  if (context.version === undefined) return runHooks(hooks, attributes, context);
  return asVersion(context.version, () => runHooks(hooks, attributes, context));
}

function runHooks(
  hooks: readonly PolicyHook[],
  attributes: AdmissionAttributes,
  context: PolicyContext,
): PolicyVerdict {
  const run = newRun(attributes, context, context.equivalents ?? NO_EQUIVALENTS);
  const { version } = context;
  const request = context.isBrief === true ? { ...run, params: context.params, version } : undefined;
  const isFailed = hooks.some((hook) => !(request && decideBriefly(hook, request)) && !runHook(hook, run));
  const error = isFailed ? run.failure : refusal(run.denials[0], attributes);
  return {
    allowed: error === undefined,
    error,
    warnings: run.warnings,
    auditAnnotations: run.annotations.toMap(context.auditAllFailures ?? since("1.37")),
    denials: run.denials,
    traces: run.traces,
    observations: run.observations,
    conditions: run.conditions,
  };
}

const NOTHING: PolicyVerdict = {
  allowed: true,
  error: undefined,
  warnings: [],
  auditAnnotations: new Map(),
  denials: [],
  traces: [],
  observations: [],
  conditions: [],
};

interface Run extends Consequences {
  readonly attributes: AdmissionAttributes;
  readonly context: PolicyContext;
  readonly match: MatchContext;
  readonly authorizer: Authorizer;
  readonly traces: PolicyTrace[];
  readonly views: RequestViews;
  /** Ends the request at once, whatever policies say. */
  failure: StatusError | undefined;
}

function newRun(attributes: AdmissionAttributes, context: PolicyContext, equivalents: EquivalentResources): Run {
  return {
    attributes,
    context,
    match: { equivalents, namespace: context.namespace },
    authorizer: cachingAuthorizer(context.authorizer),
    denials: [],
    warnings: [],
    annotations: new AuditAnnotations(),
    traces: [],
    observations: [],
    conditions: [],
    views: new RequestViews(attributes, context.namespace),
    failure: undefined,
  };
}

function unboundTrace({ name }: AdmissionPolicy): PolicyTrace {
  return { policy: name, outcome: "skip", reason: reasons.noBinding(), bindings: [] };
}

/** False if the request is refused. */
function runHook(hook: PolicyHook, run: Run): boolean {
  const { policy } = hook;
  const matched = matchPolicy(hook, run);
  if (matched.outcome === "skip") {
    if (run.context.explain === true) run.traces.push({ policy: policy.name, ...matched, bindings: [] });
    return true;
  }
  const params = matched.outcome === "match" ? findParamResource(policy, run.context.params) : undefined;
  const problem = matched.outcome === "error" ? matched.error : params?.error;
  if (problem !== undefined || matched.outcome === "error") {
    addConfigurationError(problem ?? "", policy, undefined, run);
    run.traces.push({ policy: policy.name, outcome: "error", reason: problem ?? "", bindings: [] });
    return true;
  }
  const hookRun: HookRun = {
    hook,
    matched,
    params: params?.resource,
    collector: new AnnotationCollector(),
    traces: [],
    versioned: undefined,
  };
  const isAccepted = hook.bindings.every((bound) => runBinding(bound, hookRun, run));
  run.traces.push({ policy: policy.name, outcome: "match", reason: matched.reason, bindings: hookRun.traces });
  if (isAccepted) hookRun.collector.publish(policy.name, run.annotations);
  return isAccepted;
}

function matchPolicy({ criteria }: PolicyHook, { attributes, match }: Run): MatchResult {
  if (criteria === undefined) return { outcome: "error", error: messages.noMatchConstraints() };
  return matchCriteria(criteria, attributes, match);
}

/** One policy that matched. */
interface HookRun {
  readonly hook: PolicyHook;
  readonly matched: MatchResult & { readonly outcome: "match" };
  readonly params: ParamResource | undefined;
  readonly collector: AnnotationCollector;
  readonly traces: BindingTrace[];
  /** The objects in the version that matched, converted when first needed. */
  versioned: Versioned | undefined;
}

interface Versioned {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

function runBinding(bound: BoundBinding, hookRun: HookRun, run: Run): boolean {
  const { traces } = hookRun;
  const { binding, criteria } = bound;
  const { policy } = hookRun.hook;
  const matched = criteria && matchCriteria(criteria, run.attributes, run.match);
  if (matched?.outcome === "error") return failBinding(matched.error, bound, hookRun, run);
  if (matched?.outcome === "skip") {
    traces.push({ binding: binding.name, outcome: "skip", reason: matched.reason, evaluations: [] });
    return true;
  }
  const params = collectParams(policy.paramKind, hookRun.params, binding.paramRef, run.attributes.namespace);
  if (params.error !== undefined) return failBinding(params.error, bound, hookRun, run);
  if (params.value.length > 0) {
    const problem = convertObjects(hookRun, run);
    if (problem !== undefined) return failBinding(messages.conversionFailed(problem), bound, hookRun, run);
  }
  if (run.views.isNamespaceMissing()) {
    run.failure = notFound({ group: "", resource: "namespaces" }, run.attributes.namespace);
    traces.push({ binding: binding.name, outcome: "error", reason: run.failure.message, evaluations: [] });
    return false;
  }
  const evaluations = params.value.map((param) => evaluateParam(param, hookRun, run));
  traces.push(
    params.value.length === 0
      ? { binding: binding.name, outcome: "skip", reason: reasons.paramsAllowedMissing(), evaluations }
      : { binding: binding.name, outcome: "match", reason: matched?.reason ?? reasons.noMatchResources(), evaluations },
  );
  const by = { policy, binding };
  for (const evaluation of evaluations) enforce(evaluation, by, hookRun.collector, run);
  return true;
}

function failBinding(problem: string, { binding }: BoundBinding, { hook, traces }: HookRun, run: Run): true {
  addConfigurationError(problem, hook.policy, binding, run);
  traces.push({ binding: binding.name, outcome: "error", reason: problem, evaluations: [] });
  return true;
}

function evaluateParam(param: JsonObject | undefined, hookRun: HookRun, run: Run): EvaluationTrace {
  const { version, clock } = run.context;
  const compiled = compiledPolicy(hookRun.hook.policy, version);
  const { decisions, annotations, steps } = evaluatePolicy(compiled, inputsFor(hookRun, param, run), clock);
  return { param: param && paramName(param), decisions, annotations, steps };
}

/** Why the objects cannot be had in the version that matched. */
function convertObjects(hookRun: HookRun, { attributes, match }: Run): string | undefined {
  if (hookRun.versioned !== undefined) return undefined;
  const { kind } = hookRun.matched;
  const convert = (object: JsonObject | undefined): JsonObject | string | undefined =>
    object === undefined || sameKind(kind, attributes.kind) ? object : match.equivalents.convert(object, kind);
  const oldObject = convert(attributes.oldObject);
  if (typeof oldObject === "string") return oldObject;
  const object = convert(attributes.object);
  if (typeof object === "string") return object;
  hookRun.versioned = { object, oldObject };
  return undefined;
}

/**
 * Match conditions see the resource as requested and no namespace; message expressions and audit annotations have no
 * authorizer, and audit annotations get the namespace untrimmed.
 */
function inputsFor({ matched, versioned }: HookRun, params: JsonObject | undefined, run: Run): EvaluationInputs {
  const { attributes, authorizer, views } = run;
  const object = versioned?.object;
  const oldObject = versioned?.oldObject;
  const request = views.request(matched.resource, matched.kind);
  const asRequested = views.request(attributes.resource, matched.kind);
  const bound = { authorizer, attributes };
  const { namespace, untrimmedNamespace } = views;
  return {
    // Written out: spreading one into the next took a noticeable part of the time of a request.
    matchConditions: { object, oldObject, params, request: asRequested, namespaceObject: nothing, authorizer: bound },
    validations: { object, oldObject, params, request, namespaceObject: namespace, authorizer: bound },
    messageExpressions: { object, oldObject, params, request, namespaceObject: namespace, authorizer: undefined },
    auditAnnotations: {
      object,
      oldObject,
      params,
      request,
      namespaceObject: untrimmedNamespace,
      authorizer: undefined,
    },
  };
}
