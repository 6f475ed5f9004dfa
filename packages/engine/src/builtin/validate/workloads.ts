/** Deployments, replica sets, daemon sets and stateful sets. Follows pkg/apis/apps/validation. */
import { type FieldError, forbidden, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { deepEqual } from "../../value/equal.ts";
import { percentOf } from "../../value/int-or-string.ts";
import type { JsonObject, JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, metaOf, numberOf, objectOf, textOf } from "../object.ts";
import { allNotNegative, labelName, notNegative, oneOfIfSet } from "./checks.ts";
import * as messages from "./messages.ts";
import { validateTemplate } from "./pod.ts";
import { isEmptySelector, isUsable, matches, selectorJson, validateSelector } from "./selector.ts";

const SPEC = newPath("spec");
const TEMPLATE = SPEC.child("template");
const SELECTOR = SPEC.child("selector");

const specOf = (object: JsonObject): JsonObject => objectOf(object, "spec") ?? {};

export function validateDeployment(deployment: JsonObject): FieldError[] {
  const spec = specOf(deployment);
  const errors = [
    ...notNegative(spec, "replicas", SPEC),
    ...requiredSelector(spec, "deployment"),
    ...selectedTemplate(spec, "ReplicaSet"),
    ...validateStrategy(objectOf(spec, "strategy") ?? {}, SPEC.child("strategy")),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...allNotNegative(spec, ["revisionHistoryLimit", "progressDeadlineSeconds"], SPEC),
  ];
  const [deadline, ready] = [numberOf(spec, "progressDeadlineSeconds"), numberOf(spec, "minReadySeconds")];
  if (!has(spec, "progressDeadlineSeconds") || deadline > ready) return errors;
  return [...errors, invalid(SPEC.child("progressDeadlineSeconds"), deadline, messages.aboveMinReady())];
}

export function validateReplicaSet(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  return [
    ...notNegative(spec, "replicas", SPEC),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...requiredSelector(spec, "deployment"),
    ...selectedTemplate(spec, "ReplicaSet"),
  ];
}

export function validateDaemonSet(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const selector = objectOf(spec, "selector");
  const template = objectOf(spec, "template") ?? {};
  const errors = validateSelector(selector, SELECTOR);
  if (isUsable(selector, SELECTOR) && !matches(selector, labelsOf(template))) errors.push(mismatch(template));
  if (isEmptySelector(selector)) {
    errors.push(invalid(SELECTOR, selectorJson(selector), messages.emptySelector("daemonset")));
  }
  return [
    ...errors,
    ...validateTemplate(template, TEMPLATE),
    ...alwaysRestarted(template, "DaemonSet"),
    ...validateDaemonStrategy(objectOf(spec, "updateStrategy") ?? {}, SPEC.child("updateStrategy")),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...allNotNegative(spec, ["revisionHistoryLimit"], SPEC),
  ];
}

export function validateStatefulSet(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  return [
    ...validateManagementPolicy(textOf(spec, "podManagementPolicy")),
    ...validateStatefulStrategy(objectOf(spec, "updateStrategy") ?? {}),
    ...["whenDeleted", "whenScaled"].flatMap((key) =>
      oneOfIfSet(objectOf(spec, RETENTION) ?? {}, key, ["Retain", "Delete"], SPEC.child(RETENTION)),
    ),
    ...notNegative(objectOf(spec, "ordinals") ?? {}, "start", SPEC.child("ordinals")),
    ...(textOf(spec, "serviceName") === "" ? [] : labelName(textOf(spec, "serviceName"), SPEC.child("serviceName"))),
    ...notNegative(spec, "replicas", SPEC),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...requiredSelector(spec, "statefulset"),
    ...selectedTemplate(spec, "StatefulSet"),
  ];
}

function validateManagementPolicy(policy: string): FieldError[] {
  if (policy === "OrderedReady" || policy === "Parallel") return [];
  return [invalid(SPEC.child("podManagementPolicy"), policy, messages.badManagementPolicy())];
}

const RETENTION = "persistentVolumeClaimRetentionPolicy";

function validateDaemonStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const type = textOf(strategy, "type");
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    return [notSupported(path, strategyJson(strategy), ["RollingUpdate", "OnDelete"])];
  }
  const rolling = objectOf(strategy, "rollingUpdate") ?? {};
  const at = path.child("rollingUpdate");
  const [unavailable, surge] = [amountOf(rolling["maxUnavailable"]), amountOf(rolling["maxSurge"])];
  const errors = ["maxUnavailable", "maxSurge"].flatMap((key) => intOrPercent(rolling[key], at.child(key)));
  if (unavailable === 0 && surge === 0) errors.push(required(at.child("maxUnavailable"), messages.bothZeroSurge()));
  else if (unavailable > 0 && surge > 0) {
    errors.push(invalid(at.child("maxSurge"), rolling["maxSurge"] ?? 0, messages.surgeAlone()));
  }
  return errors;
}

function validateStatefulStrategy(strategy: JsonObject): FieldError[] {
  const { type } = strategy;
  const rolling = objectOf(strategy, "rollingUpdate");
  const at = SPEC.child("updateStrategy", "rollingUpdate");
  if (type === "OnDelete" && rolling !== undefined) {
    const shown = `{"Partition":${numberOf(rolling, "partition")},"MaxUnavailable":${canonicalJson(rolling["maxUnavailable"] ?? null)}}`;
    return [invalid(at, new GoJson(shown), messages.onlyRolling())];
  }
  if (type === "RollingUpdate") return rolling === undefined ? [] : notNegative(rolling, "partition", at);
  if (type === "OnDelete") return [];
  return [invalid(SPEC.child("updateStrategy"), strategyJson(strategy), messages.badStatefulStrategy())];
}

