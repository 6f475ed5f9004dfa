/** Deployment. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, statusCount, text } from "../../columns/column.ts";
import { type Draft, fill, inner } from "../../defaults/draft.ts";
import { podDefaults } from "../../defaults/pod.ts";
import { fillRollingUpdate } from "../../defaults/rolling-update.ts";
import { metaOf, objectOf } from "../../object.ts";
import { validateDeployment, validateDeploymentUpdate } from "../../validate/workloads/apps.ts";
import { validateDeploymentStatus } from "../../validate/workloads/replica-status.ts";
import { defineKind } from "../kind.ts";
import {
  onNewGenerationWithName,
  readyReplicas,
  TEMPLATE_COLUMNS,
  TEMPLATE_POD_SPEC,
  templateWarnings,
} from "../pod-template.ts";

export const deployment = defineKind("apps/v1", "Deployment", {
  defaults: { ...podDefaults, "v1.Deployment": fillDeployment },
  ownsStatus: true,
  generation: { members: ["spec"], metadata: ["annotations"] },
  podSpec: TEMPLATE_POD_SPEC,
  prepareStatusUpdate: keepLabels,
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatus,
  warnings: onNewGenerationWithName(templateWarnings),
  columns: [
    NAME,
    text("Ready", readyReplicas),
    text("Up-to-date", statusCount("updatedReplicas")),
    text("Available", statusCount("availableReplicas")),
    AGE,
    ...TEMPLATE_COLUMNS,
  ],
  resetFields: { status: [["spec"], ["metadata", "labels"]] },
});

function fillDeployment(draft: Draft): void {
  const spec = inner(draft, "spec");
  fill(spec, "replicas", 1);
  fillRollingUpdate(inner(spec, "strategy"), { maxUnavailable: "25%", maxSurge: "25%" });
  fill(spec, "revisionHistoryLimit", 10);
  fill(spec, "progressDeadlineSeconds", 600);
}

function keepLabels(draft: Draft, old: JsonObject): void {
  const labels = objectOf(metaOf(old), "labels");
  if (labels === undefined) delete inner(draft, "metadata")["labels"];
  else inner(draft, "metadata")["labels"] = labels;
}
