/** Quotas of resources. Follows ValidateResourceQuota of core/validation. */

import { type FieldError, GoJson, invalid, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { canonicalJson } from "../../../value/text.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { nilOf } from "../go-values.ts";
import { badOperator, immutable } from "../messages.ts";
import { amountsOf, isStandardForQuota, quotaResourceName, resourceAmount } from "../quantities.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");

export function validateQuota(quota: JsonObject): FieldError[] {
  return validateQuotaSpec(objectOf(quota, "spec") ?? {});
}

function validateQuotaSpec(spec: JsonObject): FieldError[] {
  return [...quotaAmounts(objectOf(spec, "hard"), SPEC.child("hard")), ...scopes(spec), ...scopeSelector(spec)];
}

function quotaAmounts(list: JsonObject | undefined, path: FieldPath): FieldError[] {
  return amountsOf(list).flatMap(([name, quantity]) => [
    ...quotaResourceName(name, path.key(name)),
    ...resourceAmount(name, quantity, path.key(name)),
  ]);
}

export function validateQuotaUpdate(quota: JsonObject, old: JsonObject): FieldError[] {
  const [now, then] = [new Set(scopesOf(quota)), new Set(scopesOf(old))];
  const isSame = now.size === then.size && [...now].every((scope) => then.has(scope));
  return [
    ...validateQuota(quota),
    ...(isSame ? [] : [invalid(SPEC.child("scopes"), shownScopes(scopesOf(quota)), immutable())]),
  ];
}

function scopesOf(quota: JsonObject): string[] {
  return textsOf(objectOf(quota, "spec"), "scopes");
}

function shownScopes(list: readonly string[]): GoJson {
  if (list.length === 0) return nilOf("[]core.ResourceQuotaScope");
  const texts = list.map((scope) => canonicalJson(scope)).join(", ");
  return new GoJson(since("1.34") ? canonicalJson([...list]) : `[]core.ResourceQuotaScope{${texts}}`);
}

export function validateQuotaStatus(quota: JsonObject): FieldError[] {
  const status = objectOf(quota, "status");
  return ["hard", "used"].flatMap((key) => quotaAmounts(objectOf(status, key), newPath("status", key)));
}

const POD_SCOPES = [
  ...["Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"],
];
const SCOPES = [...POD_SCOPES, "BestEffort", "VolumeAttributesClass"];
const COMPUTE = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const CONFLICTS = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/** Whether the scope applies to what the resource counts. */
function isScopeFor(scope: string, resource: string): boolean {
  if (POD_SCOPES.includes(scope)) return resource === "pods" || COMPUTE.includes(resource);
  if (scope === "BestEffort") return resource === "pods";
  if (scope !== "VolumeAttributesClass") return true;
  return resource === "persistentvolumeclaims" || resource === "requests.storage";
}

function oddResources(spec: JsonObject, scope: string): string[] {
  const names = Object.keys(objectOf(spec, "hard") ?? {}).sort();
  return names.filter((name) => isStandardForQuota(name) && !isScopeFor(scope, name));
}

function isConflicting(list: readonly string[]): number {
  return CONFLICTS.filter((pair) => pair.every((scope) => list.includes(scope))).length;
}

function scopes(spec: JsonObject): FieldError[] {
  const list = textsOf(spec, "scopes");
  const path = SPEC.child("scopes");
  const shown = shownScopes(list);
  return [
    ...list.flatMap((scope) => [
      ...(SCOPES.includes(scope) ? [] : [invalid(path, shown, messages.unsupportedScope())]),
      ...oddResources(spec, scope).map(() => invalid(path, shown, messages.scopeForResource())),
    ]),
    ...Array.from({ length: isConflicting(list) }, () => invalid(path, shown, messages.conflictingScopes())),
  ];
}

function scopeSelector(spec: JsonObject): FieldError[] {
  const selector = objectOf(spec, "scopeSelector");
  if (selector === undefined) return [];
  const path = SPEC.child("scopeSelector", "matchExpressions");
  const requirements = objectsOf(selector, "matchExpressions");
  const names = requirements.map((each) => textOf(each, "scopeName"));
  return [
    ...requirements.flatMap((each) => scopeRequirement(each, spec, selector, path)),
    ...Array.from({ length: isConflicting(names) }, () =>
      invalid(path, shownScopes(textsOf(spec, "scopes")), messages.conflictingScopes()),
    ),
  ];
}

/** As Go prints it: names of fields are Go's. */
function shownSelector(selector: JsonObject): GoJson {
  const parts = objectsOf(selector, "matchExpressions").map((each) => {
    const values = textsOf(each, "values");
    const list = values.length === 0 ? "null" : canonicalJson(values);
    return `{"ScopeName":${canonicalJson(textOf(each, "scopeName"))},"Operator":${canonicalJson(textOf(each, "operator"))},"Values":${list}}`;
  });
  return new GoJson(`{"MatchExpressions":[${parts.join(",")}]}`);
}

function scopeRequirement(
  requirement: JsonObject,
  spec: JsonObject,
  selector: JsonObject,
  path: FieldPath,
): FieldError[] {
  const [scope, operator] = [textOf(requirement, "scopeName"), textOf(requirement, "operator")];
  const isPlain = SCOPES.includes(scope) && scope !== "PriorityClass" && scope !== "VolumeAttributesClass";
  return [
    ...(SCOPES.includes(scope) ? [] : [invalid(path.child("scopeName"), scope, messages.unsupportedScope())]),
    ...oddResources(spec, scope).map(() => invalid(path, shownSelector(selector), messages.scopeForResource())),
    ...(isPlain && operator !== "Exists" ? [invalid(path.child("operator"), operator, messages.scopeExists())] : []),
    ...scopeValues(operator, textsOf(requirement, "values"), path),
  ];
}

function scopeValues(operator: string, values: string[], path: FieldPath): FieldError[] {
  const at = path.child("values");
  if (operator === "In" || operator === "NotIn") {
    return values.length === 0 ? [required(at, messages.scopeValue())] : [];
  }
  if (operator !== "Exists" && operator !== "DoesNotExist") {
    return [invalid(path.child("operator"), operator, badOperator())];
  }
  return values.length === 0 ? [] : [invalid(at, values, messages.noScopeValue())];
}
