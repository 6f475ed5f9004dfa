/**
 * Autoscalers of v1 as those of v2, and back. Follows pkg/apis/autoscaling/v1/conversion.go: v1 shows only the target for
 * CPU, and keeps the rest of v2 in annotations.
 */
import { decodeJson } from "../../../codec/json.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../../value/json.ts";
import { copyObject, withMember } from "../../../value/rewrite.ts";
import { has, metaOf, objectFrom, objectOf, objectsOf, textOf } from "../../object.ts";
import type { HubConversion } from "../kind.ts";
import { metricStatusToV1, metricStatusToV2, metricToV1, metricToV2, structText } from "./metrics.ts";

export const autoscalerHub: HubConversion = {
  kind: { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
  toHub,
  fromHub,
};

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CONDITIONS = `${PREFIX}conditions`;
const ROUND_TRIP = [METRICS, BEHAVIOR, `${PREFIX}scale-down-tolerance`, `${PREFIX}scale-up-tolerance`];
const ALL: ReadonlySet<string> = new Set([...ROUND_TRIP, CURRENT_METRICS, CONDITIONS]);

const TARGET = "targetCPUUtilizationPercentage";
const CURRENT = "currentCPUUtilizationPercentage";
const DEFAULT_UTILIZATION = 80;

function toHub(scaler: JsonObject): JsonObject {
  const annotations = objectOf(metaOf(scaler), "annotations");
  const { [TARGET]: target, ...spec } = objectOf(scaler, "spec") ?? newObject();
  const { [CURRENT]: current, ...status } = objectOf(scaler, "status") ?? newObject();
  const shown = isGiven(target) ? [cpuMetric(target)] : [];
  const metrics = [...(listIn(annotations, METRICS)?.map(metricToV2) ?? []), ...shown];
  const behavior = behaviorToV2(valueIn(annotations, BEHAVIOR));
  const others = listIn(annotations, CURRENT_METRICS)?.map(metricStatusToV2);
  const currentMetrics = others ?? (isGiven(current) ? [cpuStatus(current)] : undefined);
  const hub = withAnnotations(scaler, withoutRoundTrip(annotations));
  const changedSpec = filled(copyObject(spec), {
    metrics: metrics.length > 0 ? metrics : [cpuMetric(DEFAULT_UTILIZATION)],
    behavior,
  });
  const withSpec = withMember(hub, "spec", changedSpec);
  if (!has(scaler, "status")) return withSpec;
  const conditions = listIn(annotations, CONDITIONS);
  return withMember(withSpec, "status", filled(copyObject(status), { currentMetrics, conditions }));
}

function fromHub(scaler: JsonObject): JsonObject {
  const { metrics: _, behavior, ...spec } = objectOf(scaler, "spec") ?? newObject();
  const { currentMetrics: __, conditions: ___, ...status } = objectOf(scaler, "status") ?? newObject();
  const metrics = objectsOf(objectOf(scaler, "spec"), "metrics");
  const currents = objectsOf(objectOf(scaler, "status"), "currentMetrics");
  const conditions = objectsOf(objectOf(scaler, "status"), "conditions");
  const others = metrics.filter((each) => utilizationOf(each, "target") === undefined);
  const kept = withoutRoundTrip(objectOf(metaOf(scaler), "annotations")) ?? newObject();
  const annotations = filled(copyObject(kept), {
    [METRICS]: asText(others.map(metricToV1)),
    [CURRENT_METRICS]: asText(currents.map(metricStatusToV1)),
    [BEHAVIOR]: isObject(behavior) ? structText(behaviorToV1(behavior)) : undefined,
    [CONDITIONS]: asText(conditions.map(conditionToV1)),
  });
  const hasAnnotations = Object.keys(annotations).length > 0 || objectOf(metaOf(scaler), "annotations") !== undefined;
  const made = withAnnotations(scaler, hasAnnotations ? annotations : undefined);
  const target = metrics.map((each) => utilizationOf(each, "target")).find(isGiven);
  const current = currents.map((each) => utilizationOf(each, "current")).findLast(isGiven);
  const withSpec = withMember(made, "spec", filled(copyObject(spec), { [TARGET]: target }));
  return has(scaler, "status")
    ? withMember(withSpec, "status", filled(copyObject(status), { [CURRENT]: current }))
    : withSpec;
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}

function filled(object: JsonObject, members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  for (const [key, value] of Object.entries(members)) if (value !== undefined) object[key] = value;
  return object;
}

/** The utilization of a metric for CPU. */
function utilizationOf(metric: JsonObject, member: "target" | "current"): JsonValue | undefined {
  const resource = objectOf(metric, "resource");
  const isCpu = metric["type"] === "Resource" && textOf(resource, "name") === "cpu";
  return isCpu ? (objectOf(resource, member)?.["averageUtilization"] ?? undefined) : undefined;
}

function cpuMetric(percentage: JsonValue): JsonObject {
  const target = objectFrom({ type: "Utilization", averageUtilization: percentage });
  return objectFrom({ type: "Resource", resource: objectFrom({ name: "cpu", target }) });
}

function cpuStatus(percentage: JsonValue): JsonObject {
  const current = objectFrom({ averageUtilization: percentage });
  return objectFrom({ type: "Resource", resource: objectFrom({ name: "cpu", current }) });
}

function withoutRoundTrip(annotations: JsonObject | undefined): JsonObject | undefined {
  if (annotations === undefined || !Object.keys(annotations).some((key) => ALL.has(key))) return annotations;
  return objectFrom(Object.fromEntries(Object.entries(annotations).filter(([key]) => !ALL.has(key))));
}

function withAnnotations(scaler: JsonObject, annotations: JsonObject | undefined): JsonObject {
  const metadata = metaOf(scaler);
  if (annotations === metadata["annotations"]) return scaler;
  const { annotations: _, ...rest } = metadata;
  const isKept = annotations !== undefined && Object.keys(annotations).length > 0;
  const changed = copyObject(rest);
  return withMember(scaler, "metadata", isKept ? withMember(changed, "annotations", annotations) : changed);
}

function valueIn(annotations: JsonObject | undefined, key: string): JsonValue | undefined {
  const text = annotations?.[key];
  if (typeof text !== "string") return undefined;
  const decoded = decodeJson(text);
  return decoded.error === undefined ? decoded.value : undefined;
}

/** An annotation that is not a list of objects counts as absent. */
function listIn(annotations: JsonObject | undefined, key: string): JsonObject[] | undefined {
  const value = valueIn(annotations, key);
  return isArray(value) && value.every(isObject) ? value.filter(isObject) : undefined;
}

function asText(list: readonly JsonObject[]): string | undefined {
  return list.length === 0 ? undefined : structText([...list]);
}

function conditionToV1({ type, status, lastTransitionTime, reason, message }: JsonObject): JsonObject {
  return objectFrom({ type, status, lastTransitionTime: lastTransitionTime ?? null, reason, message });
}

/** Upstream writes its internal type, by the names of its fields. */
function behaviorToV1(behavior: JsonObject): JsonObject {
  return objectFrom({ ScaleUp: rulesToV1(behavior["scaleUp"]), ScaleDown: rulesToV1(behavior["scaleDown"]) });
}

function rulesToV1(rules: JsonValue | undefined): JsonValue {
  if (!isObject(rules)) return null;
  const policies = isArray(rules["policies"])
    ? rules["policies"]
        .filter(isObject)
        .map(({ type, value, periodSeconds }) => objectFrom({ Type: type, Value: value, PeriodSeconds: periodSeconds }))
    : null;
  return objectFrom({
    StabilizationWindowSeconds: rules["stabilizationWindowSeconds"] ?? null,
    SelectPolicy: rules["selectPolicy"] ?? null,
    Policies: policies,
    Tolerance: rules["tolerance"] ?? null,
  });
}

/** Go reads names of fields in any case. */
function behaviorToV2(value: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const [scaleUp, scaleDown] = ["scaleup", "scaledown"].map((name) => rulesToV2(member(value, name)));
  return scaleUp === undefined && scaleDown === undefined ? undefined : objectFrom({ scaleUp, scaleDown });
}

function rulesToV2(rules: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(rules)) return undefined;
  const policies = member(rules, "policies");
  return objectFrom({
    stabilizationWindowSeconds: member(rules, "stabilizationwindowseconds"),
    selectPolicy: member(rules, "selectpolicy"),
    policies: isArray(policies)
      ? policies.filter(isObject).map((each) =>
          objectFrom({
            type: member(each, "type"),
            value: member(each, "value"),
            periodSeconds: member(each, "periodseconds"),
          }),
        )
      : undefined,
    tolerance: member(rules, "tolerance"),
  });
}

/** Undefined for null too. */
function member(object: JsonObject, name: string): JsonValue | undefined {
  const found = Object.entries(object).find(([key]) => key.toLowerCase() === name);
  return found?.[1] ?? undefined;
}
