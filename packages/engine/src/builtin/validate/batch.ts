/** Jobs and cron jobs. Follows pkg/apis/batch/validation. */
import { loadLocation } from "@portcullis/gostd/zone";
import { type FieldError, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { isArray, type JsonObject } from "../../value/json.ts";
import { has, isSet, metaOf, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import { allNotNegative, immutable, oneOf, oneOfIfSet, qualifiedName } from "./checks.ts";
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
    ...validateModes(spec, path),
    ...validateTemplate(template, at),
    ...(policy === "OnFailure" || policy === "Never"
      ? []
      : [required(at.child("spec", "restartPolicy"), messages.jobRestartPolicy())]),
  ];
}

const COMPLETION_MODES = ["NonIndexed", "Indexed"];

/** What only jobs with an index for each pod may have, and the choices of others. */
function validateModes(spec: JsonObject, path: FieldPath): FieldError[] {
  const mode = textOf(spec, "completionMode");
  const errors: FieldError[] = [];
  if (mode !== "" && !COMPLETION_MODES.includes(mode))
    errors.push(notSupported(path.child("completionMode"), mode, COMPLETION_MODES));
  if (has(spec, "maxFailedIndexes") && !has(spec, "backoffLimitPerIndex")) {
    errors.push(required(path.child("backoffLimitPerIndex"), messages.withMaxFailed()));
  }
  for (const key of mode === "Indexed" ? [] : ["backoffLimitPerIndex", "maxFailedIndexes"]) {
    if (has(spec, key)) errors.push(invalid(path.child(key), numberOf(spec, key), messages.onlyIndexed()));
  }
  const failure = objectOf(spec, "podFailurePolicy");
  return [
    ...errors,
    ...objectsOf(failure, "rules").flatMap((rule, index) =>
      validateFailureRule(rule, path.child("podFailurePolicy", "rules").index(index)),
    ),
    ...oneOfIfSet(spec, "podReplacementPolicy", ["Failed", "TerminatingOrFailed"], path),
    ...validateManagedBy(spec, path.child("managedBy")),
  ];
}

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];

function validateFailureRule(rule: JsonObject, path: FieldPath): FieldError[] {
  const [action, codes] = [textOf(rule, "action"), objectOf(rule, "onExitCodes")];
  const conditions = objectsOf(rule, "onPodConditions");
  const errors: FieldError[] = [];
  if (action === "") errors.push(required(path.child("action"), messages.validActions(ACTIONS)));
  else if (!ACTIONS.includes(action)) errors.push(notSupported(path.child("action"), action, ACTIONS));
  if (codes !== undefined) errors.push(...validateExitCodes(codes, path.child("onExitCodes")));
  conditions.forEach((condition, index) => {
    errors.push(...qualifiedName(textOf(condition, "type"), path.child("onPodConditions").index(index).child("type")));
  });
  if (codes === undefined && conditions.length === 0) {
    errors.push(invalid(path, new GoJson(""), messages.failureRuleNeeded()));
  }
  return errors;
}

function validateExitCodes(codes: JsonObject, path: FieldPath): FieldError[] {
  const values = codes["values"];
  const isIn = codes["operator"] === "In";
  return (isArray(values) ? values : []).flatMap((value, index) =>
    value === 0 && isIn ? [invalid(path.child("values").index(index), 0, messages.notZeroForIn())] : [],
  );
}

function validateManagedBy(spec: JsonObject, path: FieldPath): FieldError[] {
  const manager = textOf(spec, "managedBy");
  const isPath = /^[^/]+\/.+$/.test(manager);
  return manager === "" || isPath ? [] : [invalid(path, manager, messages.domainPath())];
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
    ...manualSelector(objectOf(objectOf(spec, "jobTemplate"), "spec") ?? {}),
    ...allNotNegative(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], SPEC),
  ];
}

/** Jobs that are made one after the other need selectors of their own. */
function manualSelector(spec: JsonObject): FieldError[] {
  if (!isSet(spec, "manualSelector")) return [];
  return [notSupported(SPEC.child("jobTemplate", "spec", "manualSelector"), true, ["nil", "false"])];
}

function validateZone(spec: JsonObject): FieldError[] {
  if (!has(spec, "timeZone")) return [];
  const zone = textOf(spec, "timeZone");
  if (zone === "") return [invalid(SPEC.child("timeZone"), zone, messages.emptyZone())];
  if (zone.toLowerCase() === "local") return [invalid(SPEC.child("timeZone"), zone, messages.explicitZone())];
  const error = loadLocation(zone).error;
  return error === undefined ? [] : [invalid(SPEC.child("timeZone"), zone, error)];
}

function validateSchedule(schedule: string, path: FieldPath): FieldError[] {
  if (schedule === "") return [required(path)];
  const problem = checkSchedule(schedule);
  return problem === undefined ? [] : [invalid(path, schedule, problem)];
}
