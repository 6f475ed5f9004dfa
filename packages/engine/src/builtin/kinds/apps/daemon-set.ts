/** DaemonSet. The generation of its template is a number inside the API server, which v1 shows as an annotation. */
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { AGE, count, mapText, NAME, statusCount, text } from "../../columns/column.ts";
import { type Draft, fill, inner } from "../../defaults/draft.ts";
import { podDefaults } from "../../defaults/pod.ts";
import { fillRollingUpdate } from "../../defaults/rolling-update.ts";
import { metaOf, objectOf, textOf } from "../../object.ts";
import { validateDaemonSet, validateDaemonSetUpdate } from "../../validate/workloads/apps.ts";
import { validateDaemonSetStatus } from "../../validate/workloads/replica-status.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { onNewGeneration, TEMPLATE_COLUMNS, TEMPLATE_POD_SPEC, templateOf, templateWarnings } from "../pod-template.ts";

export const daemonSet = defineKind("apps/v1", "DaemonSet", {
  validatedTwiceBefore: "1.34",
  defaults: { ...podDefaults, "v1.DaemonSet": fillDaemonSet },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  podSpec: TEMPLATE_POD_SPEC,
  prepareCreate: (draft) => setTemplateGeneration(draft, "1"),
  prepareUpdate: countTemplateGeneration,
  prepareStatusUpdate: (draft, old) => setTemplateGeneration(draft, templateGeneration(old)),
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  validateStatusUpdate: validateDaemonSetStatus,
  warnings: onNewGeneration(templateWarnings),
  columns: [
    NAME,
    count("Desired", statusCount("desiredNumberScheduled")),
    count("Current", statusCount("currentNumberScheduled")),
    count("Ready", statusCount("numberReady")),
    count("Up-to-date", statusCount("updatedNumberScheduled")),
    count("Available", statusCount("numberAvailable")),
    text("Node Selector", (set) => mapText(objectOf(objectOf(templateOf(set), "spec"), "nodeSelector"))),
    AGE,
    ...TEMPLATE_COLUMNS,
  ],
});

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

function fillDaemonSet(draft: Draft): void {
  const spec = inner(draft, "spec");
  // Decoding writes the annotation, so that the manager of every write owns it.
  fill(inner(inner(draft, "metadata"), "annotations"), TEMPLATE_GENERATION, "0");
  fillRollingUpdate(inner(spec, "updateStrategy"), { maxUnavailable: 1, maxSurge: 0 });
  fill(spec, "revisionHistoryLimit", 10);
}

function setTemplateGeneration(draft: Draft, generation: string): void {
  inner(inner(draft, "metadata"), "annotations")[TEMPLATE_GENERATION] = generation;
}

function templateGeneration(set: JsonObject): string {
  return textOf(objectOf(metaOf(set), "annotations"), TEMPLATE_GENERATION) || "0";
}

function countTemplateGeneration(draft: Draft, old: JsonObject): void {
  const before = Number(templateGeneration(old));
  const [template, oldTemplate] = [objectOf(draft, "spec")?.["template"], objectOf(old, "spec")?.["template"]];
  const isChanged = !semanticEqual(template, oldTemplate);
  setTemplateGeneration(draft, String(isChanged ? before + 1 : before));
}
