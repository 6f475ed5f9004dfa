/** StatefulSet. */

import { newPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { AGE, NAME, text } from "../../columns/column.ts";
import { type Draft, fill, fillZero, inner } from "../../defaults/draft.ts";
import { podDefaults } from "../../defaults/pod.ts";
import { fillClaimPhase } from "../../defaults/volumes.ts";
import { has, numberOf, objectOf, objectsOf } from "../../object.ts";
import { validateStatefulSetStatus } from "../../validate/workloads/replica-status.ts";
import { validateStatefulSet, validateStatefulSetUpdate } from "../../validate/workloads/stateful.ts";
import * as messages from "../../warnings/messages.ts";
import { claimSpecWarnings } from "../../warnings/storage.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { labelName } from "../names.ts";
import {
  CONTAINERS,
  IMAGES,
  isNewGeneration,
  readyReplicas,
  TEMPLATE_POD_SPEC,
  templateWarnings,
} from "../pod-template.ts";

export const statefulSet = defineKind("apps/v1", "StatefulSet", {
  defaults: { ...podDefaults, "v1.PersistentVolumeClaim": fillClaimPhase, "v1.StatefulSet": fillStatefulSet },
  checkName: labelName,
  ownsStatus: true,
  generation: SPEC_GENERATION,
  podSpec: TEMPLATE_POD_SPEC,
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  validateStatusUpdate: validateStatefulSetStatus,
  warnings: {
    create: (set) => [...templateWarnings(set), ...claimWarnings(set, CREATED_CLAIM), ...historyWarnings(set)],
    update: (set, old) => [
      ...(isNewGeneration(set, old) ? templateWarnings(set) : []),
      ...claimWarnings(set, UPDATED_CLAIM),
      ...historyWarnings(set),
    ],
  },
  columns: [NAME, text("Ready", readyReplicas), AGE, CONTAINERS, IMAGES],
});

function fillStatefulSet(draft: Draft): void {
  const spec = inner(draft, "spec");
  fillZero(spec, "podManagementPolicy", "OrderedReady");
  fillUpdateStrategy(inner(spec, "updateStrategy"));
  const retention = inner(spec, "persistentVolumeClaimRetentionPolicy");
  fillZero(retention, "whenDeleted", "Retain");
  fillZero(retention, "whenScaled", "Retain");
  fill(spec, "replicas", 1);
  fill(spec, "revisionHistoryLimit", 10);
  // Whatever is said.
  for (const claim of objectsOf(spec, "volumeClaimTemplates")) {
    claim["kind"] = "PersistentVolumeClaim";
    claim["apiVersion"] = "v1";
  }
}

/** The rolling update is added only where the type is left out. */
function fillUpdateStrategy(strategy: Draft): void {
  if (!has(strategy, "type")) {
    strategy["type"] = "RollingUpdate";
    inner(strategy, "rollingUpdate");
  }
  const update = objectOf(strategy, "rollingUpdate");
  if (strategy["type"] !== "RollingUpdate" || update === undefined) return;
  fill(update, "partition", 0);
  if (isEnabled("MaxUnavailableStatefulSet")) fill(update, "maxUnavailable", 1);
}

const CLAIMS = newPath("spec", "volumeClaimTemplates");

/** Upstream names the same claim by two paths. */
const CREATED_CLAIM = (index: number) => CLAIMS.index(index);
const UPDATED_CLAIM = (index: number) => CLAIMS.index(index).child("Spec");

function claimWarnings(set: JsonObject, pathOf: typeof CREATED_CLAIM): string[] {
  const claims = objectsOf(objectOf(set, "spec"), "volumeClaimTemplates");
  return claims.flatMap((claim, index) => claimSpecWarnings(objectOf(claim, "spec") ?? {}, pathOf(index)));
}

function historyWarnings(set: JsonObject): string[] {
  return since("1.33") && numberOf(objectOf(set, "spec"), "revisionHistoryLimit") < 0
    ? [messages.endlessHistory()]
    : [];
}
