/**
 * Default configurations: they apply where no other configuration does.
 *
 * Bindings cannot say that of each other. The validations of the default are therefore in a policy of their own, which
 * asks first whether any other configuration matches the request, in CEL, by all that match criteria can say.
 */
import { type JsonObject, newObject } from "../../value/json.ts";
import { labelsOf, objectOf, objectsOf, textOf, textsOf } from "../../value/read.ts";
import { literal, literalList, ruleExpression } from "./match.ts";

const CONFIGURED = "isConfigured";

/** The variables that show whether a request is matched by any of these MatchResources. */
export function configuredVariables(matches: readonly JsonObject[]): JsonObject[] {
  const isConfigured = matches.map((match) => `(${matchTest(match)})`).join(" || ");
  return [
    variable("namespaceLabels", NAMESPACE_LABELS),
    variable("objectLabels", OBJECT_LABELS),
    variable(CONFIGURED, isConfigured),
  ];
}

/** A validation that holds where another configuration applies. */
export function unlessConfigured(expression: string): string {
  return `variables.${CONFIGURED} || (${expression})`;
}

/** An empty value is not recorded. */
export function annotationUnlessConfigured(expression: string): string {
  return `variables.${CONFIGURED} ? '' : (${expression})`;
}

function variable(name: string, expression: string): JsonObject {
  return Object.assign(newObject(), { name, expression });
}

const IS_NAMESPACE = "(request.resource.group == '' && request.resource.resource == 'namespaces')";
const labels = (object: string): string =>
  `(has(${object}.metadata.labels) ? dyn(${object}.metadata.labels) : dyn({}))`;

/** A namespace is selected by its own labels. */
const NAMESPACE_LABELS = [
  `${IS_NAMESPACE} ? (object != null ? ${labels("object")} : ${labels("oldObject")})`,
  `(namespaceObject != null ? ${labels("namespaceObject")} : dyn({}))`,
].join(" : ");

/** Either the new or the old object may be selected. */
const OBJECT_LABELS = `(object != null ? [${labels("object")}] : []) + (oldObject != null ? [${labels("oldObject")}] : [])`;

function matchTest(match: JsonObject): string {
  const tests = [
    namespaceTest(objectOf(match["namespaceSelector"])),
    objectTest(objectOf(match["objectSelector"])),
    rulesTest(match, "resourceRules", ""),
    rulesTest(match, "excludeResourceRules", "!"),
  ].filter((test) => test !== "");
  return tests.length === 0 ? "true" : tests.join(" && ");
}

/** Requests for cluster-scoped objects pass every selector of namespaces. */
function namespaceTest(selector: JsonObject): string {
  const test = selectorTest(selector, "variables.namespaceLabels");
  return test === "" ? "" : `((!has(request.namespace) && !${IS_NAMESPACE}) || (${test}))`;
}

function objectTest(selector: JsonObject): string {
  const test = selectorTest(selector, "labels");
  return test === "" ? "" : `variables.objectLabels.exists(labels, ${test})`;
}

function selectorTest(selector: JsonObject, of: string): string {
  const exact = Object.entries(labelsOf(selector["matchLabels"])).map(
    ([key, value]) => `(${literal(key)} in ${of} && ${of}[${literal(key)}] == ${literal(value)})`,
  );
  const requirements = objectsOf(selector["matchExpressions"]).map((each) => requirementTest(each, of));
  return [...exact, ...requirements].join(" && ");
}

function requirementTest(requirement: JsonObject, of: string): string {
  const key = literal(textOf(requirement["key"]));
  const isIn = `(${key} in ${of} && ${of}[${key}] in ${literalList(textsOf(requirement["values"]))})`;
  switch (textOf(requirement["operator"])) {
    case "In":
      return isIn;
    case "NotIn":
      return `!${isIn}`;
    case "Exists":
      return `${key} in ${of}`;
    default:
      return `!(${key} in ${of})`;
  }
}

/** With `Equivalent` a rule for one version matches requests for the others. */
function rulesTest(match: JsonObject, field: string, sign: "" | "!"): string {
  const isExact = match["matchPolicy"] === "Exact";
  const rules = objectsOf(match[field]).map((rule) => (isExact ? rule : { ...rule, apiVersions: ["*"] }));
  if (rules.length === 0) return "";
  return `${sign}(${rules.map((rule) => `(${ruleTest(rule)})`).join(" || ")})`;
}

function ruleTest(rule: JsonObject): string {
  const names = textsOf(rule["resourceNames"]);
  const named = names.length === 0 ? "" : ` && has(request.name) && request.name in ${literalList(names)}`;
  return `${ruleExpression(rule)}${named}`;
}
