/** CSIStorageCapacity: how much room a class has in a part of the cluster. */
import { CREATED, NAME } from "../../columns/column.ts";
import { validateCapacity, validateCapacityUpdate } from "../../validate/storage/classes.ts";
import { capacityWarnings } from "../../warnings/storage.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const csiStorageCapacity = defineKind("storage.k8s.io/v1", "CSIStorageCapacity", {
  metadata: { update: "both" },
  validate: validateCapacity,
  validateUpdate: validateCapacityUpdate,
  warnings: onEveryWrite(capacityWarnings),
  columns: [NAME, CREATED],
  unconditionalUpdate: false,
});
