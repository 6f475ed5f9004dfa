/**
 * Kinds that are served in two forms and stored in one: events of both groups, and autoscalers of both versions.
 *
 * Follows pkg/apis/{events,autoscaling}/v1/conversion.go. An autoscaler of v1 shows only its target for CPU; what else v2
 * has is lost there, where upstream keeps it in annotations.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { copyObject, withMember } from "../value/rewrite.ts";
import { type Kind, normalize } from "./decode.ts";
import { objectFrom, objectOf, textOf } from "./object.ts";

interface Form {
  readonly kind: Kind;
  /** The form that is stored. */
  readonly hub: Kind;
  readonly toHub: (object: JsonObject) => JsonObject;
  readonly fromHub: (hub: JsonObject) => JsonObject;
}

/** The form in which objects of this kind are stored; mostly their own. */
export function hubOf(kind: Kind): Kind {
  return formOf(kind)?.hub ?? { group: kind.group, version: kind.version, kind: kind.kind };
}

export function toHub(object: JsonObject, kind: Kind): JsonObject {
  const form = formOf(kind);
  return form === undefined ? object : normalize(withKind(form.toHub(object), form.hub), form.hub);
}

export function fromHub(hub: JsonObject, kind: Kind): JsonObject {
  const form = formOf(kind);
  return form === undefined ? hub : normalize(withKind(form.fromHub(hub), form.kind), form.kind);
}

function withKind(object: JsonObject, { group, version, kind }: Kind): JsonObject {
  return withMember(withMember(object, "kind", kind), "apiVersion", group === "" ? version : `${group}/${version}`);
}

/** The names of events.k8s.io, and those of the core group. */
const EVENT_NAMES: Readonly<Record<string, string>> = {
  regarding: "involvedObject",
  note: "message",
  reportingController: "reportingComponent",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
};
const CORE_NAMES = Object.fromEntries(Object.entries(EVENT_NAMES).map(([name, core]) => [core, name]));

function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const result = newObject();
  for (const [key, value] of Object.entries(object)) result[names[key] ?? key] = value;
  return result;
}

const FORMS: readonly Form[] = [
  {
    kind: { group: "events.k8s.io", version: "v1", kind: "Event" },
    hub: { group: "", version: "v1", kind: "Event" },
    toHub: (event) => renamed(event, EVENT_NAMES),
    fromHub: (event) => renamed(event, CORE_NAMES),
  },
  {
    kind: { group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler" },
    hub: { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
    toHub: (scaler) => withSpec(scaler, targetToMetrics),
    fromHub: (scaler) => withSpec(scaler, metricsToTarget),
  },
];

function formOf(kind: Kind): Form | undefined {
  return FORMS.find(
    (form) => form.kind.group === kind.group && form.kind.version === kind.version && form.kind.kind === kind.kind,
  );
}

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
