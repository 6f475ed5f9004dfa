/**
 * The short cut for policies that let a request pass and have nothing else to say about it, which are most: the same
 * expressions in the same order on the same budget, without a record of how they went. Where anything is unusual it says no,
 * and the whole evaluation decides.
 */
import { RUNTIME_COST_BUDGET } from "../kubecel/limits.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import { Activation, type BoundAuthorizer, type Inputs } from "./activation.ts";
import { type AdmissionAttributes, sameKind } from "./attributes.ts";
import { type CompiledExpression, compiledPolicy } from "./compile.ts";
import { type MatchContext, matchCriteria } from "./match.ts";
import type { PolicyHook } from "./policy-set.ts";
import type { RequestViews } from "./request-views.ts";

/** A request, as all policies see it. */
export interface QuietRequest {
  readonly attributes: AdmissionAttributes;
  readonly match: MatchContext;
  readonly authorizer: BoundAuthorizer["authorizer"];
  readonly views: RequestViews;
  readonly version: KubernetesVersion | undefined;
}

/** Whether a policy admits the request without warnings, audit annotations or errors. False if that is not certain. */
export function passesQuietly(hook: PolicyHook, request: QuietRequest): boolean {
  const { policy, criteria } = hook;
  if (policy.paramKind !== undefined || policy.auditAnnotations.length + policy.matchConditions.length > 0)
    return false;
  const { attributes, match, views } = request;
  const matched = criteria && matchCriteria(criteria, attributes, match);
  if (matched?.outcome === "skip") return true;
  if (matched?.outcome !== "match" || !sameKind(matched.kind, attributes.kind)) return false;
  const bindings = hook.bindings.map((bound) => bound.criteria && matchCriteria(bound.criteria, attributes, match));
  if (bindings.some((each) => each?.outcome === "error")) return false;
  if (bindings.every((each) => each?.outcome === "skip")) return true;
  if (views.isNamespaceMissing()) return false;
  const { validations, messageExpressions, variables } = compiledPolicy(policy, request.version);
  const inputs: Inputs = {
    object: attributes.object,
    oldObject: attributes.oldObject,
    params: undefined,
    request: views.request(matched.resource, matched.kind),
    namespaceObject: views.namespace,
    authorizer: { authorizer: request.authorizer, attributes },
  };
  const remaining = budgetAfter(validations, new Activation(inputs, variables), RUNTIME_COST_BUDGET, isTrue);
  if (remaining < 0) return false;
  // They are evaluated even if nobody will see them, and may use up the budget.
  if (messageExpressions.every((each) => each === undefined)) return true;
  const texts = new Activation({ ...inputs, authorizer: undefined }, variables);
  return budgetAfter(messageExpressions, texts, remaining, isAny) >= 0;
}

const isTrue = (value: unknown): boolean => value === true;
const isAny = (): boolean => true;

/** What is left of a budget; negative if it is used up, or if a value is not as expected. */
function budgetAfter(
  expressions: readonly (CompiledExpression | undefined)[],
  activation: Activation,
  budget: number,
  isExpected: (value: unknown) => boolean,
): number {
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
