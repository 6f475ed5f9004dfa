/**
 * Statuses of jobs: counters, and conditions that follow from one another. Follows validateJobStatus of pkg/apis/batch/validation,
 * where most is validated only when it changes.
 */

import { duplicate, type FieldError, GoJson, invalid, required } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject, JsonValue } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { has, isSet, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { notNegative } from "../checks.ts";
import { mustNotBeEmptyText } from "../messages.ts";
import { parseIndexes } from "./job-policies.ts";
import * as messages from "./messages.ts";

const STATUS = newPath("status");
const CONDITIONS = STATUS.child("conditions");

export function validateJobStatus(job: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [objectOf(job, "status") ?? {}, objectOf(old, "status") ?? {}];
  const spec = objectOf(job, "spec") ?? {};
  const isNew = (key: string): boolean => !semanticEqual(status[key], before[key]);
  const seen: Change = { status, before, spec, isNew, now: conditionsOf(status), past: conditionsOf(before) };
  const counts = [
    ...["active", "succeeded", "failed", "ready", "terminating"].flatMap((key) => notNegative(status, key, STATUS)),
    ...uncounted(status),
  ];
  // What other controllers write is checked further than what upstream's own does.
  if (!isEnabled("JobManagedBy")) return counts;
  return [...counts, ...endings(seen), ...finished(seen), ...indexes(seen), ...successes(seen), ...decreases(seen)];
}

interface Change {
  readonly status: JsonObject;
  readonly before: JsonObject;
  readonly spec: JsonObject;
  /** Whether the member of the status is another than before. */
  readonly isNew: (key: string) => boolean;
  /** Types of conditions that are true. */
  readonly now: ReadonlySet<string>;
  readonly past: ReadonlySet<string>;
}

function conditionsOf(status: JsonObject): Set<string> {
  const isTrue = objectsOf(status, "conditions").filter((condition) => condition["status"] === "True");
  return new Set(isTrue.map((condition) => textOf(condition, "type")));
}

function about(detail: string): FieldError {
  return { type: "FieldValueInvalid", path: CONDITIONS, origin: "", detail };
}

function uncounted(status: JsonObject): FieldError[] {
  const pods = objectOf(status, "uncountedTerminatedPods");
  const seen = new Set<string>();
  return ["succeeded", "failed"].flatMap((key) =>
    textsOf(pods, key).flatMap((uid, index) => {
      const at = STATUS.child("uncountedTerminatedPods", key).index(index);
      if (uid === "") return [invalid(at, uid, mustNotBeEmptyText())];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function differs({ now, past }: Change, type: string): boolean {
  return now.has(type) !== past.has(type);
}

/** How a job ends, and when. */
function endings(change: Change): FieldError[] {
  const { status, now, isNew } = change;
  const isComplete = now.has("Complete");
  const [completes, timed] = [differs(change, "Complete"), isNew("completionTime")];
  const at = STATUS.child("completionTime");
  const time = status["completionTime"];
  const errors: FieldError[] = [];
  if ((completes || differs(change, "Failed")) && isComplete && now.has("Failed"))
    errors.push(about(messages.notBoth("Complete=True", "Failed=true")));
  if ((completes || differs(change, "FailureTarget")) && isComplete && now.has("FailureTarget"))
    errors.push(about(messages.notBoth("Complete=True", "FailureTarget=true")));
  if ((completes || timed) && time !== undefined && !isComplete)
    errors.push(invalid(at, time, messages.timeWithoutComplete()));
  if ((completes || timed) && time === undefined && isComplete) errors.push(required(at, messages.timeNeeded()));
  const endsBeforeStart = textOf(status, "completionTime") < textOf(status, "startTime");
  if ((isNew("startTime") || timed) && time !== undefined && has(status, "startTime") && endsBeforeStart)
    errors.push(invalid(at, time, messages.timeBeforeStart()));
  if ((differs(change, "Failed") || isNew("failedIndexes")) && now.has("Failed") && !now.has("FailureTarget"))
    errors.push(about(messages.conditionNeeds("Failed=True", "FailureTarget=true")));
  if ((completes || differs(change, "SuccessCriteriaMet")) && isComplete && !now.has("SuccessCriteriaMet"))
    errors.push(about(messages.conditionNeeds("Complete=True", "SuccessCriteriaMet=true")));
  return errors;
}

/** What a job that has ended has no more, and must have had. */
function finished(change: Change): FieldError[] {
  const { status, spec, now, past, isNew } = change;
  const isFinished = (types: ReadonlySet<string>): boolean => types.has("Complete") || types.has("Failed");
  const ends = isFinished(now) !== isFinished(past);
  const [active, terminating] = [numberOf(status, "active"), numberOf(status, "terminating")];
  const isIdle = isSet(spec, "suspend") && spec["completions"] === 0;
  const pods = objectOf(status, "uncountedTerminatedPods");
  const hasPods = textsOf(pods, "succeeded").length + textsOf(pods, "failed").length > 0;
  const errors: FieldError[] = [];
  if (!isFinished(now)) return errors;
  if ((ends || isNew("active")) && active > 0)
    errors.push(invalid(STATUS.child("active"), active, messages.notWhenFinished("active")));
  if ((ends || isNew("startTime")) && !isIdle && !has(status, "startTime"))
    errors.push(required(STATUS.child("startTime"), messages.startNeeded()));
  if ((ends || isNew("uncountedTerminatedPods")) && hasPods)
    errors.push(invalid(STATUS.child("uncountedTerminatedPods"), new GoJson(podsText(pods)), messages.noneUncounted()));
  if ((ends || isNew("terminating")) && terminating > 0)
    errors.push(invalid(STATUS.child("terminating"), terminating, messages.notWhenFinished("terminating")));
  return errors;
}

function podsText(pods: JsonObject | undefined): string {
  const list = (key: string): string => JSON.stringify(pods?.[key] ?? null);
  return `{"Succeeded":${list("succeeded")},"Failed":${list("failed")}}`;
}

function indexes({ status, spec, isNew }: Change): FieldError[] {
  const count = numberOf(spec, "completions");
  const isIndexed = textOf(spec, "completionMode") === "Indexed";
  const isPerIndex = has(spec, "backoffLimitPerIndex");
  const [done, failed] = [textOf(status, "completedIndexes"), textOf(status, "failedIndexes")];
  const errors: FieldError[] = [];
  const validateIndexes = (key: string, text: string): void => {
    const { error } = parseIndexes(text, count);
    if (error !== undefined) errors.push(invalid(STATUS.child(key), text, messages.badIndexes(key, error)));
  };
  if (isNew("completedIndexes") && has(spec, "completions")) validateIndexes("completedIndexes", done);
  if (isNew("failedIndexes") && has(spec, "completions") && isPerIndex) validateIndexes("failedIndexes", failed);
  if (isNew("completedIndexes") && done !== "" && !isIndexed)
    errors.push(invalid(STATUS.child("completedIndexes"), done, messages.notIndexed()));
  if (isNew("failedIndexes") && has(status, "failedIndexes") && !isPerIndex)
    errors.push(invalid(STATUS.child("failedIndexes"), failed, messages.notPerIndex()));
  const [ready, active] = [numberOf(status, "ready"), numberOf(status, "active")];
  if ((isNew("ready") || isNew("active")) && has(status, "ready") && ready > active)
    errors.push(invalid(STATUS.child("ready"), ready, messages.moreReady()));
  return errors;
}

function successes({ spec, now }: Change): FieldError[] {
  const isMet = now.has("SuccessCriteriaMet");
  const isOpen = has(spec, "successPolicy") && !isMet && now.has("Complete");
  return [
    ...(isMet && now.has("Failed") ? [about(messages.notBoth("SuccessCriteriaMet=True", "Failed=true"))] : []),
    ...(isMet && now.has("FailureTarget")
      ? [about(messages.notBoth("SuccessCriteriaMet=True", "FailureTarget=true"))]
      : []),
    ...(isOpen ? [about(messages.completeWithPolicy())] : []),
  ];
}

function decreases({ status, before, spec, now, past, isNew }: Change): FieldError[] {
  const isScaled = textOf(spec, "completionMode") === "Indexed" && spec["completions"] === spec["parallelism"];
  const fewer = (key: string): FieldError[] =>
    numberOf(status, key) < numberOf(before, key)
      ? [invalid(STATUS.child(key), numberOf(status, key), messages.notDecreased(key))]
      : [];
  const { completionTime, startTime } = status;
  const isMoved = completionTime !== undefined && before["completionTime"] !== undefined && isNew("completionTime");
  const isRestarted = before["startTime"] !== undefined && isNew("startTime") && !isSet(spec, "suspend");
  const isResumed = past.has("Suspended") && !now.has("Suspended");
  return [
    ...["Failed", "Complete", "FailureTarget"]
      .filter((type) => past.has(type) && !now.has(type))
      .map((type) => about(messages.notDisabled(type))),
    ...fewer("failed"),
    ...(isScaled ? [] : fewer("succeeded")),
    ...(isMoved ? [invalid(STATUS.child("completionTime"), completionTime, messages.timeKept())] : []),
    ...(isRestarted && !isResumed ? [restarted(startTime)] : []),
    ...(past.has("SuccessCriteriaMet") && !now.has("SuccessCriteriaMet") ? [about(messages.notUnmet())] : []),
  ];
}

function restarted(startTime: JsonValue | undefined): FieldError {
  const path = STATUS.child("startTime");
  if (!since("1.36")) return required(path, messages.startRemoved());
  return invalid(path, startTime ?? null, messages.startKept());
}
