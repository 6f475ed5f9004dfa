/** CSINode: the drivers on one node. */
import { AGE, count, NAME, spec } from "../../columns/column.ts";
import { objectsOf } from "../../object.ts";
import { validateCsiNode, validateCsiNodeUpdate } from "../../validate/storage/csi.ts";
import { defineKind } from "../kind.ts";

export const csiNode = defineKind("storage.k8s.io/v1", "CSINode", {
  metadata: { update: "whole" },
  validatedTwiceBefore: "1.36",
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  columns: [NAME, count("Drivers", (object) => objectsOf(spec(object), "drivers").length), AGE],
  unconditionalUpdate: false,
  returnsDeletedObject: true,
});
