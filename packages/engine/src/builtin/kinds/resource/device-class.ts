/** DeviceClass. */
import { AGE, NAME } from "../../columns/column.ts";
import { validateDeviceClass } from "../../validate/resource/claims.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { subdomainNameInBytes } from "../names.ts";

export const deviceClass = defineKind("resource.k8s.io/v1", "DeviceClass", {
  checkName: subdomainNameInBytes,
  metadata: { update: "both", updateTwice: "change" },
  validatedTwiceBefore: "1.35",
  generation: SPEC_GENERATION,
  validate: validateDeviceClass,
  columns: [NAME, AGE],
  returnsDeletedObject: true,
});
