/**
 * Kyverno's ValidatingPolicy and MutatingPolicy, and PolicyExceptions for them.
 *
 * They have the fields of Kubernetes' own policies, and some more. An exception exempts a request if all its conditions
 * hold, so it becomes a match condition that is false then. A policy about pods applies to the templates of workloads as
 * well: there Kyverno generates further policies with other paths.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import { type Conversion, type Loss, nameIn, policyObject } from "./objects.ts";

const GROUP = /^policies\.kyverno\.io\//;
const KINDS: ReadonlySet<string> = new Set([
  ...["ValidatingPolicy", "MutatingPolicy", "NamespacedValidatingPolicy", "NamespacedMutatingPolicy"],
]);

export function isKyvernoPolicy({ apiVersion, kind }: JsonObject): boolean {
  return GROUP.test(textOf(apiVersion)) && KINDS.has(textOf(kind));
}

export function isKyvernoException({ apiVersion, kind }: JsonObject): boolean {
  return GROUP.test(textOf(apiVersion)) && kind === "PolicyException";
}

export function convertKyverno(policies: readonly JsonObject[], exceptions: readonly JsonObject[]): Conversion {
  const converted = policies.map((policy) => convertOne(policy, exceptionsFor(policy, exceptions)));
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
  const variants = [{ suffix: "", rules: spec["matchConstraints"], rewrite: (text: string) => text }, ...autogen(spec)];
  const objects = variants.flatMap(({ suffix, rules, rewrite }) => {
    const own = { name: `${name}${suffix}`, rules, rewrite, namespace: namespaceOf(policy), exceptions };
    return isMutating ? mutating(spec, own) : validating(spec, own);
  });
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

const CONTROLLERS = ["daemonsets", "deployments", "jobs", "replicasets", "statefulsets"];
const BATCH: ReadonlySet<string> = new Set(["jobs", "cronjobs"]);

/** Generated policies: only for those that are about pods and nothing else. */
function autogen(spec: JsonObject): Pick<Variant & { readonly suffix: string }, "suffix" | "rules" | "rewrite">[] {
  const match = objectOf(spec["matchConstraints"]);
  const rules = objectsOf(match["resourceRules"]);
  const isAboutPods =
    rules.length > 0 &&
    rules.every(({ resources, resourceNames }) => textsOf(resources).join() === "pods" && resourceNames === undefined);
  if (!isAboutPods || match["namespaceSelector"] !== undefined || match["objectSelector"] !== undefined) return [];
  const chosen = objectOf(objectOf(spec["autogen"])["podControllers"])["controllers"];
  const controllers = isArray(chosen) ? textsOf(chosen) : [...CONTROLLERS, "cronjobs"];
  const operations = rules[0]?.["operations"];
  const made = (suffix: string, resources: readonly string[], at: string) => {
    const groups = [...new Set(resources.map((each) => (BATCH.has(each) ? "batch" : "apps")))];
    const resourceRules = groups.map((group) => ({
      apiGroups: [group], apiVersions: ["v1"], ...(operations !== undefined && { operations }),
      resources: resources.filter((each) => (BATCH.has(each) ? "batch" : "apps") === group),
    }));
    return {
      suffix,
      rules: { resourceRules } as unknown as JsonObject,
      rewrite: (text: string) => underTemplate(text, at),
    };
  };
  const plain = controllers.filter((each) => CONTROLLERS.includes(each));
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
