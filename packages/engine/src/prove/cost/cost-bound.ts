/** The size of requests up to which policies certainly stay within the cost limits of the API server. */
import type { Ast } from "@portcullis/cel/internal";
import { MATCH_CONDITIONS_COST_BUDGET, PER_CALL_LIMIT, RUNTIME_COST_BUDGET } from "../../kubecel/limits.ts";
import { type CompiledExpression, type CompiledPolicy, compiledPolicy } from "../../policy/compile.ts";
import type { PolicyHook, PolicySet } from "../../policy/policy-set.ts";
import type { JsonObject } from "../../value/json.ts";
import { boundsOf, type CostOptions, type Extent, extentOf, type Sizes } from "./expression-cost.ts";
import { constantOf, type Polynomial, sumOf, valueAt } from "./polynomial.ts";

/** The largest request that the API server accepts, in bytes. */
export const LARGEST_REQUEST = 3 * 1024 * 1024;

/** A cost that a request of any size must not exceed. */
interface Limit {
  readonly cost: Polynomial;
  readonly most: number;
}

/** The limits of a policy, each way bounds its cost: with the sizes of parts of objects, and without. */
type Ways = readonly (readonly Limit[])[];

const known = new WeakMap<PolicySet, Map<string, Ways>>();

/** The params that a policy may get; undefined if they are not known. */
export type GivenParams = (hook: PolicyHook) => readonly JsonObject[] | undefined;

/** Policies that are the same on both sides fail for the same requests, so only the others count. */
export function costBound(policies: PolicySet, other?: PolicySet, paramsOf?: GivenParams): number {
  const others = new Set(other?.hooks.map(hookText) ?? []);
  const hooks = policies.hooks.filter((hook) => !others.has(hookText(hook)));
  const limits = hooks.map((hook) => limitsOf(policies, hook, paramsOf));
  const isWithin = (size: number): boolean =>
    limits.every((ways) => ways.some((all) => all.every(({ cost, most }) => valueAt(cost, size) <= most)));
  if (isWithin(LARGEST_REQUEST)) return LARGEST_REQUEST;
  let [low, high] = [0, LARGEST_REQUEST];
  while (high - low > 64) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Everything that decides what is evaluated and what a failure does. Messages are evaluated last and only shown. */
function hookText({ policy, bindings }: PolicyHook): string {
  const { failurePolicy, matchConstraints, matchConditions, variables, validations, auditAnnotations } = policy;
  return JSON.stringify([
    [policy.name, policy.paramKind, failurePolicy, matchConstraints, matchConditions, variables],
    [validations.map(({ expression }) => expression), auditAnnotations.map(({ valueExpression }) => valueExpression)],
    bindings.map(({ binding }) => binding),
  ]);
}

function limitsOf(policies: PolicySet, hook: PolicyHook, paramsOf?: GivenParams): Ways {
  const { policy } = hook;
  const made = known.get(policies) ?? new Map<string, Ways>();
  known.set(policies, made);
  const ways =
    made.get(policy.name) ??
    [false, true].map((hasParts) =>
      policyLimits(compiledPolicy(policy), { isBuiltin: isBuiltin(policy), hasParts }, paramsOf?.(hook)),
    );
  made.set(policy.name, ways);
  return ways;
}

function policyLimits(
  { variables, matchConditions, validations, auditAnnotations }: CompiledPolicy,
  options: CostOptions,
  params: readonly JsonObject[] | undefined,
): Limit[] {
  const sizes = new Map<string, Extent>(params === undefined ? [] : [["params", extentOf(params)]]);
  const find: Sizes = (name) => sizes.get(name);
  const costOfAst = (ast: Ast | undefined): Polynomial =>
    ast === undefined ? constantOf(0) : boundsOf(ast.checked.expr, find, options).cost;
  const costOf = ({ ast }: Pick<CompiledExpression, "ast">): Polynomial => costOfAst(ast);
  const spent: Polynomial[] = [];
  for (const [name, { ast }] of variables) {
    spent.push(costOfAst(ast));
    if (ast === undefined) continue;
    const { cost: _, ...extent } = boundsOf(ast.checked.expr, find, options);
    sizes.set(`variables.${name}`, extent);
  }
  const pass = (expressions: readonly CompiledExpression[], budget: number): Limit[] => {
    const costs = expressions.map(costOf);
    const calls = costs.map((cost) => ({ cost, most: PER_CALL_LIMIT }));
    return costs.length === 0 ? [] : [...calls, { cost: sumOf(...costs, ...spent), most: budget }];
  };
  return [
    ...spent.map((cost) => ({ cost, most: PER_CALL_LIMIT })),
    ...pass(matchConditions, MATCH_CONDITIONS_COST_BUDGET),
    ...pass(validations, RUNTIME_COST_BUDGET),
    ...pass(auditAnnotations, RUNTIME_COST_BUDGET),
  ];
}

/** Groups that no CRD can add kinds to: their names have no dot. */
const BUILTIN_GROUPS: readonly string[] = ["", "apps", "batch", "policy", "autoscaling"];
/** Groups of built-in kinds that an approved CRD could add others to. */
const SHARED_GROUPS: readonly string[] = ["networking.k8s.io", "rbac.authorization.k8s.io", "storage.k8s.io"];

/** Whether the rules match only built-in kinds. */
function isBuiltin({ matchConstraints }: PolicyHook["policy"]): boolean {
  const rules = matchConstraints?.resourceRules ?? [];
  return rules.every(({ apiGroups, resources }) => {
    const isNamed = resources.every((resource) => !resource.startsWith("*"));
    return apiGroups.every((group) => BUILTIN_GROUPS.includes(group) || (isNamed && SHARED_GROUPS.includes(group)));
  });
}
