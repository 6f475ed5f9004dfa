/** CSIDriver. */
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject } from "../../../value/json.ts";
import { AGE, flag, NAME, spec, text } from "../../columns/column.ts";
import { type Draft, fill, fillEmpty, inner } from "../../defaults/draft.ts";
import { objectsOf, textOf, textsOf } from "../../object.ts";
import { validateDriver, validateDriverUpdate } from "../../validate/storage/csi.ts";
import { driverWarnings } from "../../warnings/storage.ts";
import { defineKind } from "../kind.ts";

export const csiDriver = defineKind("storage.k8s.io/v1", "CSIDriver", {
  defaults: { "v1.CSIDriver": fillDriver },
  generation: { members: ["spec"], start: 0 },
  validate: validateDriver,
  validateUpdate: validateDriverUpdate,
  warnings: { create: (driver) => driverWarnings(driver), update: driverWarnings },
  columns: [
    NAME,
    flag("AttachRequired", (driver) => spec(driver)["attachRequired"] !== false),
    flag("PodInfoOnMount", (driver) => spec(driver)["podInfoOnMount"] === true),
    flag("StorageCapacity", (driver) => spec(driver)["storageCapacity"] === true),
    text("TokenRequests", audienceText),
    flag("RequiresRepublish", (driver) => spec(driver)["requiresRepublish"] === true),
    text("Modes", (driver) => textsOf(spec(driver), "volumeLifecycleModes").join(",")),
    AGE,
  ],
  unconditionalUpdate: false,
  returnsDeletedObject: true,
});

const OFF = ["podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"];

function fillDriver(draft: Draft): void {
  const driverSpec = inner(draft, "spec");
  fill(driverSpec, "attachRequired", true);
  for (const key of OFF) fill(driverSpec, key, false);
  if (isEnabled("VolumeLimitScaling")) fill(driverSpec, "preventPodSchedulingIfMissing", false);
  fill(driverSpec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
  fillEmpty(driverSpec, "volumeLifecycleModes", ["Persistent"]);
}

function audienceText(driver: JsonObject): string {
  const audiences = objectsOf(spec(driver), "tokenRequests").map((each) => textOf(each, "audience"));
  return audiences.length === 0 ? "<unset>" : audiences.join(",");
}
