/**
 * The policies in force: joined with their bindings, in the order of names, and indexed by the resources their rules
 * name, so that a request costs next to nothing for policies that are not about it.
 *
 * Upstream goes through policies and bindings in the order of a Go map; which of several refusals a client sees is left
 * to chance there.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { type AdmissionAttributes, type EquivalentResources, parseGroupVersion } from "./attributes.ts";
import type { PolicyBinding } from "./binding.ts";
import { type Criteria, compileCriteria, splitResource } from "./match.ts";
import type { MatchResources } from "./match-resources.ts";
import type { AdmissionPolicy } from "./policy.ts";

/** What matching needs to know of a policy. */
export type MatchedPolicy = Pick<AdmissionPolicy, "name" | "paramKind" | "matchConstraints">;

/** A policy and what makes it act. */
export interface PolicyHook<Policy extends MatchedPolicy = AdmissionPolicy> {
  readonly policy: Policy;
  /** Undefined if the policy says nothing about what it is for, which is an error. */
  readonly criteria: Criteria | undefined;
  readonly bindings: readonly BoundBinding[];
}

export interface BoundBinding {
  readonly binding: PolicyBinding;
  /** Undefined if the binding adds no constraints. */
  readonly criteria: Criteria | undefined;
}

/** Policies with their bindings, ready to be matched against requests. */
export class PolicySet<Policy extends MatchedPolicy = AdmissionPolicy> {
  /** Those with bindings, by name. */
  readonly hooks: readonly PolicyHook<Policy>[];
  /** Policies without a binding do nothing. */
  readonly unbound: readonly Policy[];
  /** Bindings without a policy do nothing either. */
  readonly dangling: readonly PolicyBinding[];
  readonly #index = new Map<string, number[]>();
  /** Whether some policy asks for equivalent resources. */
  readonly #looksAround: boolean;

  /** Those from files, which apply to admission policies as well; they are among the others too. */
  readonly staticPart: PolicySet<Policy> | undefined;

  constructor(policies: readonly Policy[], bindings: readonly PolicyBinding[], staticPart?: PolicySet<Policy>) {
    this.staticPart = staticPart;
    const byPolicy = groupBindings(bindings);
    const known = new Map(policies.filter(isUsable).map((policy) => [policy.name, policy]));
    const sorted = [...known.values()].sort((left, right) => compareStrings(left.name, right.name));
    this.hooks = sorted.flatMap((policy) => {
      const bound = byPolicy.get(policy.name);
      return bound === undefined ? [] : [makeHook(policy, bound)];
    });
    this.unbound = sorted.filter(({ name }) => !byPolicy.has(name));
    this.dangling = bindings.filter(({ policyName }) => !known.has(policyName));
    this.#looksAround = sorted.some(({ matchConstraints }) => matchConstraints?.matchPolicy !== "Exact");
    for (const [at, { policy }] of this.hooks.entries()) this.#add(policy.matchConstraints, at);
  }

  /** The policies with a rule, including or excluding, that may be about the request. */
  candidates(attributes: AdmissionAttributes, equivalents: EquivalentResources): readonly PolicyHook<Policy>[] {
    if (this.hooks.length === 0) return [];
    const { resource, subresource } = attributes;
    const found = new Set<number>();
    this.#collect(resource.group, resource.resource, found);
    if (this.#looksAround) {
      for (const other of equivalents.equivalents(resource, subresource)) {
        if (other.group !== resource.group || other.resource !== resource.resource) {
          this.#collect(other.group, other.resource, found);
        }
      }
    }
    return [...found].sort((left, right) => left - right).flatMap((at) => this.hooks[at] ?? []);
  }

  #collect(group: string, resource: string, found: Set<number>): void {
    for (const key of [`${group}|${resource}`, `${group}|*`, `*|${resource}`, "*|*"]) {
      for (const at of this.#index.get(key) ?? []) found.add(at);
    }
  }

  #add(match: MatchResources | undefined, at: number): void {
    for (const key of indexKeys(match)) {
      const bucket = this.#index.get(key);
      if (bucket === undefined) this.#index.set(key, [at]);
      else if (bucket.at(-1) !== at) bucket.push(at);
    }
  }
}

/** Where a policy is to be found. One that cannot be matched properly belongs everywhere: it must fail. */
function indexKeys(match: MatchResources | undefined): Iterable<string> {
  const isBroken = match?.namespaceSelector === undefined || match.objectSelector === undefined;
  if (match === undefined || isBroken || match.resourceRules.length === 0) return ["*|*"];
  const keys = new Set<string>();
  for (const { apiGroups, resources } of [...match.resourceRules, ...match.excludeResourceRules]) {
    for (const group of apiGroups) {
      for (const pattern of resources) keys.add(`${group}|${splitResource(pattern)[0]}`);
    }
  }
  return keys;
}

/** A policy whose paramKind cannot even be parsed never comes into force. */
function isUsable({ paramKind }: MatchedPolicy): boolean {
  return paramKind === undefined || parseGroupVersion(paramKind.apiVersion) !== undefined;
}

function groupBindings(bindings: readonly PolicyBinding[]): ReadonlyMap<string, readonly PolicyBinding[]> {
  const groups = new Map<string, PolicyBinding[]>();
  const sorted = [...bindings].sort((left, right) => compareStrings(left.name, right.name));
  for (const binding of sorted) {
    const group = groups.get(binding.policyName);
    if (group === undefined) groups.set(binding.policyName, [binding]);
    else group.push(binding);
  }
  return groups;
}

function makeHook<Policy extends MatchedPolicy>(
  policy: Policy,
  bindings: readonly PolicyBinding[],
): PolicyHook<Policy> {
  return {
    policy,
    criteria: policy.matchConstraints && compileCriteria(policy.matchConstraints),
    bindings: bindings.map((binding) => ({
      binding,
      criteria: binding.matchResources && compileCriteria(binding.matchResources),
    })),
  };
}
