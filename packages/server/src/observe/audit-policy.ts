/** How much of which requests is written down. Follows apiserver pkg/audit/policy. */

import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import type { Attributes } from "@portcullis/engine/internal/review/authorizer";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import { trimRight } from "@portcullis/engine/internal/value/trim";

export const LEVELS = ["None", "Metadata", "Request", "RequestResponse"] as const;
export type Level = (typeof LEVELS)[number];
export type Stage = "RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic";

export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly string[];
  readonly omitManagedFields: boolean;
}

interface AuditRule {
  readonly level: Level;
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly verbs: readonly string[];
  readonly namespaces: readonly string[];
  readonly resources: readonly {
    readonly group: string;
    readonly resources: readonly string[];
    readonly names: readonly string[];
  }[];
  readonly urls: readonly string[];
  readonly omitStages: readonly string[];
  readonly omitManagedFields: boolean | undefined;
}

export interface AuditConfig {
  readonly level: Level;
  readonly omitStages: readonly string[];
  readonly omitManagedFields: boolean;
}

/** Everything, without bodies: what is written where no policy is given. */
export const METADATA_POLICY: AuditPolicy = {
  rules: [
    {
      level: "Metadata",
      users: [],
      groups: [],
      verbs: [],
      namespaces: [],
      resources: [],
      urls: [],
      omitStages: [],
      omitManagedFields: undefined,
    },
  ],
  omitStages: [],
  omitManagedFields: false,
};

/** Throws if the text is not a policy: starting without the requested audit would be worse. */
export function parseAuditPolicy(text: string): AuditPolicy {
  const decoded = decodeYaml(text);
  if (decoded.error !== undefined) throw new Error(`the audit policy cannot be read: ${decoded.error}`);
  const json = decoded.value;
  if (!isObject(json) || json["kind"] !== "Policy" || json["apiVersion"] !== "audit.k8s.io/v1") {
    throw new Error("the audit policy is not a `Policy` of `audit.k8s.io/v1`");
  }
  const omitStages = texts(json["omitStages"]);
  return {
    rules: objects(json["rules"]).map((rule) => readRule(rule, omitStages)),
    omitStages,
    omitManagedFields: json["omitManagedFields"] === true,
  };
}

function readRule(json: JsonObject, omitStages: readonly string[]): AuditRule {
  const level = LEVELS.find((each) => each === json["level"]);
  if (level === undefined) throw new Error(`the audit policy has an unknown level \`${textOf(json["level"])}\``);
  const omit = json["omitManagedFields"];
  return {
    level,
    users: texts(json["users"]),
    groups: texts(json["userGroups"]),
    verbs: texts(json["verbs"]),
    namespaces: texts(json["namespaces"]),
    resources: objects(json["resources"]).map((each) => ({
      group: textOf(each["group"]),
      resources: texts(each["resources"]),
      names: texts(each["resourceNames"]),
    })),
    urls: texts(json["nonResourceURLs"]),
    omitStages: [...omitStages, ...texts(json["omitStages"])],
    omitManagedFields: typeof omit === "boolean" ? omit : undefined,
  };
}

/** The first rule that fits decides; nothing is written where none does. */
export function auditConfig(policy: AuditPolicy, attributes: Attributes): AuditConfig {
  const rule = policy.rules.find((each) => matches(each, attributes));
  const { omitManagedFields } = policy;
  if (rule === undefined) return { level: "None", omitStages: policy.omitStages, omitManagedFields };
  const { level, omitStages } = rule;
  return { level, omitStages, omitManagedFields: rule.omitManagedFields ?? omitManagedFields };
}

function matches(rule: AuditRule, attributes: Attributes): boolean {
  const { user, verb } = attributes;
  if (rule.users.length > 0 && !rule.users.includes(user.name)) return false;
  if (rule.groups.length > 0 && !user.groups.some((group) => rule.groups.includes(group))) return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return matchesResource(rule, attributes);
  if (rule.urls.length > 0) return !attributes.isResource && rule.urls.some((url) => matchesPath(url, attributes.path));
  return true;
}

function matchesResource({ namespaces, resources }: AuditRule, attributes: Attributes): boolean {
  if (!attributes.isResource) return false;
  if (namespaces.length > 0 && !namespaces.includes(attributes.namespace)) return false;
  if (resources.length === 0) return true;
  return resources.some(({ group, resources: patterns, names }) => {
    if (group !== attributes.group && group !== "*") return false;
    if (patterns.length === 0) return true;
    const isNamed = names.length === 0 || names.includes(attributes.name);
    return isNamed && patterns.some((pattern) => matchesPattern(pattern, attributes));
  });
}

function matchesPattern(pattern: string, { resource, subresource }: Attributes): boolean {
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  if (pattern === "*" || pattern === whole || pattern === `${resource}/*`) return true;
  return subresource !== "" && pattern === `*/${subresource}`;
}

function matchesPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(trimRight(pattern, "*"));
}

function objects(json: JsonValue | undefined): JsonObject[] {
  return isArray(json) ? json.filter(isObject) : [];
}

function texts(json: JsonValue | undefined): string[] {
  return isArray(json) ? json.map(textOf) : [];
}
