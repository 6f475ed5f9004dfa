/** Deployments, replica sets, daemon sets and their revisions. Follows pkg/apis/apps/validation. */

import { encodeUtf8 } from "@portcullis/gostd/utf8";
import {
  type BadValue,
  type FieldError,
  forbidden,
  GoJson,
  invalid,
  notSupported,
  required,
} from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, numberOf, objectOf, textOf } from "../../object.ts";
import { allNotNegative, atMost100Percent, intOrPercent, isZeroAmount, notNegative } from "../checks.ts";
import { intOrString } from "../go-values.ts";
import { immutable as immutableText } from "../messages.ts";
import { validateTemplate } from "../pod/pod.ts";
import { isEmptySelector, isUsable, matches, selectorJson, validateSelector } from "../selector.ts";
import * as messages from "./messages.ts";
import { alwaysRestarted, labelsOf, mismatch } from "./templates.ts";

const SPEC = newPath("spec");
const TEMPLATE = SPEC.child("template");
const SELECTOR = SPEC.child("selector");

const specOf = (object: JsonObject): JsonObject => objectOf(object, "spec") ?? {};

export function validateDeployment(deployment: JsonObject): FieldError[] {
  const spec = specOf(deployment);
  const [deadline, ready] = [numberOf(spec, "progressDeadlineSeconds"), numberOf(spec, "minReadySeconds")];
  const isShort = has(spec, "progressDeadlineSeconds") && deadline <= ready;
  return [
    ...notNegative(spec, "replicas", SPEC),
    ...requiredSelector(spec, "deployment"),
    ...selectedTemplate(spec),
    ...validateStrategy(objectOf(spec, "strategy") ?? {}, SPEC.child("strategy")),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...allNotNegative(spec, ["revisionHistoryLimit", "progressDeadlineSeconds"], SPEC),
    ...(isShort ? [invalid(SPEC.child("progressDeadlineSeconds"), deadline, messages.aboveMinReady())] : []),
  ];
}

export function validateReplicaSet(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  return [
    ...notNegative(spec, "replicas", SPEC),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...requiredSelector(spec, "deployment"),
    ...selectedTemplate(spec),
  ];
}

export function validateDaemonSet(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const selector = objectOf(spec, "selector");
  const template = objectOf(spec, "template") ?? {};
  const errors = validateSelector(selector, SELECTOR);
  if (isUsable(selector, SELECTOR) && !matches(selector, labelsOf(template))) errors.push(mismatch(template, TEMPLATE));
  if (isEmptySelector(selector)) {
    errors.push(invalid(SELECTOR, selectorJson(selector), messages.emptySelector("daemonset")));
  }
  return [
    ...errors,
    ...validateTemplate(template, TEMPLATE),
    ...alwaysRestarted(template, "DaemonSet", TEMPLATE),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...validateDaemonStrategy(objectOf(spec, "updateStrategy") ?? {}, SPEC.child("updateStrategy")),
    ...allNotNegative(spec, ["revisionHistoryLimit"], SPEC),
  ];
}

function validateDaemonStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const type = textOf(strategy, "type");
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    return [notSupported(path, internalJson("apps.DaemonSetUpdateStrategy", strategy), ["RollingUpdate", "OnDelete"])];
  }
  const rolling = objectOf(strategy, "rollingUpdate");
  const at = path.child("rollingUpdate");
  if (rolling === undefined) return [required(at)];
  const keys = ["maxUnavailable", "maxSurge"];
  const zeros = keys.filter((key) => isZeroAmount(rolling[key])).length;
  const errors = [
    ...keys.flatMap((key) => intOrPercent(rolling[key], at.child(key))),
    ...keys.flatMap((key) => atMost100Percent(rolling[key], at.child(key))),
  ];
  if (zeros === 2) errors.push(required(at.child("maxUnavailable"), messages.bothZeroSurge()));
  else if (zeros === 0) {
    errors.push(invalid(at.child("maxSurge"), intOrString(rolling["maxSurge"] ?? 0), messages.surgeAlone()));
  }
  return errors;
}

