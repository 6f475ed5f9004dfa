/**
 * Kyverno's ValidatingPolicy and MutatingPolicy, PolicyExceptions for them, and the CEL rules of its ClusterPolicy.
 *
 * They have the fields of Kubernetes' own policies, and some more. An exception exempts a request if all its conditions
 * hold, so it becomes a match condition that is false then. A policy about pods applies to the templates of workloads as
 * well: there Kyverno generates further policies with other paths.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import { CONTROLLERS, clusterRules, isClusterPolicy } from "./kyverno-rules.ts";
import { type Conversion, type Loss, nameIn, policyObject } from "./objects.ts";

const GROUP = /^policies\.kyverno\.io\//;
const KINDS: ReadonlySet<string> = new Set([
  ...["ValidatingPolicy", "MutatingPolicy", "NamespacedValidatingPolicy", "NamespacedMutatingPolicy"],
]);

export function isKyvernoPolicy(object: JsonObject): boolean {
  const { apiVersion, kind } = object;
  return (GROUP.test(textOf(apiVersion)) && KINDS.has(textOf(kind))) || isClusterPolicy(object);
}

export function isKyvernoException({ apiVersion, kind }: JsonObject): boolean {
  return GROUP.test(textOf(apiVersion)) && kind === "PolicyException";
}

export function convertKyverno(policies: readonly JsonObject[], exceptions: readonly JsonObject[]): Conversion {
  const converted = policies.map((policy) =>
    isClusterPolicy(policy) ? convertRules(policy) : convertOne(policy, exceptionsFor(policy, exceptions)),
  );
  return {
    objects: converted.flatMap(({ objects }) => objects),
    losses: converted.flatMap(({ losses }) => losses),
  };
}

function exceptionsFor(policy: JsonObject, exceptions: readonly JsonObject[]): readonly JsonObject[] {
  return exceptions.filter(({ spec }) =>
    objectsOf(objectOf(spec)["policyRefs"]).some(
      (ref) => ref["name"] === nameIn(policy) && (ref["kind"] === undefined || ref["kind"] === policy["kind"]),
    ),
  );
}

/** Fields that have no counterpart, and what that means. */
const LOST: Readonly<Record<string, string>> = {
  evaluation: "existing objects are not evaluated in the background",
  webhookConfiguration: "there is no webhook to configure",
};

function convertOne(policy: JsonObject, exceptions: readonly JsonObject[]): Conversion {
  const spec = objectOf(policy["spec"]);
  const name = nameIn(policy);
  const losses: Loss[] = Object.entries(LOST).flatMap(([path, message]) =>
    spec[path] === undefined ? [] : [{ object: name, path: `spec.${path}`, message }],
  );
  if (textOf(objectOf(spec["evaluation"])["mode"]) === "JSON") {
    return {
      objects: [],
      losses: [{ object: name, path: "spec.evaluation.mode", message: "JSON payloads are not requests" }],
    };
  }
  const isMutating = textOf(policy["kind"]).includes("Mutating");
  const objects = variantsOf(spec, chosenControllers(spec)).flatMap(({ suffix, rules, rewrite }) => {
    const own = { name: `${name}${suffix}`, rules, rewrite, namespace: namespaceOf(policy), exceptions };
    return isMutating ? mutating(spec, own) : validating(spec, own);
  });
  return { objects, losses };
}

/** Each rule is a policy of its own. */
function convertRules(policy: JsonObject): Conversion {
  const { rules, losses } = clusterRules(policy);
  const objects = rules.flatMap(({ name, spec, controllers }) =>
    variantsOf(spec, controllers).flatMap((variant) =>
      validating(spec, { ...variant, name: `${name}${variant.suffix}`, namespace: undefined, exceptions: [] }),
    ),
  );
  return { objects, losses };
}

/** A policy in a namespace is about requests in it. */
function namespaceOf(policy: JsonObject): string | undefined {
  const isNamespaced = textOf(policy["kind"]).startsWith("Namespaced");
  return isNamespaced ? textOf(objectOf(policy["metadata"])["namespace"]) || "default" : undefined;
}

interface Variant {
  readonly name: string;
  readonly rules: JsonValue | undefined;
  readonly rewrite: (text: string) => string;
  readonly namespace: string | undefined;
  readonly exceptions: readonly JsonObject[];
}

function validating(spec: JsonObject, variant: Variant): JsonObject[] {
  const { name, rewrite } = variant;
  const actions = textsOf(spec["validationActions"]);
  const rewritten = (field: string): JsonValue | undefined => rewriteAll(spec[field], rewrite);
  return [
    policyObject("ValidatingAdmissionPolicy", name, {
      ...shared(spec, variant),
      validations: rewritten("validations"),
      auditAnnotations: rewritten("auditAnnotations"),
    }),
    policyObject("ValidatingAdmissionPolicyBinding", name, {
      policyName: name,
      paramRef: spec["paramRef"],
      // Kyverno denies by default.
      validationActions: actions.length === 0 ? ["Deny"] : actions,
    }),
  ];
}

