/**
 * Cluster roles that gather the rules of others.
 *
 * On a cluster a controller writes the gathered rules into the role; here they are worked out. Roles may gather from
 * roles that gather themselves, so it is repeated until nothing changes. Follows kubernetes
 * pkg/controller/clusterroleaggregation.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { fromStructured, matchesLabels, type StructuredSelector } from "../selector/labels.ts";
import type { PolicyRule, Role } from "./objects.ts";

export function aggregateRoles(roles: readonly Role[]): readonly Role[] {
  let current = [...roles].sort((left, right) => compareStrings(left.name, right.name));
  // Each round carries rules one step further, so no chain needs more rounds than there are roles.
  for (const _ of roles) {
    const next = current.map((role) => gather(role, current));
    if (next.every((role, index) => role.rules.length === current[index]?.rules.length)) return next;
    current = next;
  }
  return current;
}

function gather(role: Role, roles: readonly Role[]): Role {
  const { aggregates } = role;
  if (aggregates === undefined) return role;
  const sources = roles.filter((other) => other !== role && aggregates.some((selector) => selects(selector, other)));
  const rules: PolicyRule[] = [];
  for (const rule of sources.flatMap((source) => source.rules)) {
    if (!rules.some((known) => isSameRule(known, rule))) rules.push(rule);
  }
  return { ...role, rules };
}

const PARTS = ["verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs"] as const;

function isSameRule(left: PolicyRule, right: PolicyRule): boolean {
  return PARTS.every((part) => {
    const [ours, theirs] = [left[part], right[part]];
    return ours.length === theirs.length && ours.every((text, index) => text === theirs[index]);
  });
}

function selects(selector: StructuredSelector, { labels }: Role): boolean {
  const parsed = fromStructured(selector);
  return parsed.error === undefined && parsed.value !== undefined && matchesLabels(parsed.value, labels);
}
