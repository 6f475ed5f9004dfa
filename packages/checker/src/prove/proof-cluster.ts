/**
 * Prepares policies from files for proofs: with their kinds, params, namespaces and the constants of their expressions.
 */

import { parseGroupVersion } from "@portcullis/engine/internal/policy/attributes";
import type { ParamRef } from "@portcullis/engine/internal/policy/binding";
import { compiledPolicy } from "@portcullis/engine/internal/policy/compile";
import { policyVersionOf } from "@portcullis/engine/internal/policy/objects/decode";
import type { AdmissionPolicy, ParamKind } from "@portcullis/engine/internal/policy/policy";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import type { ComparedSide, CompareOptions } from "@portcullis/engine/internal/prove/compare-policies";
import type { KnownRights } from "@portcullis/engine/internal/prove/evaluate/symbolic";
import { mayMutate } from "@portcullis/engine/internal/prove/mutations";
import { poolOf } from "@portcullis/engine/internal/prove/pool";
import { storedSort } from "@portcullis/engine/internal/prove/sorts/object-sorts";
import { OutOfBudget, type QuestionBudget } from "@portcullis/engine/internal/prove/theory/time";
import type { Admit } from "@portcullis/engine/internal/prove/witness";
import { rbacSource } from "@portcullis/engine/internal/rbac/authorizer";
import { readRoleBinding } from "@portcullis/engine/internal/rbac/objects";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { type PolicyCluster, policyCluster } from "../policy/policy-cluster.ts";
import { makeUser } from "../policy/user.ts";
import { exactJson } from "./exact-json.ts";
import { admitter } from "./proof-admit.ts";
import { proofKind, proofKinds } from "./proof-kinds.ts";

export interface ProofCluster {
  readonly cluster: PolicyCluster;
  readonly side: ComparedSide;
}

export interface ProofClusterOptions {
  readonly engine: EngineOptions;
  readonly unit: string;
  /** Params that are not among the objects may exist nevertheless. */
  readonly isOpen: boolean;
}

/** One side of a comparison. */
export function proofCluster(
  objects: readonly JsonObject[],
  { engine, unit, isOpen }: ProofClusterOptions,
): ProofCluster {
  const cluster = policyCluster(objects, engine, { hasDefaultRoles: objects.some(usesAuthorizer) });
  const { params, equivalents } = cluster.context;
  if (equivalents === undefined) throw new Error("a world knows its equivalents");
  const side: ComparedSide = {
    unit,
    environment: environmentOf(objects),
    policies: cluster.policies,
    mutations: { policies: cluster.mutating, text: exactJson(objects.filter(isMutating)) },
    params,
    equivalents,
    kindOf: (gvk) => {
      const served = cluster.kinds.ofKind(gvk);
      return served && proofKind(served, cluster.kinds);
    },
    namespaces: [...new Set(["default", ...objects.map((each) => textOf(metaOf(each)["namespace"]))])].filter(
      (each) => each !== "",
    ),
    rights: knownRights(objects, cluster.roles),
    context: { ...cluster.context, explain: false },
    unknownParams: isOpen ? (kind, ref) => unknownParam(kind, ref, cluster) : undefined,
  };
  return { cluster, side };
}

function usesAuthorizer(object: JsonObject): boolean {
  return policyVersionOf(object) !== undefined && exactJson(object).includes("authorizer");
}

/** If roles or bindings are given, only those and the default ones exist. */
function knownRights(objects: readonly JsonObject[], roles: readonly JsonObject[]): KnownRights {
  const isRole = ({ apiVersion }: JsonObject): boolean => textOf(apiVersion).startsWith("rbac.authorization.k8s.io/");
  const given = objects.filter(isRole);
  const isBinding = ({ kind }: JsonObject): boolean => kind === "RoleBinding" || kind === "ClusterRoleBinding";
  const bindings = roles.filter((each) => isRole(each) && isBinding(each)).map(readRoleBinding);
  const allBindings = (namespace: string) => bindings.filter((binding) => binding.namespace === namespace);
  const source = { ...rbacSource(roles), allBindings };
  const namespaces = [...given.map((each) => textOf(metaOf(each)["namespace"])), "kube-system", "kube-public"];
  return { source, namespaces: [...new Set(namespaces)].filter((name) => name !== ""), isComplete: given.length > 0 };
}

