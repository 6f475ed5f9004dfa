/**
 * Bindings for configuration objects, one each; a singleton policy gets one of its own name.
 */
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { labelsOf, objectOf, textOf } from "../../value/read.ts";
import type { Report } from "./findings.ts";
import * as findings from "./findings.ts";
import { convertMatch } from "./match.ts";
import { type Action, actionOf } from "./severity.ts";

export interface BindingPlan {
  readonly name: string;
  /** Without the policy and the actions. */
  readonly spec: JsonObject;
  /** What the configuration wants done; undefined if that is up to the validations. */
  readonly action: Action | undefined;
}

export function singletonBinding(name: string): BindingPlan {
  return { name, spec: newObject(), action: undefined };
}

/** A configuration object, and who hears of its problems. */
export interface ConfigObject {
  readonly json: JsonObject;
  readonly report: Report;
}

export interface ConfigBindings {
  readonly ordinary: readonly BindingPlan[];
  /** Those of default configurations, which apply where no ordinary one does. */
  readonly defaults: readonly BindingPlan[];
}

export function configBindings(policy: string, configs: readonly ConfigObject[], defaultName: string): ConfigBindings {
  const isOrdinary = ({ json }: ConfigObject): boolean => !isDefault(json, policy, defaultName);
  const planAll = (some: readonly ConfigObject[]): BindingPlan[] =>
    some.map((config) => plan(policy, config, matchOf(config)));
  const others = configs.filter(isOrdinary);
  const defaults = planAll(configs.filter((config) => !others.includes(config)));
  // Without others the default applies everywhere.
  return others.length === 0 ? { ordinary: defaults, defaults: [] } : { ordinary: planAll(others), defaults };
}

function isDefault({ metadata, spec, defaultConfiguration }: JsonObject, policy: string, defaultName: string): boolean {
  const name = textOf(objectOf(metadata)["name"]);
  const isMarked = defaultConfiguration === true || objectOf(spec)["defaultConfiguration"] === true;
  return isMarked || name === defaultName || name === defaultConfigName(policy);
}

export function defaultConfigName(policy: string): string {
  return `${policy}-default`;
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

function plan(policy: string, { json, report }: ConfigObject, match: JsonObject): BindingPlan {
  const metadata = objectOf(json["metadata"]);
  const [name, namespace] = [textOf(metadata["name"]), textOf(metadata["namespace"])];
  const paramRef = Object.assign(newObject(), { name, parameterNotFoundAction: "Deny" });
  if (namespace !== "") paramRef["namespace"] = namespace;
  const resources = namespace === "" ? match : withinNamespace(match, namespace);
  const spec = newObject();
  spec["paramRef"] = paramRef;
  if (Object.keys(resources).length > 0) spec["matchResources"] = resources;
  const inSpec = isObject(json["spec"]) && json["spec"]["severity"] !== undefined;
  const severity = textOf(inSpec ? objectOf(json["spec"])["severity"] : json["severity"]);
  const action = severity === "" ? undefined : actionOf(severity, inSpec ? "spec.severity" : "severity", report);
  return { name: `${policy}-${namespace === "" ? name : `${namespace}-${name}`}`, spec, action };
}

/** A namespaced configuration is about its own namespace. */
function withinNamespace(match: JsonObject, namespace: string): JsonObject {
  const selector = objectOf(match["namespaceSelector"]);
  const labels = { ...labelsOf(selector["matchLabels"]), "kubernetes.io/metadata.name": namespace };
  const matchLabels = Object.assign(newObject(), labels);
  return { ...match, namespaceSelector: { ...selector, matchLabels } };
}
