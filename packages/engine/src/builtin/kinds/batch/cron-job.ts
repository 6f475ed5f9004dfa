/** CronJob. Its pods are two templates deep. */
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import {
  AGE,
  containersOf,
  count,
  flag,
  memberTexts,
  NAME,
  selectorText,
  spec,
  specText,
  status,
  text,
} from "../../columns/column.ts";
import { type Draft, fill, fillZero, inner } from "../../defaults/draft.ts";
import { jobTemplateDefaults } from "../../defaults/job.ts";
import { objectOf, objectsOf, textOf } from "../../object.ts";
import { validateCronJob, validateNewCronJob } from "../../validate/workloads/cron-job.ts";
import { jobSpecWarnings } from "../../warnings/job.ts";
import * as messages from "../../warnings/messages.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { onNewGenerationWithName } from "../pod-template.ts";

const JOB_SPEC = newPath("spec", "jobTemplate", "spec");

const templateWarnings = onNewGenerationWithName((cronJob) => jobSpecWarnings(jobSpec(cronJob), JOB_SPEC));

export const cronJob = defineKind("batch/v1", "CronJob", {
  defaults: { ...jobTemplateDefaults, "v1.CronJob": fillCronJob },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  podSpec: ["spec", "jobTemplate", "spec", "template", "spec"],
  validate: validateNewCronJob,
  validateUpdate: validateCronJob,
  warnings: {
    create: templateWarnings.create,
    update: (object, old) => [...templateWarnings.update(object, old), ...zoneWarnings(object)],
  },
  columns: [
    NAME,
    specText("Schedule", "schedule"),
    specText("Timezone", "timeZone", "<none>"),
    flag("Suspend", (object) => (spec(object)["suspend"] === true ? "True" : "False")),
    count("Active", (object) => objectsOf(status(object), "active").length),
    text("Last Schedule", (object, age) => {
      const time = textOf(status(object), "lastScheduleTime");
      return time === "" ? "<none>" : age(time);
    }),
    AGE,
    text("Containers", (object) => memberTexts(jobContainers(object), "name"), 1),
    text("Images", (object) => memberTexts(jobContainers(object), "image"), 1),
    text("Selector", (object) => selectorText(jobSpec(object)?.["selector"]), 1),
  ],
});

function fillCronJob(draft: Draft): void {
  const cronSpec = inner(draft, "spec");
  fillZero(cronSpec, "concurrencyPolicy", "Allow");
  fill(cronSpec, "suspend", false);
  fill(cronSpec, "successfulJobsHistoryLimit", 3);
  fill(cronSpec, "failedJobsHistoryLimit", 1);
}

function jobSpec(object: JsonObject): JsonObject | undefined {
  return objectOf(objectOf(objectOf(object, "spec"), "jobTemplate"), "spec");
}

function jobContainers(object: JsonObject): JsonObject[] {
  return containersOf(objectOf(jobSpec(object), "template"));
}

function zoneWarnings(object: JsonObject): string[] {
  return textOf(objectOf(object, "spec"), "schedule").includes("TZ") ? [messages.zoneInSchedule()] : [];
}
