/** Job. */
import { newPath } from "../../../field/path.ts";
import { deepCopy } from "../../../value/copy.ts";
import { hasKey, isObject, type JsonObject, newObject } from "../../../value/json.ts";
import { AGE, NAME, spec, status, text } from "../../columns/column.ts";
import { type Draft, fill, inner } from "../../defaults/draft.ts";
import { jobTemplateDefaults } from "../../defaults/job.ts";
import * as messages from "../../messages.ts";
import { has, isSet, metaOf, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import type { PrepareContext } from "../../strategies/strategy.ts";
import { validateJob, validateJobUpdate } from "../../validate/workloads/batch.ts";
import { validateJobStatus } from "../../validate/workloads/job-status.ts";
import { jobSpecWarnings } from "../../warnings/job.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { onNewGenerationWithName, TEMPLATE_COLUMNS, TEMPLATE_POD_SPEC } from "../pod-template.ts";

export const job = defineKind("batch/v1", "Job", {
  defaults: { ...jobTemplateDefaults, "v1.Job": fillJob },
  metadata: { update: "both" },
  ownsStatus: true,
  dependentsPolicy: "orphan",
  generation: SPEC_GENERATION,
  podSpec: TEMPLATE_POD_SPEC,
  prepareCreate: generateLabels,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatus,
  warnings: onNewGenerationWithName((object) => jobSpecWarnings(objectOf(object, "spec"), newPath("spec"))),
  columns: [
    NAME,
    text("Status", jobStatus),
    text("Completions", completionText),
    text("Duration", () => ""),
    AGE,
    ...TEMPLATE_COLUMNS,
  ],
  selectableFields: {
    fields: [{ name: "status.successful", paths: ["status.succeeded"], zero: "0" }],
    refuse: messages.jobFieldNotSupported,
  },
});

const MAX_INT32 = 2 ** 31 - 1;

function fillJob(draft: Draft): void {
  const jobSpec = inner(draft, "spec");
  if (!has(jobSpec, "completions") && !has(jobSpec, "parallelism")) jobSpec["completions"] = 1;
  fill(jobSpec, "parallelism", 1);
  fill(jobSpec, "backoffLimit", has(jobSpec, "backoffLimitPerIndex") ? MAX_INT32 : 6);
  fill(jobSpec, "completionMode", "NonIndexed");
  fill(jobSpec, "suspend", false);
  fill(jobSpec, "podReplacementPolicy", has(jobSpec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  fill(jobSpec, "manualSelector", false);
  const labels = metaOf(inner(jobSpec, "template"))["labels"];
  const metadata = inner(draft, "metadata");
  // The same object, not a copy: `sharesLabels` asks.
  if (isObject(labels) && Object.keys(objectOf(metadata, "labels") ?? {}).length === 0) metadata["labels"] = labels;
}

const UID_LABEL = "batch.kubernetes.io/controller-uid";

/** Pods of a job are found by labels made from its name and uid, unless the user gives a selector. */
function generateLabels(draft: Draft, _context: PrepareContext, decoded: JsonObject): void {
  const jobSpec = inner(draft, "spec");
  if (isSet(jobSpec, "manualSelector")) return;
  const [uid, name] = [textOf(metaOf(draft), "uid"), textOf(metaOf(draft), "name")];
  const labels = inner(inner(inner(jobSpec, "template"), "metadata"), "labels");
  const generated = {
    [UID_LABEL]: uid,
    "controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "job-name": name,
  };
  // What the user set stays, and is refused where it is something else.
  for (const [key, value] of Object.entries(generated)) if (!hasKey(labels, key)) labels[key] = value;
  const selector = inner(inner(jobSpec, "selector"), "matchLabels");
  if (!hasKey(selector, UID_LABEL)) selector[UID_LABEL] = uid;
  if (sharesLabels(decoded)) inner(draft, "metadata")["labels"] = deepCopy(labels);
}

/** Upstream's defaults let a job without labels share those of its template, and both see what is added later. */
function sharesLabels(decoded: JsonObject): boolean {
  const labels = objectOf(metaOf(decoded), "labels");
  return (
    labels !== undefined && labels === objectOf(metaOf(objectOf(spec(decoded), "template") ?? newObject()), "labels")
  );
}

function jobStatus(object: JsonObject): string {
  const holds = (type: string): boolean =>
    objectsOf(status(object), "conditions").some((each) => each["type"] === type && each["status"] === "True");
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (textOf(metaOf(object), "deletionTimestamp") !== "") return "Terminating";
  if (holds("Suspended")) return "Suspended";
  if (holds("FailureTarget")) return "FailureTarget";
  return holds("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function completionText(object: JsonObject): string {
  const succeeded = numberOf(status(object), "succeeded");
  if (has(spec(object), "completions")) return `${succeeded}/${numberOf(spec(object), "completions")}`;
  const parallelism = numberOf(spec(object), "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}
