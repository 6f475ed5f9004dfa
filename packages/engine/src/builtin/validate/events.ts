/** Events of both groups; messages name fields as the core group does. Follows pkg/apis/core/validation/events.go. */

import { quote } from "@portcullis/gostd/quote";
import { byteLength } from "@portcullis/gostd/utf8";
import { type BadValue, type FieldError, GoJson, invalid, required } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { semanticEqual } from "../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { canonicalJson } from "../../value/text.ts";
import { internalJson } from "../internal/internal.ts";
import { has, metaOf, numberOf, objectOf, textOf } from "../object.ts";
import { qualifiedName } from "./checks.ts";
import { timeValue } from "./go-values.ts";
import * as messages from "./messages.ts";

const MAX_EVENT_NAME = 128;
const MAX_EVENT_NOTE = 1024;

export function validateEvent(event: JsonObject): FieldError[] {
  return validateEventOf(event, "involvedObject", "reportingComponent");
}

export function validateNewEvent(event: JsonObject): FieldError[] {
  const errors = [...validateEventOf(event, "regarding", "reportingController"), ...validateSeries(event)];
  if (!has(event, "eventTime")) errors.push(required(newPath("eventTime")));
  const type = textOf(event, "type");
  if (type !== "Normal" && type !== "Warning") errors.push(invalid(newPath("type"), "", messages.badEventType(type)));
  const unwanted = { deprecatedFirstTimestamp: "firstTimestamp", deprecatedLastTimestamp: "lastTimestamp" };
  for (const [key, name] of Object.entries(unwanted)) {
    if (has(event, key)) errors.push(invalid(newPath(name), "", messages.mustBeUnset()));
  }
  if (numberOf(event, "deprecatedCount") !== 0) errors.push(invalid(newPath("count"), "", messages.mustBeUnset()));
  const source = objectOf(event, "deprecatedSource");
  if (["component", "host"].some((key) => textOf(source, key) !== ""))
    errors.push(invalid(newPath("source"), "", messages.mustBeUnset()));
  return errors;
}

function validateSeries(event: JsonObject): FieldError[] {
  const series = objectOf(event, "series");
  if (series === undefined) return [];
  const path = newPath("series");
  return [
    ...(numberOf(series, "count") < 2 ? [invalid(path.child("count"), "", messages.leastSeries())] : []),
    ...(has(series, "lastObservedTime") ? [] : [required(path.child("lastObservedTime"))]),
  ];
}

/** Fields of the newer group with their names in messages, in upstream's order, which has one twice. */
const KEPT: readonly (readonly [string, string])[] = [
  ["regarding", "involvedObject"],
  ["reason", "reason"],
  ["note", "message"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
  ["reason", "reason"],
  ["type", "type"],
  ["eventTime", "eventTime"],
  ["action", "action"],
  ["related", "related"],
  ["reportingController", "reportingController"],
  ["reportingInstance", "reportingInstance"],
];

/** Of an event of the newer group only the series may change. */
export function validateEventUpdate(event: JsonObject, old: JsonObject): FieldError[] {
  const isSame = (key: string): boolean => semanticEqual(event[key], old[key]);
  return [
    ...validateEventOf(event, "regarding", "reportingController"),
    ...(isSame("series") ? [] : validateSeries(event)),
    ...KEPT.flatMap(([key, name]) =>
      isSame(key) ? [] : [invalid(newPath(name), shown(event[key], name), messages.immutable(), "immutable")],
    ),
  ];
}

/** What Go has where nothing was said; texts are empty. */
const ZERO = new Map<string, JsonValue>([
  ...["firstTimestamp", "lastTimestamp", "eventTime", "related"].map((name): [string, JsonValue] => [name, null]),
  ["count", 0],
]);

const TIMES: ReadonlySet<string> = new Set(["firstTimestamp", "lastTimestamp", "eventTime"]);

function shown(value: JsonValue | undefined, name: string): BadValue {
  if (name === "involvedObject") return internalJson("core.ObjectReference", value);
  if (name === "source") return new GoJson(sourceText(value));
  if (value === undefined || value === null) return ZERO.has(name) ? (ZERO.get(name) ?? null) : "";
  if (name === "related") return internalJson("core.ObjectReference", value);
  return typeof value === "string" && TIMES.has(name) ? timeValue(value) : value;
}

function sourceText(value: JsonValue | undefined): string {
  const source = isObject(value) ? value : undefined;
  if (!since("1.34"))
    return `core.EventSource{Component:${quote(textOf(source, "component"))}, Host:${quote(textOf(source, "host"))}}`;
  return `{"Component":${canonicalJson(textOf(source, "component"))},"Host":${canonicalJson(textOf(source, "host"))}}`;
}

function validateEventOf(event: JsonObject, reference: string, controller: string): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = textOf(metaOf(event), "namespace");
  const about = textOf(objectOf(event, reference), "namespace");
  const isTimed = has(event, "eventTime");
  const isAllowed = isTimed
    ? about !== "" || namespace === "default" || namespace === "kube-system"
    : about === ""
      ? namespace === "default" || namespace === ""
      : about === namespace;
  if (!isAllowed) errors.push(invalid(newPath("involvedObject", "namespace"), about, messages.eventNamespace()));
  if (!isTimed) return errors;
  const name = textOf(event, controller);
  if (name === "") errors.push(required(newPath(controller)));
  errors.push(...qualifiedName(name, newPath(controller)));
  for (const key of ["reportingInstance", "action", "reason"]) {
    if (textOf(event, key) === "") errors.push(required(newPath(key)));
    if (byteLength(textOf(event, key)) > MAX_EVENT_NAME)
      errors.push(invalid(newPath(key), "", messages.atMost(MAX_EVENT_NAME)));
  }
  const note = textOf(event, "note") || textOf(event, "message");
  if (byteLength(note) > MAX_EVENT_NOTE) errors.push(invalid(newPath("message"), "", messages.atMost(MAX_EVENT_NOTE)));
  return errors;
}
