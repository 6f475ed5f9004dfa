/**
 * The corpus's authorizer: the first rule whose attributes all match decides; otherwise there is no opinion, and the
 * reason repeats the attributes, so that the corpus shows what was checked.
 */

import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  AuthorizerValue,
  type ResourceCheckValue,
  requestResourceCheck,
  type UserInfo,
} from "@portcullis/engine/internal/kubecel/library/authz";
import { type FieldSelector, parseFieldSelector } from "@portcullis/engine/internal/selector/fields";
import { type LabelSelector, parseLabelSelector } from "@portcullis/engine/internal/selector/labels";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import type { Result } from "@portcullis/gostd/result";

export function stubAuthorizer(content: JsonValue): AuthorizerValue {
  return new AuthorizerValue(userOf(content), deciding(content));
}

export function stubResourceCheck(content: JsonValue): ResourceCheckValue {
  const resource = member(content, "resource");
  return requestResourceCheck(userOf(content), deciding(content), {
    group: text(resource, "Group"),
    resource: text(resource, "Resource"),
    subresource: text(resource, "Subresource"),
    namespace: text(resource, "Namespace"),
    name: text(resource, "Name"),
  });
}

function userOf(content: JsonValue): UserInfo {
  const user = member(content, "user");
  return { name: text(user, "name"), uid: "", groups: list(user, "groups").map(String), extra: new Map() };
}

function deciding(content: JsonValue): Authorizer {
  const rules = list(content, "rules");
  return { authorize: (attributes) => decide(rules, new Map(describe(attributes))) };
}

function decide(rules: readonly JsonValue[], asked: ReadonlyMap<string, string>): AuthorizationDecision {
  const rule = rules.find((candidate) =>
    Object.entries(object(member(candidate, "match"))).every(([name, wanted]) => asked.get(name) === wanted),
  );
  if (rule === undefined) return { decision: "noOpinion", reason: echo(asked), error: undefined };
  const decision = text(rule, "decision");
  return {
    decision: decision === "allow" || decision === "deny" ? decision : "noOpinion",
    reason: text(rule, "reason"),
    error: text(rule, "error") || undefined,
  };
}

function echo(asked: ReadonlyMap<string, string>): string {
  return [...asked]
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

function describe(attributes: AuthorizationAttributes): readonly (readonly [string, string])[] {
  return [
    ["user", attributes.user.name],
    ["groups", attributes.user.groups.join(",")],
    ["verb", attributes.verb],
    ["group", attributes.apiGroup],
    ["version", attributes.apiVersion],
    ["resource", attributes.resource],
    ["subresource", attributes.subresource],
    ["namespace", attributes.namespace],
    ["name", attributes.name],
    ["path", attributes.path],
    ["resourceRequest", String(attributes.resourceRequest)],
    ...describeSelector("fieldSelector", parseFieldSelector(attributes.fieldSelector), describeTerm),
    ...describeSelector("labelSelector", parseLabelSelector(attributes.labelSelector), describeRequirement),
  ];
}

function describeSelector<T>(
  name: string,
  parsed: Result<readonly T[]>,
  describeOne: (part: T) => string,
): readonly (readonly [string, string])[] {
  if (parsed.error !== undefined) return [[`${name}Error`, parsed.error]];
  return [[name, parsed.value.map(describeOne).join(";")]];
}

/** As Go prints the structs. */
function describeTerm({ field, negated, value }: FieldSelector[number]): string {
  return `{${negated ? "!=" : "="} ${field} ${value}}`;
}

function describeRequirement({ key, operator, values }: LabelSelector[number]): string {
  return `{${key} ${operator} [${values.join(" ")}]}`;
}

function object(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return object(value)[name];
}

function text(value: JsonValue | undefined, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

function list(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  const found = member(value, name);
  return isArray(found) ? found : [];
}
