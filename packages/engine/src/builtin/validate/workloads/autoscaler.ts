/** Autoscalers. Follows pkg/apis/autoscaling/validation; version 1 is validated in the form of version 2. */

import { type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject } from "../../../value/json.ts";
import { signOf } from "../../../value/quantity.ts";
import { since } from "../../../value/server-version.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { eachOf, labelName, requiredSegment } from "../checks.ts";
import { quantityValue } from "../go-values.ts";
import { aboveZero, positive } from "../messages.ts";
import { containerResourceName, nonNegativeQuantity, quantityOf } from "../quantities.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");

export function validateAutoscaler(scaler: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectOf(scaler, "spec") ?? {};
  const before = old === undefined ? undefined : (objectOf(old, "spec") ?? {});
  const [min, max] = [numberOf(spec, "minReplicas"), numberOf(spec, "maxReplicas")];
  const hasMin = has(spec, "minReplicas");
  const wasZero = before !== undefined && before["minReplicas"] === 0;
  const lowest = wasZero || isEnabled("HPAScaleToZero") ? 0 : 1;
  const at = SPEC.child("maxReplicas");
  const behavior = objectOf(spec, "behavior");
  return [
    ...(hasMin && min < lowest ? [invalid(SPEC.child("minReplicas"), min, messages.atLeast(lowest), "minimum")] : []),
    ...maxReplicas(max, at),
    ...(hasMin && max < min ? [invalid(at, max, messages.aboveMinReplicas())] : []),
    ...validateReference(
      objectOf(spec, "scaleTargetRef") ?? {},
      SPEC.child("scaleTargetRef"),
      targetChecks(spec, before),
    ),
    ...validateMetrics(spec, hasMin && min === 0),
    ...["scaleUp", "scaleDown"].flatMap((key) => validateRules(objectOf(behavior, key), SPEC.child("behavior", key))),
  ];
}

function maxReplicas(max: number, path: FieldPath): FieldError[] {
  if (max >= 1) return [];
  if (!since("1.36")) return [invalid(path, max, positive())];
  return max === 0
    ? [required(path, messages.maxReplicasNeeded())]
    : [invalid(path, max, messages.atLeast(1), "minimum")];
}

interface ReferenceChecks {
  readonly checksVersion: boolean;
  readonly allowsCore: boolean;
}

/** A target that was not named otherwise keeps its version; the core group has one kind that scales. */
function targetChecks(spec: JsonObject, before: JsonObject | undefined): ReferenceChecks {
  const [now, then] = [objectOf(spec, "scaleTargetRef"), objectOf(before, "scaleTargetRef")];
  const isKept = before !== undefined && ["apiVersion", "kind"].every((key) => textOf(now, key) === textOf(then, key));
  return { checksVersion: !isKept, allowsCore: textOf(now, "kind") === "ReplicationController" };
}

function validateReference(reference: JsonObject, path: FieldPath, checks: ReferenceChecks): FieldError[] {
  const version = textOf(reference, "apiVersion");
  const at = path.child("apiVersion");
  const errors = [...requiredSegment(reference, "kind", path), ...requiredSegment(reference, "name", path)];
  if (!checks.checksVersion || !since("1.34")) return errors;
  const slashes = version.split("/").length - 1;
  if (slashes > 1) return [...errors, invalid(at, version, messages.badGroupVersion(version))];
  const hasGroup = slashes === 1 && !version.startsWith("/");
  return hasGroup || checks.allowsCore ? errors : [...errors, invalid(at, version, messages.needsGroup())];
}

function validateMetrics(spec: JsonObject, isToZero: boolean): FieldError[] {
  const types = objectsOf(spec, "metrics").map((metric) => textOf(metric, "type"));
  const hasOutside = types.includes("Object") || types.includes("External");
  return [
    ...eachOf(spec, "metrics", SPEC, validateMetric),
    ...(isToZero && !hasOutside ? [forbidden(SPEC.child("metrics"), messages.zeroNeedsMetric())] : []),
  ];
}

const METRIC_TYPES = ["ContainerResource", "External", "Object", "Pods", "Resource"];
const SOURCE_NAMES = ["object", "external", "pods", "resource", "containerResource"];

function validateMetric(metric: JsonObject, path: FieldPath): FieldError[] {
  const type = textOf(metric, "type");
  const given = SOURCE_NAMES.filter((key) => has(metric, key));
  const [first] = given;
  const expected = METRIC_TYPES.includes(type) ? type.charAt(0).toLowerCase() + type.slice(1) : "";
  const unknown = notSupported(path.child("type"), type, METRIC_TYPES);
  const others = given.length === 1 ? [] : given.filter((key) => key !== expected);
  return [
    ...(type === "" ? [required(path.child("type"), messages.metricTypeNeeded())] : []),
    ...(expected === "" ? [unknown] : []),
    ...(first === undefined ? [] : (SOURCES[first]?.(objectOf(metric, first) ?? {}, path.child(first)) ?? [])),
    ...(expected !== "" && !has(metric, expected)
      ? [required(path.child(expected), messages.metricSourceNeeded())]
      : []),
    ...(expected === "" ? [unknown] : []),
    ...others.map((key) => forbidden(path.child(key), messages.onlyThisSource())),
  ];
}

