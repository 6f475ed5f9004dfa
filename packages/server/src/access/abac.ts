/**
 * The authorization mode ABAC: a file with one policy per line.
 *
 * Policies without a kind are of the first version, in which what is left out matches everything. Follows kubernetes
 * pkg/auth/authorizer/abac and pkg/apis/abac.
 */

import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import type { PolicyRule } from "@portcullis/engine/internal/rbac/objects";
import { AUTHENTICATED, type User } from "@portcullis/engine/internal/rbac/user";
import { ALLOWED, type Attributes } from "@portcullis/engine/internal/review/authorizer";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { trimRight } from "@portcullis/engine/internal/value/trim";
import type { AuthorizerPart } from "../auth/authorize.ts";
import * as messages from "./messages.ts";
import type { AbacPolicy } from "./modes.ts";

const GROUP = "abac.authorization.kubernetes.io";

/** Throws an Error that names the file and the line. */
export function parseAbacPolicies(text: string, file: string): AbacPolicy[] {
  return text.split("\n").flatMap((line, at) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const policy = parsePolicy(trimmed);
    if (typeof policy === "string") throw new Error(messages.badPolicyLine(file, at + 1, line, policy));
    return [policy];
  });
}

function parsePolicy(line: string): AbacPolicy | string {
  const decoded = decodeYaml(line);
  if (decoded.error !== undefined) return decoded.error;
  if (!isObject(decoded.value)) return messages.notAPolicy();
  const { apiVersion, kind } = decoded.value;
  const isVersioned = textOf(apiVersion) === `${GROUP}/v1beta1` && textOf(kind) === "Policy";
  if (isVersioned) return readPolicy(objectOf(decoded.value["spec"]));
  const [version, name] = [textOf(apiVersion), textOf(kind)];
  const isOfFirst = (version === "" || version === `${GROUP}/v0`) && (name === "" || name === "Policy");
  return isOfFirst
    ? readFirst(decoded.value)
    : messages.unregistered(name, version, "k8s.io/kubernetes/pkg/apis/abac/register.go:40");
}

function readPolicy(spec: JsonObject): AbacPolicy {
  const text = (name: string): string => textOf(spec[name]);
  return {
    ...subjectOf(text("user"), text("group")),
    isReadOnly: spec["readonly"] === true,
    apiGroup: text("apiGroup"),
    resource: text("resource"),
    namespace: text("namespace"),
    nonResourcePath: text("nonResourcePath"),
  };
}

function readFirst(json: JsonObject): AbacPolicy {
  const text = (name: string): string => textOf(json[name]);
  const [user, group, namespace, resource] = [text("user"), text("group"), text("namespace"), text("resource")];
  return {
    ...(user === "" && group === "" ? { user, group: AUTHENTICATED } : subjectOf(user, group)),
    isReadOnly: json["readonly"] === true,
    apiGroup: "*",
    resource: resource || "*",
    namespace: namespace || "*",
    nonResourcePath: namespace === "" && resource === "" ? "*" : "",
  };
}

/** Everybody means everybody who is authenticated. */
function subjectOf(user: string, group: string): Pick<AbacPolicy, "user" | "group"> {
  return user === "*" || group === "*" ? { user: "", group: AUTHENTICATED } : { user, group };
}

export function abacAuthorizer(policies: readonly AbacPolicy[]): AuthorizerPart {
  return {
    authorize: async (attributes) =>
      policies.some((policy) => matches(policy, attributes))
        ? ALLOWED
        : { verdict: "no-opinion", reason: messages.noPolicyMatched() },
    rulesFor: (user, namespace) => ({ rules: policies.flatMap((each) => rulesOf(each, user, namespace)), errors: [] }),
  };
}

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

function matches(policy: AbacPolicy, attributes: Attributes): boolean {
  if (!matchesUser(policy, attributes.user)) return false;
  if (policy.isReadOnly && !READS.has(attributes.verb)) return false;
  return attributes.isResource ? matchesResource(policy, attributes) : matchesPath(policy, attributes.path);
}

/** A policy without a user and a group is for nobody. */
function matchesUser({ user, group }: AbacPolicy, { name, groups }: User): boolean {
  if (user === "" && group === "") return false;
  return (user === "" || user === name) && (group === "" || groups.includes(group));
}

function matchesResource(policy: AbacPolicy, { namespace, resource, group }: Attributes): boolean {
  const isOf = (wanted: string, found: string): boolean => wanted === "*" || wanted === found;
  return isOf(policy.namespace, namespace) && isOf(policy.resource, resource) && isOf(policy.apiGroup, group);
}

function matchesPath({ nonResourcePath: wanted }: AbacPolicy, path: string): boolean {
  return wanted === path || (wanted.endsWith("*") && path.startsWith(trimRight(wanted, "*")));
}

function rulesOf(policy: AbacPolicy, user: User, namespace: string): PolicyRule[] {
  const isHere = policy.namespace === "*" || policy.namespace === namespace;
  if (!isHere || !matchesUser(policy, user)) return [];
  const verbs = policy.isReadOnly ? [...READS] : ["*"];
  const { apiGroup, resource, nonResourcePath: path } = policy;
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  return [
    ...(resource === "" ? [] : [{ ...none, verbs, apiGroups: [apiGroup], resources: [resource] }]),
    ...(path === "" ? [] : [{ ...none, verbs, nonResourceURLs: [path] }]),
  ];
}
