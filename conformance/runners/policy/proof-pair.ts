/** Compares two sets of policies that are written in short, for tests of proofs. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { proofInputs } from "@portcullis/checker/internal/prove/proof-inputs";
import { comparePolicies } from "@portcullis/engine/internal/prove/compare-policies";
import { validationFacts } from "@portcullis/engine/internal/prove/facts";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { RECORDED_VERSION } from "../recorded-version.ts";
import { processorMillis } from "./processor-time.ts";

const file = path.join(import.meta.dirname, "../../corpora/policy-proofs/objects.json");
const given: Record<string, object> = JSON.parse(readFileSync(file, "utf8"));
const KINDS = ["CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding", "Namespace"];
/** Namespaces, roles and a CRD. */
export const givenObjects: readonly object[] = Object.entries(given)
  .filter(([name]) => KINDS.includes(name.split("/")[0] ?? "") && !name.includes("#"))
  .map(([, object]) => object);

const GROUPS: Readonly<Record<string, string>> = {
  deployments: "apps",
  statefulsets: "apps",
  widgets: "pp.example.com",
  things: "attack.example.com",
  duals: "attack.example.com",
  hooks: "attack.example.com",
  parts: "attack.example.com",
  numbers: "attack.example.com",
  clusterroles: "rbac.authorization.k8s.io",
  horizontalpodautoscalers: "autoscaling",
  cronjobs: "batch",
};

/** A resource rule, by the resource. */
export const rule = (resource: string, operations = ["CREATE", "UPDATE"], version = "v1") => ({
  apiGroups: [GROUPS[resource.split("/")[0] ?? ""] ?? ""],
  apiVersions: [version],
  operations,
  resources: [resource],
});

/** A binding, in short. */
export interface ShortBinding {
  readonly actions?: readonly string[];
  readonly paramRef?: object;
  /** Its match constraints. */
  readonly bmatch?: object;
}

/** One side, in short: a policy with a binding. */
export interface Side extends ShortBinding {
  /** Validations. */
  readonly e?: string | readonly string[];
  /** Failure policy. */
  readonly fp?: string;
  /** Match conditions. */
  readonly mc?: readonly string[];
  readonly vars?: readonly (readonly [string, string])[];
  readonly rules?: readonly object[];
  /** More of the match constraints. */
  readonly match?: object;
  readonly audit?: string;
  /** A message expression for each validation. */
  readonly me?: string;
  readonly paramKind?: object;
  /** Instead of a single binding. */
  readonly bindings?: readonly ShortBinding[];
  /** Another policy of the same side. */
  readonly and?: Side;
  /** Other objects of the side. */
  readonly objects?: readonly object[];
}

const API_VERSION = "admissionregistration.k8s.io/v1";

export function objectsOf(resource: string, side: Side, name = "p"): JsonObject[] {
  const {
    e = "true",
    fp = "Fail",
    mc = [],
    vars = [],
    rules = [rule(resource)],
    match = {},
    audit,
    me,
    paramKind,
  } = side;
  const policy = {
    apiVersion: API_VERSION,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: fp,
      matchConstraints: { resourceRules: rules, ...match },
      matchConditions: mc.map((expression, index) => ({ name: `c${index}`, expression })),
      variables: vars.map(([variable, expression]) => ({ name: variable, expression })),
      validations: [e]
        .flat()
        .map((expression) => ({ expression, ...(me === undefined ? {} : { messageExpression: me }) })),
      ...(audit === undefined ? {} : { auditAnnotations: [{ key: "k", valueExpression: audit }] }),
      ...(paramKind === undefined ? {} : { paramKind }),
    },
  };
  const bindings = (side.bindings ?? [side]).map((binding, index) => bindingOf(binding, name, index));
  const others = side.and === undefined ? [] : objectsOf(resource, side.and, `${name}q`);
  return [...[policy, ...bindings, ...(side.objects ?? [])].map(toObject), ...others];
}

function bindingOf({ actions, paramRef, bmatch }: ShortBinding, policyName: string, index: number): object {
  return {
    apiVersion: API_VERSION,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: index === 0 ? policyName : `${policyName}${index}` },
    spec: {
      policyName,
      validationActions: actions ?? ["Deny"],
      ...(paramRef === undefined ? {} : { paramRef }),
      ...(bmatch === undefined ? {} : { matchResources: bmatch }),
    },
  };
}

function toObject(plain: object): JsonObject {
  const made = fromPlain(plain);
  if (!isObject(made)) throw new Error("a case holds objects");
  return made;
}

/** The verdicts about one pair; `more` are additional objects of the cluster. */
export async function comparePair(
  resource: string,
  old: Side,
  next: Side,
  more: readonly object[] = [],
  version = RECORDED_VERSION,
) {
  return compareAmong([...givenObjects, ...more], resource, old, next, version);
}

/** The same, in a cluster with only these objects. */
export async function compareAmong(
  objects: readonly object[],
  resource: string,
  old: Side,
  next: Side,
  version = RECORDED_VERSION,
) {
  const shared = objects.map(toObject);
  const sides = [objectsOf(resource, old), objectsOf(resource, next)];
  const options = {
    engine: engineOptions(version, undefined),
    seconds: 20,
    bindsAll: false,
    now: processorMillis,
  };
  const inputs = await proofInputs(sides, shared, options);
  const [before, after] = inputs.sides;
  if (before === undefined || after === undefined) throw new Error("a pair has two sides");
  return comparePolicies(before, after, inputs.options);
}

const CM = { apiVersion: "v1", kind: "ConfigMap" };

/** A ConfigMap as `paramKind`. */
export const CONFIG_MAP = CM;

/** A ConfigMap with a maximum, as a param. */
export const maximum = (name: string, max: string, labels = {}): object => ({
  ...CM,
  metadata: { name, namespace: "pp-a", labels },
  data: { max },
});

/** The facts about each validation of one side; `more` are additional objects of the cluster. */
export async function factsOf(resource: string, side: Side, more: readonly object[] = []) {
  return factsAmong([...givenObjects, ...more], resource, side);
}

/** The same, in a cluster with only these objects. */
export async function factsAmong(objects: readonly object[], resource: string, side: Side) {
  const options = {
    engine: engineOptions(RECORDED_VERSION, undefined),
    seconds: 20,
    bindsAll: false,
    now: processorMillis,
  };
  const inputs = await proofInputs([objectsOf(resource, side)], objects.map(toObject), options);
  const [only] = inputs.sides;
  if (only === undefined) throw new Error("facts are about one side");
  return validationFacts(only, inputs.options);
}
