/** FlowSchema. Follows pkg/apis/flowcontrol/v1/defaults.go. */
import { fillZero } from "../../defaults/draft.ts";
import { validateFlowSchema } from "../../validate/flowcontrol/flow-schema.ts";
import { validateFlowStatus } from "../../validate/flowcontrol/status.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";

export const flowSchema = defineKind("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", {
  defaults: { "v1.FlowSchemaSpec": (spec) => fillZero(spec, "matchingPrecedence", 1000) },
  metadata: { update: "whole", statusUpdate: "none" },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  prepareStatusUpdate: keepMetadata,
  validate: validateFlowSchema,
  validateStatusUpdate: validateFlowStatus,
  resetFields: STATUS_RESETS_METADATA,
});
