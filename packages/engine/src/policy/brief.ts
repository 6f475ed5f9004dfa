/**
 * The short evaluation, for callers who only ask which policies refuse a request, warn about it or are audited: the same
 * expressions in the same order on the same budgets, without messages and without a record of how they went. Where a policy
 * may refuse the request, or anything is unusual, the whole evaluation decides.
 */
import { isError, type Value } from "@portcullis/cel/internal";
import { MATCH_CONDITIONS_COST_BUDGET, RUNTIME_COST_BUDGET } from "../kubecel/limits.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import type { JsonObject } from "../value/json.ts";
import { Activation, type BoundAuthorizer, type Inputs } from "./activation.ts";
import { type AdmissionAttributes, sameKind } from "./attributes.ts";
import { type CompiledExpression, type CompiledPolicy, compiledPolicy } from "./compile.ts";
import type { Observation } from "./enforce.ts";
import { type MatchContext, matchCriteria } from "./match.ts";
import { collectParams, findParamResource, type ParamSource } from "./params.ts";
import type { BoundBinding, PolicyHook } from "./policy-set.ts";
import { nothing, type RequestViews } from "./request-views.ts";

/** A request, as all policies see it. */
export interface BriefRequest {
  readonly attributes: AdmissionAttributes;
  readonly match: MatchContext;
  readonly params: ParamSource;
  readonly authorizer: BoundAuthorizer["authorizer"];
  readonly views: RequestViews;
  readonly version: KubernetesVersion | undefined;
  /** Gets the warnings and audited failures. */
  readonly observations: Observation[];
}

/** Whether a policy certainly admits the request. If not, the whole evaluation has to decide. */
export function decideBriefly(hook: PolicyHook, request: BriefRequest): boolean {
  const observed = observationsOf(hook, request);
  if (observed !== undefined) request.observations.push(...observed);
  return observed !== undefined;
}

function observationsOf(hook: PolicyHook, request: BriefRequest): readonly Observation[] | undefined {
  const { policy, criteria } = hook;
  const { attributes, match, views } = request;
  const matched = criteria && matchCriteria(criteria, attributes, match);
  if (matched?.outcome === "skip") return NONE;
  if (matched?.outcome !== "match" || !sameKind(matched.kind, attributes.kind)) return undefined;
  const bindings: BoundBinding[] = [];
  for (const bound of hook.bindings) {
    const chosen = bound.criteria && matchCriteria(bound.criteria, attributes, match);
    if (chosen?.outcome === "error") return undefined;
    if (chosen?.outcome !== "skip") bindings.push(bound);
  }
  if (bindings.length === 0) return NONE;
  if (views.isNamespaceMissing()) return undefined;
  const compiled = compiledPolicy(policy, request.version);
  const holds = (params: JsonObject | undefined): boolean | undefined => {
    const view = views.request(matched.resource, matched.kind);
    const asRequested = views.request(attributes.resource, matched.kind);
    return new BriefRun(compiled, request, { params, view, asRequested }).holds();
  };
  return policy.paramKind === undefined
    ? observed(hook, bindings, holds(undefined))
    : evaluateParams(hook, bindings, request, holds);
}

const NONE: readonly Observation[] = [];

function evaluateParams(
  hook: PolicyHook,
  bindings: readonly BoundBinding[],
  request: BriefRequest,
  holds: (params: JsonObject | undefined) => boolean | undefined,
): readonly Observation[] | undefined {
  const { policy } = hook;
  const found = findParamResource(policy, request.params);
  if (found.error !== undefined) return undefined;
  const all: Observation[] = [];
  for (const bound of bindings) {
    const { namespace } = request.attributes;
    const params = collectParams(policy.paramKind, found.resource, bound.binding.paramRef, namespace);
    if (params.error !== undefined) return undefined;
    for (const param of params.value) {
      const made = observed(hook, [bound], holds(param));
      if (made === undefined) return undefined;
      all.push(...made);
    }
  }
  return all;
}

/** What comes of an evaluation that holds, fails, or has to be made as a whole. */
function observed(
  { policy }: PolicyHook,
  bindings: readonly BoundBinding[],
  holds: boolean | undefined,
): readonly Observation[] | undefined {
  if (holds === undefined) return undefined;
  if (holds) return NONE;
  const all: Observation[] = [];
  for (const { binding } of bindings) {
    for (const action of binding.validationActions) {
      if (action === "Deny") return undefined;
      const by = { policy: policy.name, binding: binding.name };
      all.push({ ...by, action: action === "Warn" ? "warn" : "audit", errorType: "invalid_error", elapsed: 0 });
    }
  }
  return all;
}

