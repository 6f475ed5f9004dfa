/** PriorityLevelConfiguration. Follows pkg/apis/flowcontrol/v1/defaults.go. */
import { type Draft, fill, fillZero } from "../../defaults/draft.ts";
import { validatePriorityLevel } from "../../validate/flowcontrol/priority-level.ts";
import { validateFlowStatus } from "../../validate/flowcontrol/status.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";

export const priorityLevel = defineKind("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", {
  defaults: {
    "v1.ExemptPriorityLevelConfiguration": (level) => fillShares(level, 0),
    "v1.LimitedPriorityLevelConfiguration": (level) => fillShares(level, 30),
    "v1.QueuingConfiguration": fillQueuing,
  },
  metadata: { update: "whole", statusUpdate: "none" },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  prepareStatusUpdate: keepMetadata,
  validate: validatePriorityLevel,
  validateStatusUpdate: validateFlowStatus,
  resetFields: STATUS_RESETS_METADATA,
});

function fillShares(level: Draft, shares: number): void {
  fill(level, "nominalConcurrencyShares", shares);
  fill(level, "lendablePercent", 0);
}

function fillQueuing(queuing: Draft): void {
  fillZero(queuing, "handSize", 8);
  fillZero(queuing, "queues", 64);
  fillZero(queuing, "queueLengthLimit", 50);
}
