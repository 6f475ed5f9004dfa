/**
 * Gatekeeper's ConstraintTemplates with the engine K8sNativeValidation, and their constraints.
 *
 * Each constraint becomes a policy of its own, because its match rules are conditions of the policy; the constraint itself
 * is the param. Templates in Rego cannot be converted.
 */
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import { type Conversion, celText, type Loss, nameIn, policyObject } from "./objects.ts";

export function isConstraintTemplate({ apiVersion, kind }: JsonObject): boolean {
  return textOf(apiVersion).startsWith("templates.gatekeeper.sh/") && kind === "ConstraintTemplate";
}

export function isConstraint({ apiVersion }: JsonObject): boolean {
  return textOf(apiVersion).startsWith("constraints.gatekeeper.sh/");
}

export function convertGatekeeper(templates: readonly JsonObject[], constraints: readonly JsonObject[]): Conversion {
  const converted = templates.map((template) => convertTemplate(template, constraints));
  return {
    objects: converted.flatMap(({ objects }) => objects),
    losses: converted.flatMap(({ losses }) => losses),
  };
}

function convertTemplate(template: JsonObject, constraints: readonly JsonObject[]): Conversion {
  const spec = objectOf(template["spec"]);
  const name = nameIn(template);
  const loss = (path: string, message: string): Loss => ({ object: name, path, message });
  const [target] = objectsOf(spec["targets"]);
  const engine = objectsOf(target?.["code"]).find((each) => each["engine"] === "K8sNativeValidation");
  if (engine === undefined) {
    return {
      objects: [],
      losses: [loss("spec.targets[0]", "the template has no K8sNativeValidation; Rego is not evaluated")],
    };
  }
  const kind = textOf(objectOf(objectOf(objectOf(spec["crd"])["spec"])["names"])["kind"]);
  const own = constraints.filter((each) => each["kind"] === kind);
  const losses = own.length === 0 ? [loss("spec.crd.spec.names.kind", `there is no constraint of kind ${kind}`)] : [];
  return { objects: own.flatMap((each) => convertConstraint(objectOf(engine["source"]), each)), losses };
}

const PARAMETERS = "!has(params.spec) ? {} : !has(params.spec.parameters) ? {} : params.spec.parameters";
const ANY_OBJECT = 'has(request.operation) && request.operation == "DELETE" && object == null ? oldObject : object';

function convertConstraint(source: JsonObject, constraint: JsonObject): JsonObject[] {
  const name = `gatekeeper-${nameIn(constraint)}`.toLowerCase();
  const spec = objectOf(constraint["spec"]);
  const match = objectOf(spec["match"]);
  const conditions = [...matchConditions(match), ...objectsOf(source["matchConditions"])];
  return [
    policyObject("ValidatingAdmissionPolicy", name, {
      failurePolicy: source["failurePolicy"],
      paramKind: { apiVersion: textOf(constraint["apiVersion"]), kind: textOf(constraint["kind"]) },
      matchConstraints: {
        resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: operationsOf(source), resources: ["*"] }],
        namespaceSelector: match["namespaceSelector"] ?? {},
        objectSelector: match["labelSelector"] ?? {},
      },
      matchConditions: conditions.length === 0 ? undefined : conditions,
      variables: [
        { name: "params", expression: PARAMETERS },
        { name: "anyObject", expression: ANY_OBJECT },
        ...objectsOf(source["variables"]),
      ],
      validations: objectsOf(source["validations"]),
    }),
    policyObject("ValidatingAdmissionPolicyBinding", name, {
      policyName: name,
      paramRef: { name: nameIn(constraint), parameterNotFoundAction: "Deny" },
      validationActions: [actionOf(textOf(spec["enforcementAction"]))],
    }),
  ];
}

function operationsOf(source: JsonObject): readonly string[] {
  const operations = textsOf(source["operations"]);
  return operations.length === 0 ? ["CREATE", "UPDATE"] : operations;
}

function actionOf(action: string): "Deny" | "Warn" | "Audit" {
  if (action === "warn") return "Warn";
  return action === "dryrun" ? "Audit" : "Deny";
}

interface Condition {
  readonly name: string;
  readonly expression: string;
}

function matchConditions(match: JsonObject): Condition[] {
  const made: Condition[] = [];
  const add = (name: string, expression: string | undefined): void => {
    if (expression !== undefined) made.push({ name: `gatekeeper-${name}`, expression });
  };
  add("kinds", kindsCondition(objectsOf(match["kinds"])));
  add("namespaces", inNamespaces(match["namespaces"]));
  const excluded = inNamespaces(match["excludedNamespaces"]);
  add("excluded-namespaces", excluded && `request.namespace == '' || !(${excluded})`);
  const name = textOf(match["name"]);
  add("name", name === "" ? undefined : wildcard("request.name", name));
  const scope = textOf(match["scope"]);
  if (scope === "Cluster") add("scope", "request.namespace == ''");
  if (scope === "Namespaced") add("scope", "request.namespace != ''");
  return made;
}

function kindsCondition(kinds: readonly JsonObject[]): string | undefined {
  const parts = kinds.map(({ apiGroups, kinds: names }) => {
    const group = anyOf("request.kind.group", textsOf(apiGroups));
    const kind = anyOf("request.kind.kind", textsOf(names));
    return [group, kind].filter((each) => each !== undefined).join(" && ") || "true";
  });
  return parts.length === 0 ? undefined : parts.map((each) => `(${each})`).join(" || ");
}

function anyOf(field: string, values: readonly string[]): string | undefined {
  if (values.length === 0 || values.includes("*")) return undefined;
  return `${field} in [${values.map(celText).join(", ")}]`;
}

/** Objects that are in no namespace are not left out. */
function inNamespaces(names: JsonValue | undefined): string | undefined {
  const all = textsOf(names);
  if (all.length === 0) return undefined;
  return ["request.namespace == ''", ...all.map((each) => wildcard("request.namespace", each))].join(" || ");
}

/** A name may have `*` at its beginning and its end. */
function wildcard(field: string, pattern: string): string {
  const text = celText(pattern.replace(/^\*/, "").replace(/\*$/, ""));
  if (pattern.startsWith("*") && pattern.endsWith("*")) return `${field}.contains(${text})`;
  if (pattern.startsWith("*")) return `${field}.endsWith(${text})`;
  return pattern.endsWith("*") ? `${field}.startsWith(${text})` : `${field} == ${text}`;
}
