/**
 * Autoscalers of v1 as those of v2, and back. Follows pkg/apis/autoscaling/v1/conversion.go. v1 shows only the target for
 * CPU; what else v2 has is lost there, where upstream keeps it in annotations.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../../value/json.ts";
import { copyObject, withMember } from "../../../value/rewrite.ts";
import { objectFrom, objectOf, textOf } from "../../object.ts";
import type { HubConversion } from "../kind.ts";

export const autoscalerHub: HubConversion = {
  kind: { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
  toHub: (scaler) => withSpec(scaler, targetToMetrics),
  fromHub: (scaler) => withSpec(scaler, metricsToTarget),
};

function withSpec(object: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  return withMember(object, "spec", change(objectOf(object, "spec") ?? newObject()));
}

const TARGET = "targetCPUUtilizationPercentage";

function targetToMetrics(spec: JsonObject): JsonObject {
  const { [TARGET]: target, ...rest } = spec;
  const copy = copyObject(rest);
  if (target !== undefined && target !== null) copy["metrics"] = [cpuMetric(target)];
  return copy;
}

function cpuMetric(percentage: JsonValue): JsonObject {
  const target = objectFrom({ type: "Utilization", averageUtilization: percentage });
  return objectFrom({ type: "Resource", resource: objectFrom({ name: "cpu", target }) });
}

function metricsToTarget(spec: JsonObject): JsonObject {
  const { metrics, behavior: _, ...rest } = spec;
  const copy = copyObject(rest);
  const cpu = isArray(metrics) ? metrics.filter(isObject).find(isCpu) : undefined;
  const percentage = objectOf(objectOf(cpu, "resource"), "target")?.["averageUtilization"];
  if (percentage !== undefined) copy[TARGET] = percentage;
  return copy;
}

function isCpu(metric: JsonObject): boolean {
  const resource = objectOf(metric, "resource");
  return metric["type"] === "Resource" && textOf(resource, "name") === "cpu";
}
