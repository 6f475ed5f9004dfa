/** Cron jobs. Follows ValidateCronJobCreate of pkg/apis/batch/validation. */
import { loadLocation } from "@portcullis/gostd/zone";
import { type FieldError, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, isSet, metaOf, objectOf, textOf } from "../../object.ts";
import { allNotNegative, oneOf } from "../checks.ts";
import { selectorJson } from "../selector.ts";
import { validateJobSpec } from "./batch.ts";
import { checkSchedule } from "./cron.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const MAX_NAME = 52;

/** Its jobs get eleven more characters. */
export function validateNewCronJob(job: JsonObject): FieldError[] {
  const name = textOf(metaOf(job), "name");
  const isLong = name.length > MAX_NAME;
  return [
    ...validateCronJob(job, undefined),
    ...(isLong ? [invalid(newPath("metadata", "name"), name, messages.cronNameTooLong())] : []),
  ];
}

export function validateCronJob(job: JsonObject, old: JsonObject | undefined): FieldError[] {
  const spec = objectOf(job, "spec") ?? {};
  const before = old === undefined ? undefined : (objectOf(old, "spec") ?? {});
  const isZoneKept = before !== undefined && before["timeZone"] === spec["timeZone"];
  const template = objectOf(objectOf(spec, "jobTemplate"), "spec") ?? {};
  return [
    ...validateSchedule(spec, textOf(before, "schedule").includes("TZ")),
    ...allNotNegative(spec, ["startingDeadlineSeconds"], SPEC),
    ...(isZoneKept ? [] : validateZone(spec, SPEC.child("timeZone"))),
    ...oneOf(spec, "concurrencyPolicy", ["Allow", "Forbid", "Replace"], SPEC),
    ...validateJobSpec(template, SPEC.child("jobTemplate", "spec")),
    ...noSelector(template, SPEC.child("jobTemplate", "spec")),
    ...allNotNegative(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], SPEC),
  ];
}

/** A zone in the schedule is taken only where it was there before. */
function validateSchedule(spec: JsonObject, allowsZone: boolean): FieldError[] {
  const schedule = textOf(spec, "schedule");
  const path = SPEC.child("schedule");
  if (schedule === "") return [required(path)];
  const problem = checkSchedule(schedule);
  const errors = problem === undefined ? [] : [invalid(path, schedule, problem)];
  if (!schedule.includes("TZ")) return errors;
  if (!allowsZone) return [...errors, invalid(path, schedule, messages.zoneInSchedule())];
  return has(spec, "timeZone") ? [...errors, invalid(path, schedule, messages.zoneTwice())] : errors;
}

const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

function validateZone(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, "timeZone")) return [];
  const zone = textOf(spec, "timeZone");
  if (zone === "") return [invalid(path, zone, messages.emptyZone())];
  const isOdd = (part: string): boolean =>
    part === "." || part === ".." || part.startsWith("-") || !ZONE_PART.test(part);
  if (zone.split("/").some(isOdd)) return [invalid(path, zone, messages.unknownZone(zone))];
  const isLocal = zone.toLowerCase() === "local";
  const error = zone === "Local" ? undefined : loadLocation(zone).error;
  return [
    ...(isLocal ? [invalid(path, zone, messages.explicitZone())] : []),
    ...(error === undefined ? [] : [invalid(path, zone, error)]),
  ];
}

/** Jobs that are made one after the other need selectors of their own. */
function noSelector(spec: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...(has(spec, "selector")
      ? [invalid(path.child("selector"), selectorJson(spec["selector"]), messages.selectorGenerated())]
      : []),
    ...(isSet(spec, "manualSelector") ? [notSupported(path.child("manualSelector"), true, ["nil", "false"])] : []),
  ];
}
