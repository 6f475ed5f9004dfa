/** Roles and bindings. Follows pkg/apis/rbac/validation. */

import { type FieldError, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { checkPathSegment } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { semanticEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { internalJson } from "../internal/internal.ts";
import { has, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { subdomain } from "./checks.ts";
import * as messages from "./messages.ts";
import { validateSelector } from "./selector.ts";

const GROUP = "rbac.authorization.k8s.io";
const RULES = newPath("rules");

export function validateRole(role: JsonObject): FieldError[] {
  return objectsOf(role, "rules").flatMap((rule, index) => validateRule(rule, RULES.index(index), true));
}

export function validateClusterRole(role: JsonObject): FieldError[] {
  return [
    ...objectsOf(role, "rules").flatMap((rule, index) => validateRule(rule, RULES.index(index), false)),
    ...validateAggregation(objectOf(role, "aggregationRule"), newPath("aggregationRule", "clusterRoleSelectors")),
  ];
}

function validateAggregation(rule: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (rule === undefined) return [];
  const selectors = objectsOf(rule, "clusterRoleSelectors");
  if (selectors.length === 0) return [required(path, messages.selectorsNeeded())];
  // A selector that cannot be made is shown as nil.
  return selectors.flatMap((selector, index) => {
    const errors = validateSelector(selector, path.index(index));
    const isUsable = errors.length === 0;
    return isUsable ? [] : [...errors, invalid(path.index(index), new GoJson("null"), messages.unusableSelector())];
  });
}

function validateRule(rule: JsonObject, path: FieldPath, isNamespaced: boolean): FieldError[] {
  const errors =
    has(rule, "verbs") && textsOf(rule, "verbs").length > 0
      ? []
      : [required(path.child("verbs"), messages.verbsNeeded())];
  const urls = textsOf(rule, "nonResourceURLs");
  const [groups, resources] = [textsOf(rule, "apiGroups"), textsOf(rule, "resources")];
  if (urls.length > 0) {
    const at = path.child("nonResourceURLs");
    if (isNamespaced) errors.push(invalid(at, urls, messages.namespacedUrls()));
    const isMixed = groups.length > 0 || resources.length > 0 || textsOf(rule, "resourceNames").length > 0;
    return isMixed ? [...errors, invalid(at, urls, messages.mixedRule())] : errors;
  }
  if (groups.length === 0) errors.push(required(path.child("apiGroups"), messages.groupsNeeded()));
  if (resources.length === 0) errors.push(required(path.child("resources"), messages.resourcesNeeded()));
  return errors;
}

export function validateRoleBinding(binding: JsonObject): FieldError[] {
  return validateBinding(binding, ["Role", "ClusterRole"], true);
}

export function validateClusterRoleBinding(binding: JsonObject): FieldError[] {
  return validateBinding(binding, ["ClusterRole"], false);
}

export function keptRoleRef(binding: JsonObject, old: JsonObject): FieldError[] {
  if (semanticEqual(binding["roleRef"], old["roleRef"])) return [];
  const message = since("1.37") ? messages.immutable() : messages.roleRefKept();
  return [invalid(newPath("roleRef"), internalJson("rbac.RoleRef", objectOf(binding, "roleRef")), message)];
}

function validateBinding(binding: JsonObject, kinds: readonly string[], isNamespaced: boolean): FieldError[] {
  const reference = objectOf(binding, "roleRef") ?? {};
  const path = newPath("roleRef");
  const [group, kind, name] = [textOf(reference, "apiGroup"), textOf(reference, "kind"), textOf(reference, "name")];
  return [
    ...(group === GROUP ? [] : [notSupported(path.child("apiGroup"), group, [GROUP])]),
    ...(kinds.includes(kind) ? [] : [notSupported(path.child("kind"), kind, kinds)]),
    ...(name === ""
      ? [required(path.child("name"))]
      : checkPathSegment(name, false).map((problem) => invalid(path.child("name"), name, problem))),
    ...objectsOf(binding, "subjects").flatMap((subject, index) =>
      validateSubject(subject, newPath("subjects").index(index), isNamespaced),
    ),
  ];
}

const SUBJECTS = ["ServiceAccount", "User", "Group"];

function validateSubject(subject: JsonObject, path: FieldPath, isNamespaced: boolean): FieldError[] {
  const [kind, name, group] = [textOf(subject, "kind"), textOf(subject, "name"), textOf(subject, "apiGroup")];
  const errors = name === "" ? [required(path.child("name"))] : [];
  if (kind === "ServiceAccount") {
    if (name !== "") errors.push(...subdomain(name, path.child("name")));
    if (group !== "") errors.push(notSupported(path.child("apiGroup"), group, [""]));
    if (!isNamespaced && textOf(subject, "namespace") === "") errors.push(required(path.child("namespace")));
  } else if (kind === "User" || kind === "Group") {
    if (group !== GROUP) errors.push(notSupported(path.child("apiGroup"), group, [GROUP]));
  } else errors.push(notSupported(path.child("kind"), kind, SUBJECTS));
  return errors;
}
