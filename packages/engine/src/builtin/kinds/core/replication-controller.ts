/** ReplicationController: what came before ReplicaSet. */
import { type Draft, fill, fillEmpty, inner } from "../../defaults/draft.ts";
import { podDefaults } from "../../defaults/pod.ts";
import { metaOf, objectOf } from "../../object.ts";
import { validateController } from "../../validate/workloads/controller.ts";
import { validateControllerStatus } from "../../validate/workloads/replica-status.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { subdomainNameInBytes } from "../names.ts";
import {
  isNewGeneration,
  onNewGenerationWithName,
  REPLICA_COLUMNS,
  TEMPLATE_POD_SPEC,
  templateWarnings,
} from "../pod-template.ts";

export const replicationController = defineKind("v1", "ReplicationController", {
  defaults: { ...podDefaults, "v1.ReplicationController": fillController },
  checkName: subdomainNameInBytes,
  validatedTwiceBefore: "1.35",
  ownsStatus: true,
  dependentsPolicy: "orphan",
  generation: SPEC_GENERATION,
  podSpec: TEMPLATE_POD_SPEC,
  validate: validateController,
  validateStatusUpdate: validateControllerStatus,
  warnings: {
    ...onNewGenerationWithName(templateWarnings),
    // Upstream checks the template that was there before.
    update: (controller, old) => (isNewGeneration(controller, old) ? templateWarnings(old) : []),
  },
  columns: REPLICA_COLUMNS,
  selectableFields: { fields: [{ name: "status.replicas", zero: "0" }] },
  storagePrefix: "controllers",
});

/** The labels of the template are the default of the selector and of the controller's own labels. */
function fillController(draft: Draft): void {
  // Up to 1.32 the default is not part of the published schema.
  fill(inner(draft, "spec"), "replicas", 1);
  const labels = objectOf(metaOf(objectOf(inner(draft, "spec"), "template") ?? {}), "labels");
  if (labels === undefined) return;
  fillEmpty(inner(draft, "spec"), "selector", labels);
  fillEmpty(inner(draft, "metadata"), "labels", labels);
}