const SOURCES: Readonly<Record<string, (source: JsonObject, path: FieldPath) => FieldError[]>> = {
  object: (source, path) => [
    ...validateReference(objectOf(source, "describedObject") ?? {}, path.child("describedObject"), ANY_VERSION),
    ...validateIdentifier(source, path),
    ...validateTarget(source, path, { needs: ["value", "averageValue"], detail: messages.valueOrAverage() }),
  ],
  external: (source, path) => [
    ...validateIdentifier(source, path),
    ...validateTarget(source, path, { needs: ["value", "averageValue"], detail: messages.valueOrPerPod() }),
    ...notBoth(source, "value", "value", path, messages.notBothPerPod()),
  ],
  pods: (source, path) => [
    ...validateIdentifier(source, path),
    ...validateTarget(source, path, { needs: ["averageValue"], detail: messages.averageNeeded() }),
  ],
  resource: (source, path) => [
    ...(textOf(source, "name") === "" ? [required(path.child("name"), messages.resourceNameNeeded())] : []),
    ...validateUtilization(source, path),
  ],
  containerResource: (source, path) => [...containerMetric(source, path), ...validateUtilization(source, path)],
};

const ANY_VERSION: ReferenceChecks = { checksVersion: true, allowsCore: true };

function containerMetric(source: JsonObject, path: FieldPath): FieldError[] {
  const [name, container] = [textOf(source, "name"), textOf(source, "container")];
  return [
    ...(name === ""
      ? [required(path.child("name"), messages.resourceNameNeeded())]
      : containerResourceName(name, path.child("name"))),
    ...(container === ""
      ? [required(path.child("container"), messages.containerNeeded())]
      : labelName(container, path.child("container"))),
  ];
}

function validateUtilization(source: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...validateTarget(source, path, {
      needs: ["averageUtilization", "averageValue"],
      detail: messages.rawOrUtilization(),
    }),
    ...notBoth(source, "averageUtilization", "averageValue", path, messages.notBothRaw()),
  ];
}

function validateIdentifier(source: JsonObject, path: FieldPath): FieldError[] {
  const metric = objectOf(source, "metric") ?? {};
  const at = path.child("metric");
  if (textOf(metric, "name") === "") return [required(at.child("name"), messages.metricNameNeeded())];
  return requiredSegment(metric, "name", at);
}

interface TargetNeeds {
  /** One of these must be set; the last is named where none is, but for utilization. */
  readonly needs: readonly string[];
  readonly detail: string;
}

const TARGET_TYPES = ["Utilization", "Value", "AverageValue"];

function validateTarget(source: JsonObject, path: FieldPath, { needs, detail }: TargetNeeds): FieldError[] {
  const target = objectOf(source, "target") ?? {};
  const at = path.child("target");
  const [type, percent] = [textOf(target, "type"), numberOf(target, "averageUtilization")];
  const isMissing = needs.every((key) => !has(target, key));
  const named = needs.includes("averageUtilization") ? "averageUtilization" : "averageValue";
  return [
    ...(type === "" ? [required(at.child("type"), messages.targetTypeNeeded())] : []),
    ...(TARGET_TYPES.includes(type) ? [] : [invalid(at.child("type"), type, messages.targetTypes())]),
    ...["value", "averageValue"].flatMap((key) => positiveTarget(target, key, at)),
    ...(has(target, "averageUtilization") && percent < 1
      ? [invalid(at.child("averageUtilization"), percent, positive())]
      : []),
    ...(isMissing ? [required(at.child(named), detail)] : []),
  ];
}

function positiveTarget(target: JsonObject, key: string, path: FieldPath): FieldError[] {
  const quantity = quantityOf(target, key);
  const isWrong = quantity !== undefined && signOf(quantity) <= 0;
  return isWrong ? [invalid(path.child(key), quantityValue(textOf(target, key)), messages.mustBePositive())] : [];
}

function notBoth(source: JsonObject, one: string, reported: string, path: FieldPath, detail: string): FieldError[] {
  const target = objectOf(source, "target");
  return has(target, one) && has(target, "averageValue") ? [forbidden(path.child("target", reported), detail)] : [];
}

const MAX_WINDOW = 3600;
const MAX_PERIOD = 1800;
const SELECT_POLICIES = ["Disabled", "Max", "Min"];
const POLICY_TYPES = ["Percent", "Pods"];

function validateRules(rules: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (rules === undefined) return [];
  const [window, select] = [numberOf(rules, "stabilizationWindowSeconds"), textOf(rules, "selectPolicy")];
  const at = path.child("stabilizationWindowSeconds");
  const isSelect = !has(rules, "selectPolicy") || SELECT_POLICIES.includes(select);
  const tolerance = quantityOf(rules, "tolerance");
  return [
    ...(window < 0 ? [invalid(at, window, messages.atLeastZero())] : []),
    ...(window > MAX_WINDOW ? [invalid(at, window, messages.atMostNumber(MAX_WINDOW))] : []),
    ...(isSelect ? [] : [notSupported(path.child("selectPolicy"), select, SELECT_POLICIES)]),
    ...(objectsOf(rules, "policies").length === 0 ? [required(path.child("policies"), messages.policyNeeded())] : []),
    ...eachOf(rules, "policies", path, validateScalingPolicy),
    ...(tolerance === undefined ? [] : nonNegativeQuantity(tolerance, path.child("tolerance"))),
  ];
}

function validateScalingPolicy(policy: JsonObject, path: FieldPath): FieldError[] {
  const [type, value, period] = [textOf(policy, "type"), numberOf(policy, "value"), numberOf(policy, "periodSeconds")];
  const at = path.child("periodSeconds");
  return [
    ...(POLICY_TYPES.includes(type) ? [] : [notSupported(path.child("type"), type, POLICY_TYPES)]),
    ...(value <= 0 ? [invalid(path.child("value"), value, aboveZero())] : []),
    ...(period <= 0 ? [invalid(at, period, aboveZero())] : []),
    ...(period > MAX_PERIOD ? [invalid(at, period, messages.atMostNumber(MAX_PERIOD))] : []),
  ];
}
