/**
 * Whether a policy or a binding is for a request.
 *
 * Selectors are looked at first, but what is wrong with them is only said once everything else matches. Exclusion beats
 * inclusion. A rule on `deployments/*` also matches `deployments` itself. With `Equivalent`, a rule that names another
 * version of the same objects matches too, and decides the version that expressions see. Follows apiserver
 * pkg/admission/plugin/policy/matching and webhook/predicates.
 */
import type { Result } from "@portcullis/gostd/result";
import { fromStructured, type LabelSelector, matchesLabels, type StructuredSelector } from "../selector/labels.ts";
import { internalError, notFound, StatusError } from "../status/error.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { objectLabels } from "../value/read.ts";
import {
  type AdmissionAttributes,
  type EquivalentResources,
  formatResource,
  type GroupVersionKind,
  type GroupVersionResource,
  sameResource,
} from "./attributes.ts";
import type { MatchResources, ResourceRule } from "./match-resources.ts";
import * as messages from "./messages.ts";
import * as reasons from "./reasons.ts";

/** What matching needs besides the request. */
export interface MatchContext {
  readonly equivalents: EquivalentResources;
  readonly namespace: (name: string) => JsonObject | undefined;
}

export type MatchResult =
  | {
      readonly outcome: "match";
      readonly resource: GroupVersionResource;
      readonly kind: GroupVersionKind;
      readonly reason: string;
    }
  | { readonly outcome: "skip"; readonly reason: string }
  | { readonly outcome: "error"; readonly error: string };

/** Match criteria with their selectors parsed. */
export interface Criteria {
  readonly match: MatchResources;
  readonly namespaceSelector: Result<LabelSelector | undefined>;
  readonly objectSelector: Result<LabelSelector | undefined>;
}

export function compileCriteria(match: MatchResources): Criteria {
  return {
    match,
    namespaceSelector: parseSelector(match.namespaceSelector, "namespace"),
    objectSelector: parseSelector(match.objectSelector, "object"),
  };
}

function parseSelector(selector: StructuredSelector | undefined, which: "namespace" | "object") {
  return selector === undefined ? { error: messages.nilSelector(which) } : fromStructured(selector);
}

export function matchCriteria(criteria: Criteria, attributes: AdmissionAttributes, context: MatchContext): MatchResult {
  const { match } = criteria;
  if (match.namespaceSelector === undefined) return failed(messages.nilSelector("namespace"));
  if (match.objectSelector === undefined) return failed(messages.nilSelector("object"));

  const byNamespace = matchNamespace(criteria, attributes, context);
  if (byNamespace === false) return skip(reasons.namespaceNotSelected());
  const byObject = matchObject(criteria, attributes);
  if (byObject === false) return skip(reasons.objectNotSelected());

  const excluded = matchRules(match.excludeResourceRules, match.matchPolicy, attributes, context.equivalents);
  if (excluded.outcome === "error") return excluded;
  if (excluded.outcome === "match") return skip(reasons.excludedByRule(excluded.reason));

  const matched = matchIncluded(match, attributes, context.equivalents);
  if (matched.outcome !== "match") return matched;
  if (byNamespace instanceof StatusError) return failed(byNamespace.message);
  if (byObject instanceof StatusError) return failed(byObject.message);
  return matched;
}

function failed(error: string): MatchResult {
  return { outcome: "error", error };
}

function skip(reason: string): MatchResult {
  return { outcome: "skip", reason };
}

/** An error says why the selector could not be applied. */
export function matchNamespace(
  { namespaceSelector }: Pick<Criteria, "namespaceSelector">,
  attributes: AdmissionAttributes,
  context: MatchContext,
): boolean | StatusError {
  const { namespace, resource } = attributes;
  if (namespace === "" && resource.resource !== "namespaces") return true;
  if (namespaceSelector.error !== undefined) return internalError(namespaceSelector.error);
  const selector = namespaceSelector.value;
  if (selector === undefined) return false;
  if (selector.length === 0) return true;
  const object = namespaceOf(attributes, context);
  if (object === undefined) return notFound({ group: "", resource: "namespaces" }, namespace);
  return matchesLabels(selector, objectLabels(object));
}

/** A namespace that is being written carries its new labels; any other is as stored. */
function namespaceOf(attributes: AdmissionAttributes, { namespace }: MatchContext): JsonObject | undefined {
  const { resource, subresource, operation, object } = attributes;
  const isWritten = operation === "CREATE" || operation === "UPDATE";
  if (resource.resource === "namespaces" && subresource === "" && isWritten) return object;
  return namespace(attributes.namespace);
}

