/** Event in both groups. Objects are stored as core events, and tables show both alike. */
import type { JsonObject } from "../../../value/json.ts";
import { NAME, text } from "../../columns/column.ts";
import { numberOf, objectOf, textOf } from "../../object.ts";
import { validateEvent, validateEventUpdate, validateNewEvent } from "../../validate/events.ts";
import { defineKind } from "../kind.ts";
import { segmentName } from "../names.ts";
import { eventHub } from "./convert.ts";

const COLUMNS = [
  text("Last Seen", (event, age) => age(lastSeen(event))),
  text("Type", (event) => textOf(event, "type")),
  text("Reason", (event) => textOf(event, "reason")),
  text("Object", (event) => objectText(reference(event))),
  text("Subobject", (event) => textOf(reference(event), "fieldPath"), 1),
  text("Source", sourceText, 1),
  text("Message", (event) => (textOf(event, "message") || textOf(event, "note")).trim()),
  text("First Seen", (event, age) => age(firstSeen(event)), 1),
  text("Count", (event) => numberOf(event, "count") || numberOf(event, "deprecatedCount") || 1, 1),
  { ...NAME, priority: 1 },
];

const REFERENCE = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

export const coreEvent = defineKind("v1", "Event", {
  dependentsPolicy: "none",
  checkName: segmentName,
  metadata: { create: "last", update: "none" },
  validate: validateEvent,
  columns: COLUMNS,
  selectableFields: {
    fields: [
      ...REFERENCE.map((name) => `involvedObject.${name}`),
      "reason",
      "type",
      "reportingComponent",
      { name: "source", paths: ["source.component", "reportingComponent"] },
    ],
  },
  createOnUpdate: true,
});

export const event = defineKind("events.k8s.io/v1", "Event", {
  dependentsPolicy: "none",
  validate: validateNewEvent,
  validateUpdate: validateEventUpdate,
  columns: COLUMNS,
  selectableFields: {
    fields: [...REFERENCE.map((name) => `regarding.${name}`), "reason", "type", "reportingController"],
  },
  createOnUpdate: true,
  hub: eventHub,
  // Inside the API server both are one kind, of the core group.
  statusGroup: "",
});

function reference(object: JsonObject): JsonObject | undefined {
  return objectOf(object, "involvedObject") ?? objectOf(object, "regarding");
}

function lastSeen(object: JsonObject): string {
  return firstText(object, ["lastTimestamp", "deprecatedLastTimestamp", "eventTime"]);
}

function firstSeen(object: JsonObject): string {
  return firstText(object, ["firstTimestamp", "deprecatedFirstTimestamp", "eventTime"]);
}

function firstText(object: JsonObject, keys: readonly string[]): string {
  return keys.map((key) => textOf(object, key)).find((value) => value !== "") ?? "";
}

function objectText(regarding: JsonObject | undefined): string {
  const [kind, name] = [textOf(regarding, "kind").toLowerCase(), textOf(regarding, "name")];
  return name === "" ? kind : `${kind}/${name}`;
}

function sourceText(object: JsonObject): string {
  const source = objectOf(object, "source") ?? objectOf(object, "deprecatedSource");
  const component =
    textOf(source, "component") || textOf(object, "reportingComponent") || textOf(object, "reportingController");
  const host = textOf(source, "host") || textOf(object, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}
