/**
 * Validating and mutating webhook configurations, checked when they are written.
 *
 * An update is held to a rule only if the old object kept it: side effects, known review versions and unique names came
 * later than the kind. Follows kubernetes pkg/apis/admissionregistration/validation.
 */

import { duplicate, type FieldError, invalid, required } from "../../field/error.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { checkWebhookService, checkWebhookUrl } from "../../field/webhook-client.ts";
import { deepEqual } from "../../value/equal.ts";
import { isInteger, isObject, type JsonObject } from "../../value/json.ts";
import { objectsOf, textOf, textsOf } from "../../value/read.ts";
import { repeats } from "../../value/repeated.ts";
import { readNamed } from "../policy.ts";
import * as messages from "./object-messages.ts";
import { type PolicyValidationOptions, validateMatchConditions } from "./validate-expressions.ts";
import { validateChoice, validateRules } from "./validate-match.ts";
import { validateSelector } from "./validate-selector.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const HARMLESS = ["None", "NoneOnDryRun"];
const SIDE_EFFECTS = ["None", "NoneOnDryRun", "Some", "Unknown"];
const WEBHOOKS = newPath("webhooks");

/** Without the metadata checks. `old` is undefined on create. */
export function validateWebhooks(
  json: JsonObject,
  old: JsonObject | undefined,
  options: PolicyValidationOptions = {},
): FieldError[] {
  const hooks = objectsOf(json["webhooks"]);
  const requirements = requirementsOf(old);
  const names = hooks.map(({ name }) => textOf(name));
  const isNameRepeated = repeats(names);
  return hooks.flatMap((hook, index) => {
    const path = WEBHOOKS.index(index);
    const name = names[index] ?? "";
    const isRepeated = requirements.uniqueNames && name !== "" && isNameRepeated(index);
    return [
      ...validateHook(hook, path, requirements, options),
      ...validateReviewVersions(
        textsOf(hook["admissionReviewVersions"]),
        path.child("admissionReviewVersions"),
        requirements,
      ),
      ...(isRepeated ? [duplicate(path.child("name"), name)] : []),
    ];
  });
}

interface Requirements {
  readonly harmless: boolean;
  readonly knownVersion: boolean;
  readonly uniqueNames: boolean;
  /** Match conditions that were there before, and are not looked at where none was changed. */
  readonly conditions: readonly (readonly JsonObject[])[];
}

function requirementsOf(old: JsonObject | undefined): Requirements {
  const hooks = objectsOf(old?.["webhooks"]);
  const names = hooks.map(({ name }) => textOf(name));
  return {
    harmless: hooks.every(({ sideEffects }) => HARMLESS.includes(textOf(sideEffects))),
    knownVersion: hooks.every(({ admissionReviewVersions: versions }) => textsOf(versions).some(isKnownVersion)),
    uniqueNames: new Set(names).size === names.length,
    conditions: hooks.map(({ matchConditions }) => objectsOf(matchConditions)),
  };
}

function isKnownVersion(version: string): boolean {
  return REVIEW_VERSIONS.includes(version);
}

function validateHook(
  hook: JsonObject,
  path: FieldPath,
  requirements: Requirements,
  options: PolicyValidationOptions,
): FieldError[] {
  const conditions = objectsOf(hook["matchConditions"]);
  const isKept = requirements.conditions.some((kept) => deepEqual([...kept], [...conditions]));
  return [
    ...validateName(textOf(hook["name"]), path.child("name")),
    ...validateRules(hook["rules"], path.child("rules")),
    ...validateIfSet(hook, "failurePolicy", ["Fail", "Ignore"], path),
    ...validateIfSet(hook, "matchPolicy", ["Equivalent", "Exact"], path),
    ...validateSideEffects(hook, path.child("sideEffects"), requirements),
    ...validateTimeout(hook, path.child("timeoutSeconds")),
    ...["namespaceSelector", "objectSelector"].flatMap((key) => validateSelectorIfSet(hook, key, path)),
    ...validateIfSet(hook, "reinvocationPolicy", ["IfNeeded", "Never"], path),
    ...validateClient(hook["clientConfig"], path.child("clientConfig")),
    ...(isKept ? [] : validateMatchConditions(conditions.map(readNamed), path.child("matchConditions"), options)),
  ];
}

function validateName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  const problems = checkDnsSubdomain(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(","), "name")];
  return name.split(".").length < 3 ? [invalid(path, name, messages.threeSegments(), "name")] : [];
}

function validateIfSet(hook: JsonObject, key: string, supported: readonly string[], path: FieldPath): FieldError[] {
  return hook[key] === undefined ? [] : validateChoice(hook[key], supported, path.child(key));
}

function validateSideEffects(hook: JsonObject, path: FieldPath, { harmless }: Requirements): FieldError[] {
  const supported = harmless ? HARMLESS : SIDE_EFFECTS;
  const { sideEffects } = hook;
  if (typeof sideEffects !== "string") return [required(path, messages.specifyOneOf(supported))];
  return validateChoice(sideEffects, supported, path);
}

function validateTimeout({ timeoutSeconds: seconds }: JsonObject, path: FieldPath): FieldError[] {
  const isWrong = isInteger(seconds) && (seconds < 1 || seconds > 30);
  return isWrong ? [invalid(path, seconds, messages.timeoutRange(), "range")] : [];
}

function validateSelectorIfSet(hook: JsonObject, key: string, path: FieldPath): FieldError[] {
  const selector = hook[key];
  return isObject(selector) ? validateSelector(selector, path.child(key)) : [];
}

function validateClient(config: JsonObject[string] | undefined, path: FieldPath): FieldError[] {
  const { url, service } = isObject(config) ? config : {};
  if ((url === undefined) === (service === undefined)) return [required(path, messages.urlOrService())];
  if (typeof url === "string") return checkWebhookUrl(url, path.child("url"));
  return isObject(service) ? checkWebhookService(service, path.child("service")) : [];
}

function validateReviewVersions(
  versions: readonly string[],
  path: FieldPath,
  { knownVersion }: Requirements,
): FieldError[] {
  if (versions.length === 0) return [required(path, messages.specifyOneOf(REVIEW_VERSIONS))];
  const isRepeated = repeats(versions);
  const errors = versions.flatMap((version, index) => {
    if (isRepeated(index)) return [invalid(path.index(index), version, messages.duplicateVersion(), "unique")];
    return checkDns1035Label(version).map((problem) => invalid(path.index(index), version, problem, "name"));
  });
  if (!knownVersion || versions.some(isKnownVersion)) return errors;
  return [...errors, invalid(path, [...versions], messages.includeOneOf(REVIEW_VERSIONS), "known")];
}
