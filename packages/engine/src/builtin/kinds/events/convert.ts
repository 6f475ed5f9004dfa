/** Events of events.k8s.io as core events, and back: the same fields under other names. Follows pkg/apis/events/v1. */
import { type JsonObject, newObject } from "../../../value/json.ts";
import type { HubConversion } from "../kind.ts";

/** The names of events.k8s.io, and those of the core group. */
const CORE_NAMES: Readonly<Record<string, string>> = {
  regarding: "involvedObject",
  note: "message",
  reportingController: "reportingComponent",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
};
const OWN_NAMES = Object.fromEntries(Object.entries(CORE_NAMES).map(([name, core]) => [core, name]));

export const eventHub: HubConversion = {
  kind: { group: "", version: "v1", kind: "Event" },
  toHub: (event) => renamed(event, CORE_NAMES),
  fromHub: (event) => renamed(event, OWN_NAMES),
};

function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const result = newObject();
  for (const [key, value] of Object.entries(object)) result[names[key] ?? key] = value;
  return result;
}