interface BriefInputs {
  readonly params: JsonObject | undefined;
  readonly view: () => JsonObject;
  /** As match conditions see the request. */
  readonly asRequested: () => JsonObject;
}

/** One policy with one parameter. */
class BriefRun {
  readonly #compiled: CompiledPolicy;
  readonly #request: BriefRequest;
  readonly #inputs: BriefInputs;
  readonly #isIgnoring: boolean;

  constructor(compiled: CompiledPolicy, request: BriefRequest, inputs: BriefInputs) {
    this.#compiled = compiled;
    this.#request = request;
    this.#inputs = inputs;
    this.#isIgnoring = compiled.policy.failurePolicy === "Ignore";
  }

  /** False if a validation fails; undefined if that cannot be said briefly. */
  holds(): boolean | undefined {
    const { validations, messageExpressions, auditAnnotations } = this.#compiled;
    const isMatched = this.#conditionsHold();
    if (isMatched !== true) return isMatched === false ? true : undefined;
    const { views } = this.#request;
    const inputs = this.#inputsWith(this.#inputs.view, views.namespace, this.#bound());
    let isHolding = true;
    const remaining = this.#budgetAfter(validations, inputs, RUNTIME_COST_BUDGET, (value) => {
      if (value !== true && !(this.#isIgnoring && isError(value))) isHolding = false;
      return true;
    });
    if (remaining < 0) return undefined;
    // They are evaluated even if nobody will see them, and may use up the budget.
    const texts = (): Inputs => this.#inputsWith(this.#inputs.view, views.namespace, undefined);
    if (hasSome(messageExpressions) && this.#budgetAfter(messageExpressions, texts(), remaining, isAny) < 0) {
      return undefined;
    }
    if (auditAnnotations.length === 0) return isHolding;
    const values = this.#inputsWith(this.#inputs.view, views.untrimmedNamespace, undefined);
    const isPublished = (value: Value): boolean =>
      value === null || typeof value === "string" || (this.#isIgnoring && isError(value));
    return this.#budgetAfter(auditAnnotations, values, RUNTIME_COST_BUDGET, isPublished) < 0 ? undefined : isHolding;
  }

  /** One that is false excludes the request whatever the others say, as long as the budget lasts. */
  #conditionsHold(): boolean | undefined {
    const { matchConditions } = this.#compiled;
    if (matchConditions.length === 0) return true;
    let [isExcluded, isFailed] = [false, false];
    const inputs = this.#inputsWith(this.#inputs.asRequested, nothing, this.#bound());
    const remaining = this.#budgetAfter(matchConditions, inputs, MATCH_CONDITIONS_COST_BUDGET, (value) => {
      if (value === false) isExcluded = true;
      else if (value !== true) isFailed = true;
      return true;
    });
    if (remaining < 0 || (isFailed && !isExcluded)) return undefined;
    return !isExcluded;
  }

  #bound(): BoundAuthorizer {
    const { authorizer, attributes } = this.#request;
    return { authorizer, attributes };
  }

  #inputsWith(
    request: Inputs["request"],
    namespaceObject: Inputs["namespaceObject"],
    authorizer: BoundAuthorizer | undefined,
  ): Inputs {
    const { object, oldObject } = this.#request.attributes;
    const { params } = this.#inputs;
    return { object, oldObject, params, request, namespaceObject, authorizer };
  }

  /** What is left of a budget; negative if it is used up, or if a value is not as expected. */
  #budgetAfter(
    expressions: readonly (CompiledExpression | undefined)[],
    inputs: Inputs,
    budget: number,
    isExpected: (value: Value) => boolean,
  ): number {
    const activation = new Activation(inputs, this.#compiled.variables);
    let remaining = budget;
    for (const compiled of expressions) {
      if (compiled === undefined) continue;
      if (compiled.program === undefined) return -1;
      const { value, cost } = compiled.program.evaluate(activation.resolve);
      remaining -= cost + activation.takeVariablesCost();
      if (remaining < 0 || !isExpected(value)) return -1;
    }
    return remaining;
  }
}

const isAny = (): boolean => true;

function hasSome(expressions: readonly unknown[]): boolean {
  return expressions.some((each) => each !== undefined);
}
