/** Events and leases. */
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, invalid, required } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { has, metaOf, numberOf, objectOf, textOf } from "../object.ts";
import { allNotNegative, qualifiedName } from "./checks.ts";
import * as messages from "./messages.ts";

const MAX_EVENT_NAME = 128;
const MAX_EVENT_NOTE = 1024;

/** Follows legacyValidateEvent of pkg/apis/core/validation. */
export function validateEvent(event: JsonObject): FieldError[] {
  return validateEventOf(event, "involvedObject", "reportingComponent");
}

/** Messages speak of the object as the core group names it. */
export function validateNewEvent(event: JsonObject): FieldError[] {
  const errors = validateEventOf(event, "regarding", "reportingController");
  if (!has(event, "eventTime")) errors.push(required(newPath("eventTime")));
  const type = textOf(event, "type");
  if (type !== "Normal" && type !== "Warning") errors.push(invalid(newPath("type"), "", messages.badEventType(type)));
  const unwanted = { deprecatedFirstTimestamp: "firstTimestamp", deprecatedLastTimestamp: "lastTimestamp" };
  for (const [key, name] of Object.entries(unwanted)) {
    if (has(event, key)) errors.push(invalid(newPath(name), "", messages.mustBeUnset()));
  }
  if (numberOf(event, "deprecatedCount") !== 0) errors.push(invalid(newPath("count"), "", messages.mustBeUnset()));
  return errors;
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

export function validateLease(lease: JsonObject): FieldError[] {
  const spec = objectOf(lease, "spec") ?? {};
  const path = newPath("spec");
  const duration = numberOf(spec, "leaseDurationSeconds");
  const isShort = has(spec, "leaseDurationSeconds") && duration <= 0;
  return [
    ...(isShort ? [invalid(path.child("leaseDurationSeconds"), duration, messages.positive())] : []),
    ...allNotNegative(spec, ["leaseTransitions"], path),
  ];
}
