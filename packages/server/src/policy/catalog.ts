/**
 * The policies and bindings in the store, ready to be put to requests.
 *
 * A follower keeps them up to date: no request is handled while one is behind, and it has seen every write that was
 * acknowledged here. So a policy is in force as soon as its write has been acknowledged.
 */
import { type PolicyBinding, readBinding } from "@portcullis/engine/internal/policy/binding";
import { type MutatingPolicy, readMutatingPolicy } from "@portcullis/engine/internal/policy/mutating/policy";
import { POLICY_GROUP } from "@portcullis/engine/internal/policy/objects/decode";
import { type AdmissionPolicy, readPolicy } from "@portcullis/engine/internal/policy/policy";
import { type MatchedPolicy, PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import {
  MUTATING_BINDINGS,
  MUTATING_POLICIES,
  VALIDATING_BINDINGS,
  VALIDATING_POLICIES,
} from "@portcullis/engine/internal/review/kinds/admission-configuration";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { decodeEntry } from "../registry/object-codec.ts";
import type { Registry } from "../registry/registry.ts";
import type { Followers } from "../storage/followers.ts";
import type { Entry } from "../storage/store.ts";

/** The resources that policies of one sort and their bindings are, and how a policy is read. */
export interface PolicySort<Policy> {
  readonly policies: string;
  readonly bindings: string;
  readonly read: (json: JsonObject) => Policy;
}

export const VALIDATING: PolicySort<AdmissionPolicy> = {
  policies: VALIDATING_POLICIES,
  bindings: VALIDATING_BINDINGS,
  read: readPolicy,
};
export const MUTATING: PolicySort<MutatingPolicy> = {
  policies: MUTATING_POLICIES,
  bindings: MUTATING_BINDINGS,
  read: readMutatingPolicy,
};

interface StaticPolicies<Policy extends MatchedPolicy> {
  readonly policies: readonly Policy[];
  readonly bindings: readonly PolicyBinding[];
  readonly set: PolicySet<Policy>;
}

export class PolicyCatalog<Policy extends MatchedPolicy = AdmissionPolicy> {
  readonly #followers: Followers;
  readonly #sort: PolicySort<Policy>;
  readonly #policies = new Map<string, Policy>();
  readonly #bindings = new Map<string, PolicyBinding>();
  readonly #listeners = new Set<(key: string) => void>();
  #set: PolicySet<Policy> | undefined;
  #static: StaticPolicies<Policy> | undefined;

  constructor(followers: Followers, sort: PolicySort<Policy>) {
    this.#followers = followers;
    this.#sort = sort;
  }

  async start(registry: Registry): Promise<void> {
    const { policies, bindings, read } = this.#sort;
    await this.#follow(registry.find(POLICY_GROUP, "v1", policies), this.#policies, read);
    await this.#follow(registry.find(POLICY_GROUP, "v1", bindings), this.#bindings, readBinding);
  }

  /** Calls with the storage key of every policy that is there or is written. */
  onPolicy(listener: (key: string) => void): void {
    this.#listeners.add(listener);
    for (const key of this.#policies.keys()) listener(key);
  }

  /** The storage keys of all policies. */
  get keys(): readonly string[] {
    return [...this.#policies.keys()];
  }

  current(): PolicySet<Policy> {
    this.#set ??= this.#join();
    return this.#set;
  }

  /** Replaces the policies from files. */
  setStatic(policies: readonly JsonObject[], bindings: readonly JsonObject[]): void {
    const [read, bound] = [policies.map(this.#sort.read), bindings.map(readBinding)];
    this.#static = { policies: read, bindings: bound, set: new PolicySet(read, bound) };
    this.#set = undefined;
  }

  #join(): PolicySet<Policy> {
    const { policies = [], bindings = [], set } = this.#static ?? {};
    const reserved = new Set(policies.map(({ name }) => name));
    const stored = [...this.#policies.values()].filter(({ name }) => !reserved.has(name));
    return new PolicySet([...policies, ...stored], [...bindings, ...this.#bindings.values()], set);
  }

  policy(name: string): Policy | undefined {
    return [...this.#policies.values()].find((policy) => policy.name === name);
  }

  async #follow<T>(type: ResourceKind | undefined, all: Map<string, T>, read: (json: JsonObject) => T): Promise<void> {
    if (type === undefined) return;
    const see = (key: string, entry: Entry | undefined): void => {
      if (entry === undefined) all.delete(key);
      else all.set(key, read(decodeEntry(entry, type)));
      this.#changed(key);
    };
    await this.#followers.follow({ name: type.plural, prefix: type.storagePrefix, see });
  }

  #changed(key: string): void {
    this.#set = undefined;
    if (this.#policies.has(key)) for (const listener of this.#listeners) listener(key);
  }
}
