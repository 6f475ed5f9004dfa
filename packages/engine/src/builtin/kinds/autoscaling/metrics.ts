/**
 * Metrics of autoscalers as version 1 writes them into annotations, and back. The members are in the order of
 * k8s.io/api/autoscaling/v1/types.go, since the annotation is a text.
 */
import { encodeJson } from "../../../codec/json.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../../value/json.ts";
import { objectFrom, objectOf, textOf } from "../../object.ts";

/** The path of a member in version 2, its name in version 1, and the value that version 1 writes for none. */
type Row = readonly [path: string, name: string, zero?: string];

interface Shape {
  readonly member: string;
  readonly rows: readonly Row[];
}

// biome-ignore format: a table
const SPECS: Readonly<Record<string, Shape>> = {
  Object: { member: "object", rows: [["describedObject", "target"], ["metric.name", "metricName"], ["target.value", "targetValue", "0"], ["metric.selector", "selector"], ["target.averageValue", "averageValue"]] },
  Pods: { member: "pods", rows: [["metric.name", "metricName"], ["target.averageValue", "targetAverageValue", "0"], ["metric.selector", "selector"]] },
  Resource: { member: "resource", rows: [["name", "name"], ["target.averageUtilization", "targetAverageUtilization"], ["target.averageValue", "targetAverageValue"]] },
  ContainerResource: { member: "containerResource", rows: [["name", "name"], ["target.averageUtilization", "targetAverageUtilization"], ["target.averageValue", "targetAverageValue"], ["container", "container"]] },
  External: { member: "external", rows: [["metric.name", "metricName"], ["metric.selector", "metricSelector"], ["target.value", "targetValue"], ["target.averageValue", "targetAverageValue"]] },
};

// biome-ignore format: a table
const STATUSES: Readonly<Record<string, Shape>> = {
  Object: { member: "object", rows: [["describedObject", "target"], ["metric.name", "metricName"], ["current.value", "currentValue", "0"], ["metric.selector", "selector"], ["current.averageValue", "averageValue"]] },
  Pods: { member: "pods", rows: [["metric.name", "metricName"], ["current.averageValue", "currentAverageValue", "0"], ["metric.selector", "selector"]] },
  Resource: { member: "resource", rows: [["name", "name"], ["current.averageUtilization", "currentAverageUtilization"], ["current.averageValue", "currentAverageValue", "0"]] },
  ContainerResource: { member: "containerResource", rows: [["name", "name"], ["current.averageUtilization", "currentAverageUtilization"], ["current.averageValue", "currentAverageValue", "0"], ["container", "container"]] },
  External: { member: "external", rows: [["metric.name", "metricName"], ["metric.selector", "metricSelector"], ["current.value", "currentValue", "0"], ["current.averageValue", "currentAverageValue"]] },
};

export function metricToV1(metric: JsonObject): JsonObject {
  return toV1(metric, SPECS);
}

export function metricStatusToV1(metric: JsonObject): JsonObject {
  return toV1(metric, STATUSES);
}

export function metricToV2(metric: JsonObject): JsonObject {
  const converted = toV2(metric, SPECS);
  for (const { member } of Object.values(SPECS)) {
    const source = objectOf(converted, member);
    if (source !== undefined) source["target"] = targetOf(member, objectOf(source, "target") ?? newObject());
  }
  return converted;
}

export function metricStatusToV2(metric: JsonObject): JsonObject {
  return toV2(metric, STATUSES);
}

function toV1(metric: JsonObject, shapes: Readonly<Record<string, Shape>>): JsonObject {
  const made = objectFrom({ type: metric["type"] });
  for (const { member, rows } of Object.values(shapes)) {
    const source = objectOf(metric, member);
    if (source === undefined) continue;
    const written = newObject();
    for (const [path, name, zero] of rows) {
      const value = read(source, path.split(".")) ?? zero;
      if (value !== undefined) written[name] = isObject(value) ? ordered(value) : value;
    }
    made[member] = written;
  }
  return made;
}

function toV2(metric: JsonObject, shapes: Readonly<Record<string, Shape>>): JsonObject {
  const made = objectFrom({ type: metric["type"] });
  for (const { member, rows } of Object.values(shapes)) {
    const source = objectOf(metric, member);
    if (source === undefined) continue;
    const written = newObject();
    for (const [path, name, zero] of rows) {
      const value = source[name] ?? zero;
      if (value !== undefined) write(written, path.split("."), value);
    }
    made[member] = written;
  }
  return made;
}

/** The type of a target is found out; version 1 does not have it. */
function targetOf(member: string, target: JsonObject): JsonObject {
  const { value, averageValue, averageUtilization } = target;
  switch (member) {
    case "object": {
      // Version 1 cannot leave the value out, and writes zero.
      const isKept = averageValue === undefined || value !== "0";
      const type = averageValue === undefined ? "Value" : "AverageValue";
      return objectFrom({ type, value: isKept ? value : undefined, averageValue });
    }
    case "pods":
      return objectFrom({ type: "AverageValue", averageValue });
    case "external":
      return objectFrom({ type: value === undefined ? "AverageValue" : "Value", value, averageValue });
    default:
      return objectFrom({
        type: averageUtilization === undefined ? "AverageValue" : "Utilization",
        averageValue,
        averageUtilization,
      });
  }
}

function read(object: JsonObject, [first = "", ...rest]: readonly string[]): JsonValue | undefined {
  const value = object[first] ?? undefined;
  return rest.length === 0 ? value : isObject(value) ? read(value, rest) : undefined;
}

function write(object: JsonObject, [first = "", ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length === 0) {
    object[first] = value;
    return;
  }
  const inner = objectOf(object, first) ?? newObject();
  object[first] = inner;
  write(inner, rest, value);
}

/** A reference or a selector, as Go writes it. */
function ordered(value: JsonObject): JsonObject {
  const labels = objectOf(value, "matchLabels");
  const expressions = value["matchExpressions"];
  if (labels === undefined && !isArray(expressions)) {
    const { kind, name, apiVersion } = value;
    return textOf(value, "kind") === "" ? value : objectFrom({ kind, name, apiVersion });
  }
  const sorted = labels && objectFrom(Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))));
  const rows = isArray(expressions) ? expressions.filter(isObject) : [];
  const matchExpressions = rows.map(({ key, operator, values }) => objectFrom({ key, operator, values }));
  return objectFrom({ matchLabels: sorted, matchExpressions: rows.length > 0 ? matchExpressions : undefined });
}

/** JSON with the members in the order that they have, as Go writes its structs. */
export function structText(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(structText).join(",")}]`;
  if (!isObject(value)) return encodeJson(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${encodeJson(key)}:${structText(member)}`)
    .join(",")}}`;
}
