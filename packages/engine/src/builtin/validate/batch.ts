/** Jobs and cron jobs. Follows pkg/apis/batch/validation. */
import { loadLocation } from "@portcullis/gostd/zone";
import { type FieldError, invalid, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { has, isSet, metaOf, objectOf, textOf } from "../object.ts";
import { allNotNegative, immutable, oneOf } from "./checks.ts";
import { checkSchedule } from "./cron.ts";
import * as messages from "./messages.ts";
import { validateTemplate } from "./pod.ts";
import { matches, selectorJson } from "./selector.ts";

const SPEC = newPath("spec");
const NUMBERS = ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"];

export function validateJob(job: JsonObject): FieldError[] {
  const spec = objectOf(job, "spec") ?? {};
  return [...validateGeneratedSelector(job, spec), ...validateJobSpec(spec, SPEC), ...validateSelected(spec)];
}

export function validateJobUpdate(job: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(job, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  return [
    ...validateJobSpec(spec, SPEC),
    ...(spec["completionMode"] === "Indexed"
      ? []
      : immutable(spec["completions"], before["completions"], SPEC.child("completions"))),
    ...immutable(spec["selector"], before["selector"], SPEC.child("selector")),
    ...(isSet(before, "suspend") ? [] : immutable(spec["template"], before["template"], SPEC.child("template"))),
    ...immutable(spec["completionMode"], before["completionMode"], SPEC.child("completionMode")),
    ...immutable(spec["podFailurePolicy"], before["podFailurePolicy"], SPEC.child("podFailurePolicy")),
    ...immutable(spec["backoffLimitPerIndex"], before["backoffLimitPerIndex"], SPEC.child("backoffLimitPerIndex")),
  ];
}

function validateGeneratedSelector(job: JsonObject, spec: JsonObject): FieldError[] {
  if (isSet(spec, "manualSelector")) return [];
  const selector = objectOf(spec, "selector");
  const labels = objectOf(selector, "matchLabels") ?? {};
  const isGenerated =
    Object.keys(labels).length === 1 &&
    labels["batch.kubernetes.io/controller-uid"] === textOf(metaOf(job), "uid") &&
    !has(selector, "matchExpressions");
  if (isGenerated) return [];
  return [invalid(SPEC.child("selector"), selectorJson(selector), messages.selectorNotGenerated())];
}

function validateSelected(spec: JsonObject): FieldError[] {
  const selector = objectOf(spec, "selector");
  const labels = objectOf(metaOf(objectOf(spec, "template") ?? {}), "labels") ?? {};
  if (selector === undefined) return [required(SPEC.child("selector"))];
  if (matches(selector, labels)) return [];
  return [invalid(SPEC.child("template", "metadata", "labels"), labels, messages.selectorMismatch())];
}

function validateJobSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const template = objectOf(spec, "template") ?? {};
  const policy = textOf(objectOf(template, "spec"), "restartPolicy");
  const isIndexed = spec["completionMode"] === "Indexed";
  const at = path.child("template");
  return [
    ...allNotNegative(spec, NUMBERS, path),
    ...(isIndexed && !has(spec, "completions")
      ? [required(path.child("completions"), messages.indexedCompletions())]
      : []),
    ...validateTemplate(template, at),
    ...(policy === "OnFailure" || policy === "Never"
      ? []
      : [required(at.child("spec", "restartPolicy"), messages.jobRestartPolicy())]),
  ];
}

const MAX_CRON_NAME = 52;

/** Its jobs get eleven more characters. */
function validateCronName(job: JsonObject): FieldError[] {
  const name = textOf(metaOf(job), "name");
  return name.length > MAX_CRON_NAME ? [invalid(newPath("metadata", "name"), name, messages.cronNameTooLong())] : [];
}

export function validateNewCronJob(job: JsonObject): FieldError[] {
  return [...validateCronJob(job), ...validateCronName(job)];
}

export function validateCronJob(job: JsonObject): FieldError[] {
  const spec = objectOf(job, "spec") ?? {};
  return [
    ...validateSchedule(textOf(spec, "schedule"), SPEC.child("schedule")),
    ...allNotNegative(spec, ["startingDeadlineSeconds"], SPEC),
    ...validateZone(spec),
    ...oneOf(spec, "concurrencyPolicy", ["Allow", "Forbid", "Replace"], SPEC),
    ...validateJobSpec(objectOf(objectOf(spec, "jobTemplate"), "spec") ?? {}, SPEC.child("jobTemplate", "spec")),
    ...allNotNegative(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], SPEC),
  ];
}

function validateZone(spec: JsonObject): FieldError[] {
  if (!has(spec, "timeZone")) return [];
  const zone = textOf(spec, "timeZone");
  const error = loadLocation(zone).error;
  return error === undefined ? [] : [invalid(SPEC.child("timeZone"), zone, error)];
}

function validateSchedule(schedule: string, path: FieldPath): FieldError[] {
  if (schedule === "") return [required(path)];
  const problem = checkSchedule(schedule);
  return problem === undefined ? [] : [invalid(path, schedule, problem)];
}
