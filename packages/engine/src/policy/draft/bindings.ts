/**
 * Bindings for configuration objects, one each; a singleton policy gets one of its own name.
 *
 * A default configuration applies where no other does. Bindings cannot say that of each other, so its binding gets the
 * opposite of all other selectors, which works as long as each of them is a single requirement on namespaces.
 */
import { type JsonObject, newObject } from "../../value/json.ts";
import { labelsOf, objectOf, objectsOf, textOf, textsOf } from "../../value/read.ts";
import type { Report } from "./findings.ts";
import * as findings from "./findings.ts";
import { convertMatch } from "./match.ts";

export interface BindingPlan {
  readonly name: string;
  readonly spec: JsonObject;
}

export function singletonBinding(name: string): BindingPlan {
  return { name, spec: Object.assign(newObject(), { validationActions: ["Deny"] }) };
}

/** A configuration object, and who hears of its problems. */
export interface ConfigObject {
  readonly json: JsonObject;
  readonly report: Report;
}

export function configBindings(policy: string, configs: readonly ConfigObject[], defaultName: string): BindingPlan[] {
  const defaults = configs.filter(({ json }) => isDefault(json, policy, defaultName));
  const others = configs.filter((config) => !defaults.includes(config));
  const plans = others.map((config) => plan(policy, config, matchOf(config)));
  for (const config of defaults) {
    const complement = others.length === 0 ? newObject() : complementOf(others.map(matchOf));
    if (complement === undefined) config.report("error", "metadata.name", findings.defaultNotExpressible());
    else {
      if (others.length > 0) config.report("warning", "metadata.name", findings.defaultClusterScoped());
      plans.push(plan(policy, config, complement));
    }
  }
  return plans;
}

function isDefault({ metadata, spec, defaultConfiguration }: JsonObject, policy: string, defaultName: string): boolean {
  const name = textOf(objectOf(metadata)["name"]);
  const isMarked = defaultConfiguration === true || objectOf(spec)["defaultConfiguration"] === true;
  return isMarked || name === defaultName || name === `${policy}-default`;
}

/** `spec.match`, or `match` where the kind has no spec. Empty if there is none. */
function matchOf({ json, report }: ConfigObject): JsonObject {
  const inSpec = objectOf(json["spec"])["match"];
  const path = inSpec === undefined ? "match" : "spec.match";
  const { resources, conditions } = convertMatch(objectOf(inSpec ?? json["match"]), path, report);
  for (const { name } of conditions) {
    report("error", path, findings.bindingCondition(name.startsWith("exclude") ? "rules" : "userInfo and permissions"));
  }
  return resources;
}

function plan(policy: string, { json }: ConfigObject, match: JsonObject): BindingPlan {
  const metadata = objectOf(json["metadata"]);
  const [name, namespace] = [textOf(metadata["name"]), textOf(metadata["namespace"])];
  const paramRef = Object.assign(newObject(), { name, parameterNotFoundAction: "Deny" });
  if (namespace !== "") paramRef["namespace"] = namespace;
  const resources = namespace === "" ? match : withinNamespace(match, namespace);
  const spec = newObject();
  spec["paramRef"] = paramRef;
  if (Object.keys(resources).length > 0) spec["matchResources"] = resources;
  spec["validationActions"] = [actionOf(json)];
  return { name: `${policy}-${namespace === "" ? name : `${namespace}-${name}`}`, spec };
}

/** A configuration may ask for warnings only. */
function actionOf({ spec, severity }: JsonObject): string {
  return /^warn/i.test(textOf(objectOf(spec)["severity"] ?? severity)) ? "Warn" : "Deny";
}

/** A namespaced configuration is about its own namespace. */
function withinNamespace(match: JsonObject, namespace: string): JsonObject {
  const selector = objectOf(match["namespaceSelector"]);
  const labels = { ...labelsOf(selector["matchLabels"]), "kubernetes.io/metadata.name": namespace };
  const matchLabels = Object.assign(newObject(), labels);
  return { ...match, namespaceSelector: { ...selector, matchLabels } };
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["In", "NotIn"],
  ["NotIn", "In"],
  ["Exists", "DoesNotExist"],
  ["DoesNotExist", "Exists"],
]);

/** What no other match covers; undefined if it cannot be said with a selector. */
function complementOf(matches: readonly JsonObject[]): JsonObject | undefined {
  const requirements: JsonObject[] = [];
  for (const match of matches) {
    const requirement = onlyRequirement(match);
    const opposite = requirement && OPPOSITES.get(textOf(requirement["operator"]));
    if (requirement === undefined || opposite === undefined) return undefined;
    requirements.push({ ...requirement, operator: opposite });
  }
  const selector = Object.assign(newObject(), { matchExpressions: requirements });
  return Object.assign(newObject(), { namespaceSelector: selector });
}

/** The match as one requirement on the labels of namespaces, where it is no more than that. */
function onlyRequirement(match: JsonObject): JsonObject | undefined {
  if (Object.keys(match).some((key) => key !== "namespaceSelector")) return undefined;
  const selector = objectOf(match["namespaceSelector"]);
  const labels = Object.entries(labelsOf(selector["matchLabels"]));
  const expressions = objectsOf(selector["matchExpressions"]);
  if (labels.length + expressions.length !== 1) return undefined;
  const [first] = labels;
  if (first !== undefined) return Object.assign(newObject(), { key: first[0], operator: "In", values: [first[1]] });
  const [only] = expressions;
  return only === undefined || (textOf(only["key"]) === "" && textsOf(only["values"]).length === 0) ? undefined : only;
}
