/** ReplicaSet. */
import { fill, inner } from "../../defaults/draft.ts";
import { podDefaults } from "../../defaults/pod.ts";
import { validateReplicaSet, validateReplicaSetUpdate } from "../../validate/workloads/apps.ts";
import { validateReplicaSetStatus } from "../../validate/workloads/replica-status.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { onNewGenerationWithName, REPLICA_COLUMNS, TEMPLATE_POD_SPEC, templateWarnings } from "../pod-template.ts";

export const replicaSet = defineKind("apps/v1", "ReplicaSet", {
  validatedTwiceBefore: "1.34",
  defaults: { ...podDefaults, "v1.ReplicaSet": (draft) => fill(inner(draft, "spec"), "replicas", 1) },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  podSpec: TEMPLATE_POD_SPEC,
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  validateStatusUpdate: validateReplicaSetStatus,
  warnings: onNewGenerationWithName(templateWarnings),
  columns: REPLICA_COLUMNS,
});