function mutating(spec: JsonObject, variant: Variant): JsonObject[] {
  const { name, rewrite } = variant;
  return [
    policyObject("MutatingAdmissionPolicy", name, {
      ...shared(spec, variant),
      mutations: rewriteAll(spec["mutations"], rewrite),
      reinvocationPolicy: spec["reinvocationPolicy"] ?? "Never",
    }),
    policyObject("MutatingAdmissionPolicyBinding", name, { policyName: name }),
  ];
}

function shared(spec: JsonObject, { rules, rewrite, exceptions, namespace }: Variant): Record<string, unknown> {
  const conditions = [
    ...objectsOf(rewriteAll(spec["matchConditions"], rewrite)),
    ...exceptions.map((each) => exemption(each, rewrite)),
    ...(namespace === undefined ? [] : [{ name: "namespace", expression: `request.namespace == '${namespace}'` }]),
  ];
  return {
    failurePolicy: spec["failurePolicy"],
    paramKind: spec["paramKind"],
    matchConstraints: withOperations(rules),
    matchConditions: conditions.length === 0 ? undefined : conditions,
    variables: rewriteAll(spec["variables"], rewrite),
  };
}

function exemption(exception: JsonObject, rewrite: (text: string) => string): object {
  const conditions = objectsOf(objectOf(exception["spec"])["matchConditions"]);
  const all = conditions.map(({ expression }) => `(${rewrite(textOf(expression))})`).join(" && ");
  return { name: `not-${nameIn(exception)}`, expression: conditions.length === 0 ? "false" : `!(${all})` };
}

/** Rules without operations are about all of them. */
function withOperations(rules: JsonValue | undefined): unknown {
  if (!isObject(rules) || !isArray(rules["resourceRules"])) return rules;
  return {
    ...rules,
    resourceRules: rules["resourceRules"].map((rule) =>
      isObject(rule) && rule["operations"] === undefined ? { ...rule, operations: ["*"] } : rule,
    ),
  };
}

const BATCH: ReadonlySet<string> = new Set(["jobs", "cronjobs"]);

type Generated = Pick<Variant, "rules" | "rewrite"> & { readonly suffix: string };

/** The policy itself, and those that are generated from it. */
function variantsOf(spec: JsonObject, controllers: readonly string[]): readonly Generated[] {
  return [
    { suffix: "", rules: spec["matchConstraints"], rewrite: (text: string) => text },
    ...autogen(spec, controllers),
  ];
}

function chosenControllers(spec: JsonObject): readonly string[] {
  const chosen = objectOf(objectOf(spec["autogen"])["podControllers"])["controllers"];
  return isArray(chosen) ? textsOf(chosen) : CONTROLLERS;
}

/** Generated policies: only for those that are about pods and nothing else. */
function autogen(spec: JsonObject, controllers: readonly string[]): readonly Generated[] {
  const match = objectOf(spec["matchConstraints"]);
  const rules = objectsOf(match["resourceRules"]);
  const isAboutPods =
    rules.length > 0 &&
    rules.every(({ resources, resourceNames }) => textsOf(resources).join() === "pods" && resourceNames === undefined);
  if (!isAboutPods || match["namespaceSelector"] !== undefined || match["objectSelector"] !== undefined) return [];
  const operations = rules[0]?.["operations"];
  const made = (suffix: string, resources: readonly string[], at: string) => {
    const groups = [...new Set(resources.map((each) => (BATCH.has(each) ? "batch" : "apps")))];
    const resourceRules = groups.map((group) => ({
      apiGroups: [group],
      apiVersions: ["v1"],
      ...(operations !== undefined && { operations }),
      resources: resources.filter((each) => (BATCH.has(each) ? "batch" : "apps") === group),
    }));
    return {
      suffix,
      rules: { resourceRules } as unknown as JsonObject,
      rewrite: (text: string) => underTemplate(text, at),
    };
  };
  const plain = controllers.filter((each) => each !== "cronjobs" && CONTROLLERS.includes(each));
  return [
    ...(plain.length === 0 ? [] : [made("-autogen-defaults", plain, "spec.template")]),
    ...(controllers.includes("cronjobs")
      ? [made("-autogen-cronjobs", ["cronjobs"], "spec.jobTemplate.spec.template")]
      : []),
  ];
}

function underTemplate(text: string, at: string): string {
  return text
    .replaceAll(/\b(object|oldObject)(\.\??)(spec|metadata)\b/g, (_, root, dot, field) => `${root}${dot}${at}.${field}`)
    .replaceAll(/\bObject\.(spec|metadata)\b/g, (_, field) => `Object.${at}.${field}`);
}

const EXPRESSIONS: ReadonlySet<string> = new Set(["expression", "messageExpression", "valueExpression"]);

/** All expressions at any depth. */
function rewriteAll(value: JsonValue | undefined, rewrite: (text: string) => string): JsonValue | undefined {
  if (isArray(value)) return value.map((item) => rewriteAll(item, rewrite) ?? null);
  if (!isObject(value)) return value;
  const made: JsonObject = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    made[name] =
      typeof member === "string" && EXPRESSIONS.has(name) ? rewrite(member) : (rewriteAll(member, rewrite) ?? null);
  }
  return made;
}
