/**
 * Whether a user who writes a role grants permissions that they do not have.
 *
 * Rules are broken down to one group, resource, verb and name each, so that a single rule of the owner either covers a
 * part or does not. Follows component-helpers auth/rbac/validation and kubernetes pkg/registry/rbac/validation.
 */

import { compareStrings } from "@portcullis/gostd/utf8";
import { countWork } from "@portcullis/gostd/work";
import { trimRight } from "../value/trim.ts";
import { describeRule } from "./messages.ts";
import type { PolicyRule } from "./objects.ts";

/** What the owner lacks, as upstream describes it, one text a rule; none where everything is covered. */
export function missingRights(owner: readonly PolicyRule[], given: readonly PolicyRule[]): string[] {
  return [...new Set(compact(uncoveredRules(owner, given)).map(describeRule))].sort(compareStrings);
}

/** The same as rules, each for one verb of one resource or path. */
export function uncoveredRules(owner: readonly PolicyRule[], given: readonly PolicyRule[]): PolicyRule[] {
  const uncovered: PolicyRule[] = [];
  for (const part of partsOf(given)) {
    countWork(owner.length * WORK_OF_RULE);
    if (owner.some((rule) => covers(rule, part))) continue;
    if (uncovered.push(part) === MAX_UNCOVERED) break;
  }
  return uncovered;
}

/** A rule of a few kilobytes may have more parts than fit into memory. */
const MAX_UNCOVERED = 10_000;
const WORK_OF_RULE = 4;

const NOTHING: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

function* partsOf(rules: readonly PolicyRule[]): Generator<PolicyRule> {
  for (const rule of rules) yield* breakDown(rule);
}

function* breakDown(rule: PolicyRule): Generator<PolicyRule> {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        for (const resourceNames of names) {
          yield { ...NOTHING, apiGroups: [group], resources: [resource], verbs: [verb], resourceNames };
        }
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs) yield { ...NOTHING, nonResourceURLs: [url], verbs: [verb] };
  }
}

function covers(owner: PolicyRule, part: PolicyRule): boolean {
  return (
    hasAllOrStar(owner.verbs, part.verbs) &&
    hasAllOrStar(owner.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => coversResource(owner.resources, resource)) &&
    part.nonResourceURLs.every((url) => owner.nonResourceURLs.some((pattern) => coversUrl(pattern, url))) &&
    coversNames(owner.resourceNames, part.resourceNames)
  );
}

function hasAllOrStar(owner: readonly string[], part: readonly string[]): boolean {
  return owner.includes("*") || part.every((item) => owner.includes(item));
}

function coversResource(owner: readonly string[], resource: string): boolean {
  if (owner.includes("*") || owner.includes(resource)) return true;
  const slash = resource.indexOf("/");
  return slash !== -1 && owner.includes(`*/${resource.slice(slash + 1)}`);
}

function coversUrl(pattern: string, url: string): boolean {
  return pattern === url || (pattern.endsWith("*") && url.startsWith(trimRight(pattern, "*")));
}

function coversNames(owner: readonly string[], part: readonly string[]): boolean {
  return owner.length === 0 || (part.length > 0 && part.every((name) => owner.includes(name)));
}

/** Parts that differ in their verb only become one. */
function compact(parts: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const part of parts) {
    const isSimple = part.nonResourceURLs.length === 0;
    const { verbs, ...rest } = part;
    const key = JSON.stringify(isSimple ? rest : part);
    const known = merged.get(key);
    merged.set(key, known === undefined ? part : { ...known, verbs: [...new Set([...known.verbs, ...verbs])] });
  }
  return [...merged.values()];
}
