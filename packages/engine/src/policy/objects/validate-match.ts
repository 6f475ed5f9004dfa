/**
 * Match criteria of policies and bindings, checked when they are written.
 *
 * Whether `*` is mixed with a plain resource depends only on the last resource without a slash, so `["*", "pods"]` is
 * refused and `["pods", "*"]` is not. Follows kubernetes pkg/apis/admissionregistration/validation.
 */

import { duplicate, type FieldError, invalid, required } from "../../field/error.ts";
import { checkPathSegment } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { objectsOf, textsOf } from "../../value/read.ts";
import { repeats } from "../../value/repeated.ts";
import * as messages from "./object-messages.ts";
import { checkSupported } from "./validate-names.ts";
import { validateSelector } from "./validate-selector.ts";

const MATCH_POLICIES = ["Equivalent", "Exact"];
const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

export function validateMatchResources(match: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...validateChoice(match["matchPolicy"], MATCH_POLICIES, path.child("matchPolicy")),
    ...validateRequiredSelector(match["namespaceSelector"], path.child("namespaceSelector")),
    ...validateRequiredSelector(match["objectSelector"], path.child("objectSelector")),
    ...validateRules(match["resourceRules"], path.child("resourceRules")),
    ...validateRules(match["excludeResourceRules"], path.child("excludeResourceRules")),
  ];
}

/** A text that must be there and among the supported ones. */
export function validateChoice(
  value: JsonObject[string] | undefined,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (typeof value !== "string") return [required(path)];
  const error = checkSupported(value, supported, path);
  return error === undefined ? [] : [error];
}

function validateRequiredSelector(selector: JsonObject[string] | undefined, path: FieldPath): FieldError[] {
  return isObject(selector) ? validateSelector(selector, path) : [required(path)];
}

/** Rules with operations, of policies and of webhooks. */
export function validateRules(rules: JsonObject[string] | undefined, path: FieldPath): FieldError[] {
  return objectsOf(rules).flatMap((rule, index) => validateRule(rule, path.index(index)));
}

function validateRule(rule: JsonObject, path: FieldPath): FieldError[] {
  const scope = rule["scope"];
  return [
    ...validateResourceNames(textsOf(rule["resourceNames"]), path.child("resourceNames")),
    ...validateOperations(textsOf(rule["operations"]), path.child("operations")),
    ...validateNonEmpty(textsOf(rule["apiGroups"]), "API groups", path.child("apiGroups")),
    ...validateVersions(textsOf(rule["apiVersions"]), path.child("apiVersions")),
    ...validateResources(textsOf(rule["resources"]), path.child("resources")),
    ...(scope === undefined ? [] : validateChoice(scope, SCOPES, path.child("scope"))),
  ];
}

function validateResourceNames(names: readonly string[], path: FieldPath): FieldError[] {
  const isRepeated = repeats(names);
  return names.flatMap((name, index) => [
    ...checkPathSegment(name, false).map((problem) => invalid(path.index(index), name, problem, "resourceNames")),
    ...(isRepeated(index) ? [duplicate(path.index(index), name)] : []),
  ]);
}

function validateOperations(operations: readonly string[], path: FieldPath): FieldError[] {
  return [
    ...validateNonEmpty(operations, "operations", path),
    ...operations.flatMap((operation, index) => checkSupported(operation, OPERATIONS, path.index(index)) ?? []),
  ];
}

function validateNonEmpty(items: readonly string[], others: string, path: FieldPath): FieldError[] {
  if (items.length === 0) return [required(path)];
  const isMixed = items.length > 1 && items.includes("*");
  return isMixed ? [invalid(path, [...items], messages.wildcardAlone(others), "wildcard")] : [];
}

function validateVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  return [
    ...validateNonEmpty(versions, "API versions", path),
    ...versions.flatMap((version, index) => (version === "" ? [required(path.index(index))] : [])),
  ];
}

function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors = resources.length === 0 ? [required(path)] : [];
  const seen = { wholeResources: new Set<string>(), wholeSubresources: new Set<string>() };
  let isPlainLast = false;
  for (const [index, resource] of resources.entries()) {
    if (resource === "") errors.push(required(path.index(index)));
    else if (resource.includes("/")) errors.push(...checkCovered(resource, seen, path.index(index)));
    else isPlainLast = resource !== "*";
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalid(path, [...resources], messages.doubleWildcardAlone(), "wildcard"));
  }
  if (resources.includes("*") && isPlainLast) {
    errors.push(invalid(path, [...resources], messages.wildcardAloneWithoutSubresources(), "wildcard"));
  }
  return errors;
}

interface Wildcards {
  /** `x` of each `x/*` so far. */
  readonly wholeResources: Set<string>;
  /** `x` of each `*\/x` so far. */
  readonly wholeSubresources: Set<string>;
}

function checkCovered(pattern: string, seen: Wildcards, path: FieldPath): FieldError[] {
  const slash = pattern.indexOf("/");
  const [resource, subresource] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
  const errors: FieldError[] = [];
  if (seen.wholeResources.has(resource)) {
    errors.push(invalid(path, pattern, messages.coveredBy(`${resource}/*`, pattern), "wildcard"));
  }
  if (seen.wholeSubresources.has(subresource)) {
    errors.push(invalid(path, pattern, messages.coveredBy(`*/${subresource}`, pattern), "wildcard"));
  }
  if (subresource === "*") seen.wholeResources.add(resource);
  if (resource === "*") seen.wholeSubresources.add(subresource);
  return errors;
}