/** Either object may be the one that is selected. */
export function matchObject(
  { objectSelector }: Pick<Criteria, "objectSelector">,
  { object, oldObject }: AdmissionAttributes,
): boolean | StatusError {
  if (objectSelector.error !== undefined) return internalError(objectSelector.error);
  const selector = objectSelector.value;
  if (selector === undefined) return false;
  return selector.length === 0 || isSelected(object, selector) || isSelected(oldObject, selector);
}

function isSelected(object: JsonObject | undefined, selector: LabelSelector): boolean {
  return object !== undefined && isObject(object["metadata"]) && matchesLabels(selector, objectLabels(object));
}

function matchIncluded(
  match: MatchResources,
  attributes: AdmissionAttributes,
  equivalents: EquivalentResources,
): MatchResult {
  if (match.resourceRules.length > 0) {
    return matchRules(match.resourceRules, match.matchPolicy, attributes, equivalents);
  }
  return { outcome: "match", resource: attributes.resource, kind: attributes.kind, reason: reasons.noRules() };
}

export function matchRules(
  rules: readonly ResourceRule[],
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
  equivalents: EquivalentResources,
): MatchResult {
  if (rules.length === 0) return NO_RULE_MATCHES;
  const { resource, kind } = attributes;
  const exact = rules.findIndex((rule) => isNamed(rule, attributes) && matchesRule(rule, attributes, resource));
  if (exact >= 0) return { outcome: "match", resource, kind, reason: reasons.rule(exact) };
  if (matchPolicy !== undefined && matchPolicy !== "Exact") {
    const others = equivalents.equivalents(resource, attributes.subresource);
    const found = others.length === 0 ? undefined : matchEquivalent(rules, others, attributes, equivalents);
    if (found !== undefined) return found;
  }
  return NO_RULE_MATCHES;
}

const NO_RULE_MATCHES: MatchResult = { outcome: "skip", reason: reasons.noRuleMatches() };

function matchEquivalent(
  rules: readonly ResourceRule[],
  others: readonly GroupVersionResource[],
  attributes: AdmissionAttributes,
  equivalents: EquivalentResources,
): MatchResult | undefined {
  for (const [index, rule] of rules.entries()) {
    for (const resource of others) {
      if (sameResource(resource, attributes.resource) || !matchesRule(rule, attributes, resource)) continue;
      const kind = equivalents.kindFor(resource, attributes.subresource);
      if (kind === undefined) return failed(messages.unknownKind(formatResource(resource)));
      if (!isNamed(rule, attributes)) continue;
      return { outcome: "match", resource, kind, reason: reasons.equivalentRule(index, formatResource(resource)) };
    }
  }
  return undefined;
}

/** The objects of a deleted collection have no name here, so a rule with names never covers them. */
function isNamed({ resourceNames }: ResourceRule, { name }: AdmissionAttributes): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

function matchesRule(rule: ResourceRule, attributes: AdmissionAttributes, resource: GroupVersionResource): boolean {
  return (
    matchesScope(rule.scope, attributes, resource) &&
    hasOrAll(rule.operations, attributes.operation) &&
    hasOrAll(rule.apiGroups, resource.group) &&
    hasOrAll(rule.apiVersions, resource.version) &&
    rule.resources.some((each) => matchesResource(each, resource.resource, attributes.subresource))
  );
}

function hasOrAll(items: readonly string[], item: string): boolean {
  return items.includes(item) || items.includes("*");
}

/** Namespaces are cluster-scoped although their requests carry a namespace. */
function matchesScope(
  scope: string | undefined,
  { namespace }: AdmissionAttributes,
  { group, version, resource }: GroupVersionResource,
): boolean {
  if (scope === undefined || scope === "*") return true;
  const isNamespace = group === "" && version === "v1" && resource === "namespaces";
  const isNamespaced = !isNamespace && namespace !== "";
  if (scope === "Namespaced") return isNamespaced;
  return scope === "Cluster" && !isNamespaced;
}

function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  // The usual pattern, without being taken apart.
  if (subresource === "" && pattern === resource) return true;
  const [wanted, wantedSub] = splitResource(pattern);
  return (wanted === "*" || wanted === resource) && (wantedSub === "*" || wantedSub === subresource);
}

/** At the first slash; "" where there is none. */
export function splitResource(pattern: string): readonly [resource: string, subresource: string] {
  const slash = pattern.indexOf("/");
  return slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
}
