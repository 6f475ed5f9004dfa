/**
 * Cluster roles that gather the rules of others.
 *
 * On a cluster a controller writes the gathered rules into the role; here they are worked out. Roles may gather from
 * roles that gather themselves, so it is repeated until nothing changes. Follows kubernetes
 * pkg/controller/clusterroleaggregation.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { fromStructured, matchesLabels } from "../selector/labels.ts";
import type { PolicyRule, Role } from "./objects.ts";

export function aggregateRoles(roles: readonly Role[]): readonly Role[] {
  const sorted = [...roles].sort((left, right) => compareStrings(left.name, right.name));
  const sources = sorted.map((role) => sourcesOf(role, sorted));
  let current = sorted;
  // Each round carries rules one step further, so no chain needs more rounds than there are roles.
  for (const _ of roles) {
    const next = current.map((role, index) => gather(role, sources[index], current));
    if (next.every((role, index) => role.rules.length === current[index]?.rules.length)) return next;
    current = next;
  }
  return current;
}

/** Where the roles are whose rules this one gathers; undefined if it has rules of its own. */
function sourcesOf(role: Role, roles: readonly Role[]): readonly number[] | undefined {
  const parsed = role.aggregates?.map((selector) => fromStructured(selector).value);
  if (parsed === undefined) return undefined;
  const selectors = parsed.filter((selector) => selector !== undefined);
  return [...roles.keys()].filter((index) => {
    const other = roles[index];
    return other !== role && selectors.some((selector) => matchesLabels(selector, other?.labels ?? {}));
  });
}

function gather(role: Role, sources: readonly number[] | undefined, roles: readonly Role[]): Role {
  if (sources === undefined) return role;
  const rules = new Map<string, PolicyRule>();
  for (const rule of sources.flatMap((index) => roles[index]?.rules ?? [])) {
    const key = keyOf(rule);
    if (!rules.has(key)) rules.set(key, rule);
  }
  return { ...role, rules: [...rules.values()] };
}

function keyOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}
