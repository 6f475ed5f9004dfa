/**
 * Match criteria of the early shape as MatchResources.
 *
 * Rules are an ordered list there, and the first that matches decides: one that excludes hides the rules beneath it. In
 * v1 an exclusion always wins and follows `matchPolicy` itself, so that with `Equivalent` excluding v1 would exclude v2
 * too. Where that makes a difference the exclusion becomes a match condition.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../value/read.ts";
import { copyObject, withoutMember } from "../../value/rewrite.ts";
import type { Report } from "./findings.ts";
import * as findings from "./findings.ts";

export interface ConvertedMatch {
  readonly resources: JsonObject;
  readonly conditions: readonly { readonly name: string; readonly expression: string }[];
}

const KNOWN = new Set([
  ...["rules", "expression", "resourceRules", "excludeResourceRules", "matchPolicy", "userInfo", "permissions"],
  ...["namespaceSelector", "namespaceSelectors", "objectSelector", "objectSelectors"],
]);

export function convertMatch(match: JsonObject, path: string, report: Report): ConvertedMatch {
  for (const key of Object.keys(match)) {
    if (!KNOWN.has(key)) report("error", `${path}.${key}`, findings.unknownField(key));
  }
  const resources = newObject();
  const conditions: { name: string; expression: string }[] = [];
  for (const which of ["namespaceSelector", "objectSelector"]) {
    const selector = convertSelector(match[which] ?? match[`${which}s`], `${path}.${which}`, report);
    if (selector !== undefined) resources[which] = selector;
  }
  if (match["matchPolicy"] !== undefined) resources["matchPolicy"] = match["matchPolicy"];
  if (isArray(match["expression"])) report("warning", `${path}.expression`, findings.rulesUnderExpression());
  const rules = objectsOf(match["rules"] ?? match["expression"] ?? match["resourceRules"]);
  splitRules(rules, resources, conditions, path, report);
  conditions.push(...userConditions(match));
  return { resources, conditions };
}

/** A selector, or the list of requirements the early examples write. */
function convertSelector(json: JsonValue | undefined, path: string, report: Report): JsonObject | undefined {
  if (isObject(json)) return json;
  if (json === undefined) return undefined;
  if (!isArray(json)) {
    report("error", path, findings.badMatch("neither a selector nor a list of requirements"));
    return undefined;
  }
  const requirements = objectsOf(json).map((each, index) => cleanRequirement(each, `${path}s[${index}]`, report));
  return Object.assign(newObject(), { matchExpressions: requirements });
}

/** `key: environment,` is YAML for a key that ends in a comma. */
function cleanRequirement(json: JsonObject, path: string, report: Report): JsonObject {
  const clean = copyObject(json);
  for (const key of ["key", "operator"]) {
    const text = textOf(json[key]);
    if (!text.endsWith(",")) continue;
    report("warning", `${path}.${key}`, findings.trailingComma(text));
    clean[key] = text.slice(0, -1);
  }
  return clean;
}

function splitRules(
  rules: readonly JsonObject[],
  resources: JsonObject,
  conditions: { name: string; expression: string }[],
  path: string,
  report: Report,
): void {
  const included: JsonObject[] = [];
  const excluded: JsonObject[] = [];
  for (const [index, rule] of rules.entries()) {
    const plain = withoutMember(withoutMember(rule, "exclude"), "effect");
    if (!isExclusion(rule)) {
      included.push(plain);
      continue;
    }
    const above = included.filter((each) => overlap(each, plain));
    const at = `${path}.rules[${index}]`;
    if (above.length > 0) report("warning", at, findings.excludeOrder());
    else if (followsVersions(plain, resources)) report("warning", at, findings.exactExclude());
    else {
      excluded.push(plain);
      continue;
    }
    conditions.push({ name: `exclude-rule-${index}`, expression: exclusion(plain, above) });
  }
  if (included.length > 0) resources["resourceRules"] = included;
  if (excluded.length > 0) resources["excludeResourceRules"] = excluded;
}

