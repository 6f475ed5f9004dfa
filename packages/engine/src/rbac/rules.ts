/** Whether a rule covers a question. Follows kubernetes pkg/apis/rbac/v1/evaluation_helpers.go. */

import type { AuthorizationAttributes } from "../kubecel/library/authz.ts";
import { trimRight } from "../value/trim.ts";
import type { PolicyRule } from "./objects.ts";

export function ruleAllows(rule: PolicyRule, question: AuthorizationAttributes): boolean {
  if (!hasOrAll(rule.verbs, question.verb)) return false;
  if (!question.resourceRequest) return rule.nonResourceURLs.some((pattern) => matchesUrl(pattern, question.path));
  const { resource, subresource, apiGroup, name } = question;
  return (
    hasOrAll(rule.apiGroups, apiGroup) &&
    rule.resources.some((pattern) => matchesResource(pattern, resource, subresource)) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  );
}

function hasOrAll(items: readonly string[], item: string): boolean {
  return items.includes("*") || items.includes(item);
}

/** `*` covers subresources too, unlike in admission rules. */
function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  if (pattern === "*") return true;
  if (subresource === "") return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
}

function matchesUrl(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(trimRight(pattern, "*"));
}
