/** ResourceClaimTemplate. */
import { deviceRequestDefaults } from "../../defaults/device-request.ts";
import { validateClaimTemplate, validateClaimTemplateUpdate } from "../../validate/resource/claims.ts";
import { defineKind } from "../kind.ts";

export const resourceClaimTemplate = defineKind("resource.k8s.io/v1", "ResourceClaimTemplate", {
  defaults: deviceRequestDefaults,
  metadata: { update: "both" },
  validate: validateClaimTemplate,
  validateUpdate: validateClaimTemplateUpdate,
  returnsDeletedObject: true,
});
