/**
 * Whether one source of denials denies everything that another one denies, which can be seen without evaluating any
 * expression: both evaluate the same expressions, and the other one matches and enforces at least as much.
 */
import type { MatchResources, ResourceRule } from "../policy/match-resources.ts";
import type { StructuredSelector } from "../selector/labels.ts";
import type { DenialSource } from "./model.ts";

export function isCovered(source: DenialSource, by: DenialSource): boolean {
  return (
    evaluated(source) === evaluated(by) &&
    isAsStrict(source, by) &&
    isWithin(source.hook.policy.matchConstraints, by.hook.policy.matchConstraints) &&
    isBoundWithin(source.bound.binding.matchResources, by.bound.binding.matchResources)
  );
}

/** The same, and both policies evaluate the same expressions, so that they reach a cost limit for the same requests. */
export function isCoveredAtSameCost(source: DenialSource, by: DenialSource): boolean {
  return isCovered(source, by) && pricedParts(source) === pricedParts(by);
}

function pricedParts({ hook: { policy } }: DenialSource): string {
  const { variables, matchConditions, validations, auditAnnotations } = policy;
  const evaluatedTexts = [...variables, ...matchConditions, ...validations].map(({ expression }) => expression);
  return JSON.stringify([evaluatedTexts, auditAnnotations.map(({ valueExpression }) => valueExpression)]);
}

/** Everything that decides about the result of the expressions. */
function evaluated({ hook, bound, kind, index }: DenialSource): string {
  const { paramKind, matchConditions, variables, validations, auditAnnotations } = hook.policy;
  const { paramRef } = bound.binding;
  const conditions = matchConditions.map((condition) => condition.expression);
  const expression =
    kind === "validation"
      ? validations[index]?.expression
      : kind === "annotation"
        ? auditAnnotations[index]?.valueExpression
        : "";
  const own = kind === "configuration" ? [] : [conditions, variables, expression];
  return JSON.stringify([kind, paramKind, paramRef, own]);
}

/** Failures deny under `Fail` and not under `Ignore`; only the action `Deny` denies. */
function isAsStrict(source: DenialSource, by: DenialSource): boolean {
  const [own, other] = [source.hook.policy.failurePolicy, by.hook.policy.failurePolicy];
  const [actions, others] = [source.bound.binding.validationActions, by.bound.binding.validationActions];
  return (own === other || own === "Ignore") && (!actions.includes("Deny") || others.includes("Deny"));
}

function isBoundWithin(own: MatchResources | undefined, other: MatchResources | undefined): boolean {
  return other === undefined || (own !== undefined && isWithin(own, other));
}

function isWithin(own: MatchResources | undefined, other: MatchResources | undefined): boolean {
  if (JSON.stringify(own) === JSON.stringify(other)) return true;
  if (own === undefined || other === undefined) return false;
  const { resourceRules: rules, namespaceSelector, objectSelector, ...rest } = own;
  const { resourceRules: others, namespaceSelector: namespaces, objectSelector: objects, ...otherRest } = other;
  if (JSON.stringify(rest) !== JSON.stringify(otherRest)) return false;
  if (!isSelectedWithin(namespaceSelector, namespaces) || !isSelectedWithin(objectSelector, objects)) return false;
  return areRulesWithin(rules, others, own.matchPolicy === "Exact");
}

/** An empty selector selects everything. A missing one is an error of the configuration. */
function isSelectedWithin(own: StructuredSelector | undefined, other: StructuredSelector | undefined): boolean {
  if (JSON.stringify(own) === JSON.stringify(other)) return true;
  if (own === undefined || other === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = other;
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function areRulesWithin(rules: readonly ResourceRule[], others: readonly ResourceRule[], isExact: boolean): boolean {
  if (JSON.stringify(rules) === JSON.stringify(others)) return true;
  if (rules.length === 0) return false;
  const more = others.filter((each) => !rules.some((rule) => isRuleWithin(rule, each)));
  return (
    rules.every((rule) => others.some((each) => isRuleWithin(rule, each))) &&
    (isExact || more.every((each) => rules.every((rule) => areApart(rule, each))))
  );
}

/**
 * The other rule has more operations or resources. Groups and versions are equal: with another version, objects could
 * be converted differently.
 */
function isRuleWithin(own: ResourceRule, other: ResourceRule): boolean {
  const { operations, resources, ...rest } = own;
  const { operations: otherOperations, resources: otherResources, ...otherRest } = other;
  return (
    JSON.stringify(rest) === JSON.stringify(otherRest) &&
    operations.every((each) => otherOperations.includes(each) || otherOperations.includes("*")) &&
    resources.every((each) => isResourceIn(each, otherResources))
  );
}

/** `*` stands for all resources, but not for their subresources. */
function isResourceIn(resource: string, all: readonly string[]): boolean {
  if (all.includes(resource) || all.includes("*/*")) return true;
  return all.includes("*") && !resource.includes("/");
}

/** No resource is in both, under any group: an object that one matches is not converted for the other. */
function areApart({ resources }: ResourceRule, { resources: others }: ResourceRule): boolean {
  const nameOf = (resource: string): string => resource.split("/")[0] ?? "";
  const names = new Set(resources.map(nameOf));
  return !names.has("*") && others.every((resource) => nameOf(resource) !== "*" && !names.has(nameOf(resource)));
}