export const validateDeploymentUpdate = (object: JsonObject, old: JsonObject): FieldError[] => [
  ...validateDeployment(object),
  ...keptSelector(object, old),
];

export const validateReplicaSetUpdate = (object: JsonObject, old: JsonObject): FieldError[] => [
  ...validateReplicaSet(object),
  ...keptSelector(object, old),
];

export function validateDaemonSetUpdate(object: JsonObject, old: JsonObject): FieldError[] {
  const [kept, whole] = [keptSelector(object, old), validateDaemonSet(object)];
  return since("1.34") ? [...kept, ...whole] : [...whole, ...kept];
}

function keptSelector(object: JsonObject, old: JsonObject): FieldError[] {
  const [selector, before] = [specOf(object)["selector"], specOf(old)["selector"]];
  if (semanticEqual(selector, before)) return [];
  return [invalid(SELECTOR, selectorJson(selector), immutableText(), "immutable")];
}

export function requiredSelector(spec: JsonObject, kind: string): FieldError[] {
  const selector = objectOf(spec, "selector");
  if (selector === undefined) return [required(SELECTOR)];
  const errors = validateSelector(selector, SELECTOR);
  if (!isEmptySelector(selector)) return errors;
  return [...errors, invalid(SELECTOR, selectorJson(selector), messages.emptySelector(kind))];
}

/** A selector that is left out matches nothing, and then the labels do not matter. */
function selectedTemplate(spec: JsonObject): FieldError[] {
  const selector = objectOf(spec, "selector");
  if (!isUsable(selector, SELECTOR)) return [invalid(SELECTOR, selectorJson(selector), messages.badSelector())];
  const template = objectOf(spec, "template") ?? {};
  const isSelected = isEmptySelector(selector) || matches(selector, labelsOf(template));
  return [
    ...(isSelected ? [] : [mismatch(template, TEMPLATE)]),
    ...validateTemplate(template, TEMPLATE),
    ...alwaysRestarted(template, "ReplicaSet", TEMPLATE),
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
      return [notSupported(path, internalJson("apps.DeploymentStrategy", strategy), ["Recreate", "RollingUpdate"])];
  }
}

function validateRollingUpdate(update: JsonObject, path: FieldPath): FieldError[] {
  const { maxUnavailable, maxSurge } = update;
  const at = path.child("maxUnavailable");
  const isStuck = isZeroAmount(maxUnavailable) && isZeroAmount(maxSurge);
  return [
    ...intOrPercent(maxUnavailable, at),
    ...intOrPercent(maxSurge, path.child("maxSurge")),
    ...(isStuck ? [invalid(at, intOrString(maxUnavailable ?? null), messages.bothZero())] : []),
    ...atMost100Percent(maxUnavailable, at),
  ];
}

export function validateNewRevision(revision: JsonObject): FieldError[] {
  const { data } = revision;
  const errors = validateRevision(revision);
  if (data === undefined || data === null) return [...errors, required(newPath("data"), messages.dataNeeded())];
  return isObject(data) || !since("1.31") ? errors : [...errors, required(newPath("data"), messages.dataObject())];
}

export function validateRevisionUpdate(revision: JsonObject, old: JsonObject): FieldError[] {
  const isKept = semanticEqual(revision["data"], old["data"]);
  const shown = revisionData(revision["data"] ?? null);
  return [
    ...validateRevision(revision),
    ...(isKept ? [] : [invalid(newPath("data"), shown, immutableText(), "immutable")]),
  ];
}

/** Up to 1.33 as Go prints bytes. */
function revisionData(data: JsonValue): BadValue {
  if (since("1.34") || data === null) return data;
  const bytes = [...encodeUtf8(canonicalJson(data))].map((byte) => `0x${byte.toString(16)}`);
  return new GoJson(`runtime.RawExtension{Raw:[]uint8{${bytes.join(", ")}}, Object:runtime.Object(nil)}`);
}

function validateRevision(revision: JsonObject): FieldError[] {
  const number = numberOf(revision, "revision");
  return number < 0 ? [invalid(newPath("revision"), number, messages.atLeast(0), "minimum")] : [];
}
