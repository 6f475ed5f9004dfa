/** What policies have to do with the writes of one resource: found out once, for all events that are alike. */
import type { AdmissionAttributes, Operation } from "@portcullis/engine/internal/policy/attributes";
import { isExempt } from "@portcullis/engine/internal/policy/exempt";
import type { PolicyFrame } from "@portcullis/engine/internal/policy/policy";
import type { MatchedPolicy, PolicyHook, PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { type Input, needsOf } from "./needs.ts";
import type { Policies, ReplayCluster } from "./replay-cluster.ts";
import type { Target, WriteEvent } from "./write-event.ts";

export interface Plan {
  readonly operation: Operation;
  /** The policies whose rules may be about such a write. */
  readonly hooks: readonly PolicyHook[];
  /** Whether mutating policies may be about it. */
  readonly mutates: boolean;
  readonly readsObject: boolean;
  readonly readsOld: boolean;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: "CREATE",
  update: "UPDATE",
  patch: "UPDATE",
  delete: "DELETE",
  deletecollection: "DELETE",
};

const plans = new WeakMap<Policies, WeakMap<Target, Map<string, Plan>>>();

export function planOf(policies: Policies, write: WriteEvent, cluster: ReplayCluster): Plan {
  let byTarget = plans.get(policies);
  if (byTarget === undefined) {
    byTarget = new WeakMap();
    plans.set(policies, byTarget);
  }
  let byVerb = byTarget.get(write.target);
  if (byVerb === undefined) {
    byVerb = new Map();
    byTarget.set(write.target, byVerb);
  }
  const verb = isPatchedOrPut(write) && write.event.code === 200 ? "change" : write.event.verb;
  let plan = byVerb.get(verb);
  if (plan === undefined) {
    plan = makePlan(policies, write, cluster);
    byVerb.set(verb, plan);
  }
  return plan;
}

function isPatchedOrPut({ event }: WriteEvent): boolean {
  return event.verb === "patch" || event.verb === "update";
}

function makePlan({ validating, mutating }: Policies, write: WriteEvent, cluster: ReplayCluster): Plan {
  const operation = write.target.isConnect ? "CONNECT" : (OPERATIONS[write.event.verb] ?? "UPDATE");
  // A PUT and an apply may create, as the answer shows.
  const operations = operation === "UPDATE" && write.event.code !== 200 ? ["UPDATE", "CREATE"] : [operation];
  const hooks = relevant(validating, write, operations, cluster);
  const reads = (input: Input): boolean =>
    hooks.some((hook) => needsOf(hook).decision.has(input) || needsOf(hook).message.has(input));
  return {
    operation,
    hooks,
    mutates: operation !== "DELETE" && relevant(mutating, write, operations, cluster).length > 0,
    readsObject: reads("object"),
    readsOld: reads("oldObject"),
  };
}

function relevant<Policy extends MatchedPolicy & PolicyFrame>(
  set: PolicySet<Policy>,
  { target, ref, event }: WriteEvent,
  operations: readonly string[],
  cluster: ReplayCluster,
): readonly PolicyHook<Policy>[] {
  const { resource, subresource } = target;
  if (isExempt(resource)) return [];
  const attributes: AdmissionAttributes = {
    operation: "CREATE" as const,
    resource,
    subresource,
    kind: { group: "", version: "", kind: "" },
    name: ref.name,
    namespace: ref.namespace,
    object: undefined,
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    userInfo: event.user,
  };
  return set.candidates(attributes, cluster.equivalents).filter(({ policy }) => {
    const rules = policy.matchConstraints?.resourceRules ?? [];
    return rules.length === 0 || rules.some((rule) => operations.some((each) => covers(rule, each, subresource)));
  });
}

interface Rule {
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

function covers({ operations, resources }: Rule, operation: string, subresource: string): boolean {
  if (!operations.includes("*") && !operations.includes(operation)) return false;
  return resources.some((pattern) => {
    const wanted = pattern.includes("/") ? pattern.slice(pattern.indexOf("/") + 1) : "";
    return wanted === "*" || wanted === subresource;
  });
}

const parts = new WeakMap<Plan, Map<string, readonly PolicyHook[]>>();

/** The policies of a plan without some. */
export function withoutPolicies(plan: Plan, undecided: readonly { readonly policy: string }[]): readonly PolicyHook[] {
  const key = undecided.map(({ policy }) => policy).join("\n");
  const known = parts.get(plan) ?? new Map<string, readonly PolicyHook[]>();
  parts.set(plan, known);
  const found = known.get(key);
  if (found !== undefined) return found;
  const out = new Set(undecided.map(({ policy }) => policy));
  const made = plan.hooks.filter(({ policy }) => !out.has(policy.name));
  known.set(key, made);
  return made;
}
