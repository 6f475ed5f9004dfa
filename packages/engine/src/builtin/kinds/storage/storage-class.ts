/** StorageClass. */
import { AGE, NAME, text } from "../../columns/column.ts";
import { type Draft, fill } from "../../defaults/draft.ts";
import { textOf } from "../../object.ts";
import { validateStorageClass, validateStorageClassUpdate } from "../../validate/storage/classes.ts";
import { storageClassWarnings } from "../../warnings/storage.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const storageClass = defineKind("storage.k8s.io/v1", "StorageClass", {
  defaults: { "v1.StorageClass": fillStorageClass },
  metadata: { update: "both" },
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
  warnings: onEveryWrite(storageClassWarnings),
  columns: [
    NAME,
    text("Provisioner", (object) => textOf(object, "provisioner")),
    text("ReclaimPolicy", (object) => textOf(object, "reclaimPolicy")),
    text("VolumeBindingMode", (object) => textOf(object, "volumeBindingMode")),
    text("AllowVolumeExpansion", (object) => object["allowVolumeExpansion"] === true),
    AGE,
  ],
  returnsDeletedObject: true,
});

function fillStorageClass(draft: Draft): void {
  fill(draft, "reclaimPolicy", "Delete");
  fill(draft, "volumeBindingMode", "Immediate");
}