function isMutating(object: JsonObject): boolean {
  return policyVersionOf(object) !== undefined && textOf(object["kind"]).startsWith("MutatingAdmission");
}

/** Everything but policies, in the order of the files. */
function environmentOf(objects: readonly JsonObject[]): string {
  return exactJson(objects.filter((object) => policyVersionOf(object) === undefined));
}

function unknownParam({ apiVersion, kind }: ParamKind, ref: ParamRef, { kinds }: PolicyCluster) {
  const served = kinds.ofKind({ ...(parseGroupVersion(apiVersion) ?? { group: "", version: "" }), kind });
  return served && { sort: storedSort(proofKind(served, kinds), ref), namespaced: served.namespaced };
}

export interface ProofOptions {
  readonly objects: readonly JsonObject[];
  readonly policies: readonly AdmissionPolicy[];
  readonly cluster: PolicyCluster;
  readonly sides: readonly ComparedSide[];
  /** The budget for each question: a number of paths and a deadline. */
  readonly budget: () => QuestionBudget;
}

export function compareOptions({ objects, policies, cluster, sides, budget }: ProofOptions): CompareOptions {
  const namespaces = objects.filter(({ kind, apiVersion }) => kind === "Namespace" && apiVersion === "v1");
  return {
    kinds: proofKinds(objects, cluster.kinds),
    budget,
    replay: {
      admit: unmutated(admitter(cluster.kinds), sides),
      namespaces,
      users: usersIn(objects),
      pool: poolOf(
        policies.map((each) => compiledPolicy(each)),
        paramTexts(objects, policies),
      ),
    },
  };
}

/** Leaves out requests that a mutating policy may change. */
function unmutated(admit: Admit, sides: readonly ComparedSide[]): Admit {
  return (request) => {
    const attributes = admit(request);
    const isMutated = sides.some((side) => attributes && mayMutate(side.mutations, attributes, side.equivalents));
    return isMutated ? undefined : attributes;
  };
}

/** The strings in given params. */
function paramTexts(objects: readonly JsonObject[], policies: readonly AdmissionPolicy[]): string[] {
  const isParam = ({ apiVersion, kind }: JsonObject): boolean =>
    policies.some(({ paramKind }) => paramKind?.kind === kind && paramKind?.apiVersion === apiVersion);
  const texts = (value: JsonValue): string[] => {
    if (typeof value === "string") return [value];
    if (isArray(value)) return value.flatMap(texts);
    return isObject(value) ? Object.values(value).flatMap(texts) : [];
  };
  return objects.filter(isParam).flatMap(({ metadata: _, ...content }) => texts(content));
}

/** Reading the clock takes longer than many of the steps. */
const TICKS = 32;

/** A budget of paths and time that starts now. */
export function waysAndTime(ways: number, millis: number, now: () => number): QuestionBudget {
  const start = now();
  let [left, ticks] = [ways, 0];
  const check = (end: number): void => {
    if (now() > end) throw new OutOfBudget("out of time; a larger --budget may decide it");
  };
  const part = (share: number): QuestionBudget => {
    const end = start + millis * share;
    return {
      spend: () => {
        if (left-- <= 0) throw new OutOfBudget("too many cases");
        check(end);
      },
      tick: () => {
        if (ticks++ % TICKS === 0) check(end);
      },
      part: (smaller) => part(share * smaller),
    };
  };
  return part(1);
}

/** Users that role bindings name, and one with all permissions. */
function usersIn(objects: readonly JsonObject[]) {
  const subjects = objects.flatMap((object) => (Array.isArray(object["subjects"]) ? object["subjects"] : []));
  const named = subjects.flatMap((subject) => (isObject(subject) ? [subject] : []));
  const users = named.filter(({ kind }) => kind === "User").map(({ name }) => makeUser(textOf(name), []));
  const groups = named.filter(({ kind }) => kind === "Group").map(({ name }) => makeUser("alice", [textOf(name)]));
  return [...users, ...groups, makeUser("admin", ["system:masters"])];
}

/** All policies, bound or not. */
export function policiesOf({ hooks, unbound }: PolicySet): AdmissionPolicy[] {
  return [...hooks.map(({ policy }) => policy), ...unbound];
}