export const validateDeploymentUpdate = (object: JsonObject, old: JsonObject): FieldError[] => [
  ...validateDeployment(object),
  ...keptSelector(object, old),
];

export const validateReplicaSetUpdate = (object: JsonObject, old: JsonObject): FieldError[] => [
  ...validateReplicaSet(object),
  ...keptSelector(object, old),
];

export const validateDaemonSetUpdate = (object: JsonObject, old: JsonObject): FieldError[] => [
  ...validateDaemonSet(object),
  ...keptSelector(object, old),
];

const STATEFUL_CHANGES = new Set([
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
]);

export function validateStatefulSetUpdate(object: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  const keys = new Set([...Object.keys(spec), ...Object.keys(before)]);
  const isKept = [...keys].every(
    (key) => STATEFUL_CHANGES.has(key) || deepEqual(spec[key] ?? null, before[key] ?? null),
  );
  return [...validateStatefulSet(object), ...(isKept ? [] : [forbidden(SPEC, messages.statefulUpdate())])];
}

function keptSelector(object: JsonObject, old: JsonObject): FieldError[] {
  const [selector, before] = [specOf(object)["selector"], specOf(old)["selector"]];
  if (deepEqual(selector ?? null, before ?? null)) return [];
  return [invalid(SELECTOR, selectorJson(selector), messages.immutable(), "immutable")];
}

function requiredSelector(spec: JsonObject, kind: string): FieldError[] {
  const selector = objectOf(spec, "selector");
  if (selector === undefined) return [required(SELECTOR)];
  const errors = validateSelector(selector, SELECTOR);
  if (!isEmptySelector(selector)) return errors;
  return [...errors, invalid(SELECTOR, selectorJson(selector), messages.emptySelector(kind))];
}

function selectedTemplate(spec: JsonObject, kind: string): FieldError[] {
  const selector = objectOf(spec, "selector");
  // For stateful sets upstream gives no reason.
  const reason = kind === "StatefulSet" ? "" : messages.badSelector();
  if (!isUsable(selector, SELECTOR)) return [invalid(SELECTOR, selectorJson(selector), reason)];
  const template = objectOf(spec, "template") ?? {};
  return [
    ...(matches(selector, labelsOf(template)) ? [] : [mismatch(template)]),
    ...validateTemplate(template, TEMPLATE),
    ...alwaysRestarted(template, kind),
  ];
}

function labelsOf(template: JsonObject): JsonObject {
  return objectOf(metaOf(template), "labels") ?? {};
}

function mismatch(template: JsonObject): FieldError {
  const labels = metaOf(template)["labels"] ?? null;
  return invalid(TEMPLATE.child("metadata", "labels"), labels, messages.selectorMismatch());
}

function alwaysRestarted(template: JsonObject, kind: string): FieldError[] {
  const spec = objectOf(template, "spec") ?? {};
  const path = TEMPLATE.child("spec");
  const policy = textOf(spec, "restartPolicy");
  return [
    ...(policy === "Always" ? [] : [notSupported(path.child("restartPolicy"), policy, ["Always"])]),
    ...(has(spec, "activeDeadlineSeconds")
      ? [forbidden(path.child("activeDeadlineSeconds"), messages.noDeadline(kind))]
      : []),
  ];
}

function validateStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const update = objectOf(strategy, "rollingUpdate");
  const at = path.child("rollingUpdate");
  switch (strategy["type"]) {
    case "Recreate":
      return update === undefined ? [] : [forbidden(at, messages.noRollingUpdate())];
    case "RollingUpdate":
      return update === undefined ? [required(at, messages.rollingUpdateNeeded())] : validateRollingUpdate(update, at);
    default:
      return [notSupported(path, strategyJson(strategy), ["Recreate", "RollingUpdate"])];
  }
}

/** Upstream prints its internal struct. */
function strategyJson(strategy: JsonObject): GoJson {
  return new GoJson(`{"Type":${JSON.stringify(textOf(strategy, "type"))},"RollingUpdate":null}`);
}

function validateRollingUpdate(update: JsonObject, path: FieldPath): FieldError[] {
  const { maxUnavailable, maxSurge } = update;
  const at = path.child("maxUnavailable");
  const errors = [...intOrPercent(maxUnavailable, at), ...intOrPercent(maxSurge, path.child("maxSurge"))];
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.push(invalid(at, maxUnavailable ?? null, messages.bothZero()));
  }
  const percent = typeof maxUnavailable === "string" ? (percentOf(maxUnavailable) ?? 0) : 0;
  return percent > 100 ? [...errors, invalid(at, maxUnavailable ?? null, messages.above100())] : errors;
}

function intOrPercent(value: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (typeof value === "string") return /^[0-9]+%$/.test(value) ? [] : [invalid(path, value, messages.badPercent())];
  return typeof value === "number" && value < 0 ? [invalid(path, value, messages.notNegative())] : [];
}

function amountOf(value: JsonValue | undefined): number {
  if (typeof value === "string") return percentOf(value) ?? 0;
  return typeof value === "number" ? value : 0;
}
