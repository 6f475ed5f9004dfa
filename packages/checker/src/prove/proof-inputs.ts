/** The inputs of proofs: policies, bindings and the objects that they need. */

import { policyVersionOf } from "@portcullis/engine/internal/policy/objects/decode";
import type { ComparedSide, CompareOptions } from "@portcullis/engine/internal/prove/compare-policies";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { UsageError } from "../input/usage-error.ts";
import * as messages from "../policy/messages.ts";
import { refusedPolicies } from "../policy/policy-objects.ts";
import { compareOptions, policiesOf, proofCluster, waysAndTime } from "./proof-cluster.ts";

export interface ProofInputs {
  readonly sides: readonly ComparedSide[];
  readonly options: CompareOptions;
  /** Notes to print with the results. */
  readonly notes: readonly string[];
}

export interface ProofSettings {
  readonly engine: EngineOptions;
  /** Seconds for each question. */
  readonly seconds: number;
  /** Milliseconds since an arbitrary start. */
  readonly now: () => number;
  /** Treat policies without a binding as if one bound them to everything they match. */
  readonly bindsAll: boolean;
}

const MAX_WAYS = 200_000;

/** One side for each list of objects. */
export async function proofInputs(
  given: readonly (readonly JsonObject[])[],
  shared: readonly JsonObject[],
  options: ProofSettings,
): Promise<ProofInputs> {
  const all = [...given.flat(), ...shared];
  const others = all.filter((object) => !isPolicy(object) && !isSuite(object));
  const isOpen = others.every(({ kind }) => kind === "CustomResourceDefinition");
  const sides = given.map((objects, index) => {
    const own = [...objects, ...shared];
    const whole = own.some((object) => !isPolicy(object) && !isSuite(object)) ? own : [...own, ...others];
    const missing = options.bindsAll ? missingBindings(whole) : [];
    const takesAny = missing.some(({ spec }) => isObject(spec) && spec["paramRef"] !== undefined);
    return proofCluster([...whole, ...missing], {
      engine: options.engine,
      unit: String(index),
      isOpen: isOpen || takesAny,
    });
  });
  const [first] = sides;
  const union = proofCluster(all, { engine: options.engine, unit: "", isOpen });
  if (first === undefined) throw new Error("there is always a side");
  const [refused] = await refusedPolicies(all, union.cluster.cluster);
  if (refused !== undefined) throw new UsageError(refused);
  const budget = () => waysAndTime(MAX_WAYS, options.seconds * 1000, options.now);
  const policies = sides.flatMap(({ cluster }) => policiesOf(cluster.policies));
  return {
    sides: sides.map(({ side }) => side),
    options: compareOptions({
      objects: all,
      policies,
      cluster: union.cluster,
      sides: sides.map(({ side }) => side),
      budget,
    }),
    notes: [
      ...sides.flatMap(({ cluster }) => cluster.policies.unbound.map(({ name }) => messages.unboundPolicy(name))),
    ],
  };
}

/** Test suites are often in the same folder as policies. */
function isSuite({ apiVersion }: JsonObject): boolean {
  return textOf(apiVersion).startsWith("test.portcullis.dev/");
}

function isPolicy(object: JsonObject): boolean {
  return policyVersionOf(object) !== undefined;
}

/** Bindings that deny, for policies without any. */
export function missingBindings(objects: readonly JsonObject[]): JsonObject[] {
  const ofKind = (kind: string): JsonObject[] =>
    objects.filter((object) => isPolicy(object) && object["kind"] === kind);
  const bound = new Set(
    ofKind("ValidatingAdmissionPolicyBinding").map(({ spec }) => (isObject(spec) ? spec["policyName"] : "")),
  );
  return ofKind("ValidatingAdmissionPolicy").flatMap((policy) => {
    const name = textOf(metaOf(policy)["name"]);
    const hasParams = isObject(policy["spec"]) && policy["spec"]["paramKind"] !== undefined;
    return bound.has(name) ? [] : [bindingFor(name, hasParams)];
  });
}

/** Missing params are allowed. */
function bindingFor(name: string, hasParams: boolean): JsonObject {
  const paramRef = hasParams ? { paramRef: { name: "example", parameterNotFoundAction: "Allow" } } : {};
  const binding = fromPlain({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"], ...paramRef },
  });
  if (!isObject(binding)) throw new Error("a binding is an object");
  return binding;
}
