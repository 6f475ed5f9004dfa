/** VolumeAttributesClass. */
import { AGE, NAME, text } from "../../columns/column.ts";
import { textOf } from "../../object.ts";
import { addFinalizer } from "../../strategies/finalizers.ts";
import { validateAttributesClass, validateAttributesClassUpdate } from "../../validate/storage/classes.ts";
import { defineKind } from "../kind.ts";

export const volumeAttributesClass = defineKind("storage.k8s.io/v1", "VolumeAttributesClass", {
  metadata: { update: "both" },
  validatedTwiceBefore: "1.35",
  prepareCreate: (draft, { setsPluginValues }) => {
    if (setsPluginValues === true) addFinalizer(draft, "kubernetes.io/vac-protection");
  },
  validate: validateAttributesClass,
  validateUpdate: validateAttributesClassUpdate,
  columns: [NAME, text("DriverName", (object) => textOf(object, "driverName")), AGE],
  returnsDeletedObject: true,
});
