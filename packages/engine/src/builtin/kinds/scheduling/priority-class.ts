/** PriorityClass. */
import { AGE, count, flag, NAME, text } from "../../columns/column.ts";
import { fill } from "../../defaults/draft.ts";
import { numberOf, textOf } from "../../object.ts";
import { validatePriorityClass, validatePriorityClassUpdate } from "../../validate/cluster/classes.ts";
import { defineKind } from "../kind.ts";

export const priorityClass = defineKind("scheduling.k8s.io/v1", "PriorityClass", {
  defaults: { "v1.PriorityClass": (draft) => fill(draft, "preemptionPolicy", "PreemptLowerPriority") },
  // It starts at 1, and no change counts.
  generation: { members: [] },
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
  columns: [
    NAME,
    count("Value", (object) => numberOf(object, "value")),
    flag("Global-Default", (object) => object["globalDefault"] === true),
    AGE,
    text("PreemptionPolicy", (object) => textOf(object, "preemptionPolicy")),
  ],
});
