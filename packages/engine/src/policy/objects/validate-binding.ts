/** Whether a ValidatingAdmissionPolicyBinding is accepted. Follows kubernetes pkg/apis/admissionregistration/validation. */

import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../field/error.ts";
import { checkDnsSubdomain, checkPathSegment } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { validateMeta } from "../../schema/object-meta.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { objectOf, textOf, textsOf } from "../../value/read.ts";
import { repeats } from "../../value/repeated.ts";
import * as messages from "./object-messages.ts";
import { validateMatchResources } from "./validate-match.ts";
import { checkSupported, META_RULES, named } from "./validate-names.ts";
import { validateSelector } from "./validate-selector.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];
const NOT_FOUND_ACTIONS = ["Deny", "Allow"];

/** The same on create and update, without the metadata checks of updates. */
export function validateBinding(json: JsonObject): FieldError[] {
  const actions = textsOf(objectOf(json["spec"])["validationActions"]);
  return [...validateBindingFrame(json), ...validateActions(actions, newPath("spec", "validationActions"))];
}

/** The checks for bindings of both kinds of policies. */
export function validateBindingFrame(json: JsonObject): FieldError[] {
  const spec = objectOf(json["spec"]);
  const path = newPath("spec");
  const match = spec["matchResources"];
  return [
    ...validateMeta(objectOf(json["metadata"]), META_RULES, newPath("metadata")),
    ...validatePolicyName(textOf(spec["policyName"]), path.child("policyName")),
    ...validateParamRef(spec["paramRef"], path.child("paramRef")),
    ...(isObject(match) ? validateMatchResources(match, path.child("matchResources")) : []),
  ];
}

function validatePolicyName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  return checkDnsSubdomain(name).map((problem) => invalid(path, name, problem, "name"));
}

function validateParamRef(paramRef: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (!isObject(paramRef)) return [];
  const name = textOf(paramRef["name"]);
  const selector = isObject(paramRef["selector"]) ? paramRef["selector"] : undefined;
  const hasBoth = name !== "" && selector !== undefined;
  const excluded = (field: string): FieldError[] =>
    hasBoth ? [forbidden(path.child(field), messages.nameAndSelectorExclude(), "exclusive")] : [];
  return [
    ...checkPathSegment(name, false).map((problem) => invalid(path.child("name"), name, problem, "name")),
    ...excluded("name"),
    ...(selector === undefined ? [] : validateSelector(selector, path.child("selector"))),
    ...excluded("selector"),
    ...(name === "" && selector === undefined ? [required(path, messages.nameOrSelectorNeeded())] : []),
    ...validateNotFoundAction(textOf(paramRef["parameterNotFoundAction"]), path.child("parameterNotFoundAction")),
  ];
}

function validateNotFoundAction(action: string, path: FieldPath): FieldError[] {
  if (action === "") return [required(path)];
  return NOT_FOUND_ACTIONS.includes(action) ? [] : [notSupported(path, named(action), NOT_FOUND_ACTIONS)];
}

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  if (actions.length === 0) return [required(path, messages.actionNeeded())];
  const isRepeated = repeats(actions);
  const errors = actions.flatMap((action, index) => [
    ...[checkSupported(action, ACTIONS, path.index(index)) ?? []].flat(),
    ...(isRepeated(index) ? [duplicate(path.index(index), named(action))] : []),
  ]);
  const isContradictory = actions.includes("Deny") && actions.includes("Warn");
  return isContradictory ? [...errors, invalid(path, [...actions], messages.denyAndWarn(), "actions")] : errors;
}