function isExclusion(rule: JsonObject): boolean {
  return rule["exclude"] === true || rule["effect"] === "Skip";
}

/** Whether excluding some versions would also exclude requests for others. */
function followsVersions(rule: JsonObject, resources: JsonObject): boolean {
  return resources["matchPolicy"] !== "Exact" && !textsOf(rule["apiVersions"]).includes("*");
}

function overlap(left: JsonObject, right: JsonObject): boolean {
  return ["apiGroups", "apiVersions", "operations", "resources"].every((key) => {
    const [ours, theirs] = [textsOf(left[key]), textsOf(right[key])];
    return ours.includes("*") || theirs.includes("*") || ours.some((each) => theirs.includes(each));
  });
}

function exclusion(rule: JsonObject, above: readonly JsonObject[]): string {
  const parts = [ruleExpression(rule), ...above.map((each) => `!(${ruleExpression(each)})`)];
  return `!(${parts.join(" && ")})`;
}

/** A rule as an expression about the request as it was made. */
export function ruleExpression(rule: JsonObject): string {
  const tests = [
    membership("request.requestResource.group", textsOf(rule["apiGroups"])),
    membership("request.requestResource.version", textsOf(rule["apiVersions"])),
    membership("request.operation", textsOf(rule["operations"])),
    resourceTest(textsOf(rule["resources"])),
    scopeTest(textOf(rule["scope"])),
  ].filter((test) => test !== "");
  return tests.length === 0 ? "true" : tests.join(" && ");
}

function membership(value: string, items: readonly string[]): string {
  return items.includes("*") ? "" : `${value} in ${literalList(items)}`;
}

function resourceTest(resources: readonly string[]): string {
  if (resources.includes("*/*")) return "";
  const subresource = "(has(request.requestSubResource) ? request.requestSubResource : '')";
  const tests = resources.map((pattern) => {
    const [resource = "", wanted = ""] = pattern.split("/", 2);
    const parts = [
      ...(resource === "*" ? [] : [`request.requestResource.resource == ${literal(resource)}`]),
      ...(wanted === "*" ? [] : [`${subresource} == ${literal(wanted)}`]),
    ];
    return parts.length === 0 ? "true" : parts.join(" && ");
  });
  return tests.length === 1 ? (tests[0] ?? "") : `(${tests.map((test) => `(${test})`).join(" || ")})`;
}

function scopeTest(scope: string): string {
  const isNamespaced = "has(request.namespace) && request.requestResource.resource != 'namespaces'";
  if (scope === "Namespaced") return isNamespaced;
  return scope === "Cluster" ? `!(${isNamespaced})` : "";
}

/** Users and permissions a request must have to be matched. */
function userConditions(match: JsonObject): { name: string; expression: string }[] {
  const conditions: { name: string; expression: string }[] = [];
  const userInfo = objectOf(match["userInfo"]);
  const users = textsOf(userInfo["users"] ?? userInfo["usernames"]);
  const groups = textsOf(userInfo["groups"]);
  if (users.length > 0) {
    conditions.push({ name: "match-users", expression: `request.userInfo.username in ${literalList(users)}` });
  }
  if (groups.length > 0) {
    const expression = `has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in ${literalList(groups)})`;
    conditions.push({ name: "match-groups", expression });
  }
  for (const [index, permission] of objectsOf(match["permissions"]).entries()) {
    conditions.push({ name: `match-permission-${index}`, expression: permissionTest(permission) });
  }
  return conditions;
}

function permissionTest(permission: JsonObject): string {
  const part = (name: string): string => {
    const text = textOf(permission[name]);
    return text === "" ? "" : `.${name}(${literal(text)})`;
  };
  const where = `${part("subresource")}${part("namespace")}${part("name")}`;
  const check = `authorizer.group(${literal(textOf(permission["group"]))}).resource(${literal(textOf(permission["resource"]))})`;
  return `${check}${where}.check(${literal(textOf(permission["verb"]))}).allowed()`;
}

export function literalList(texts: readonly string[]): string {
  return `[${texts.map(literal).join(", ")}]`;
}

export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
