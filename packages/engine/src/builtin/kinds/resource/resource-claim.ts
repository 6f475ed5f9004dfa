/** ResourceClaim. */
import type { JsonObject } from "../../../value/json.ts";
import { deviceRequestDefaults } from "../../defaults/device-request.ts";
import { type Draft, inner } from "../../defaults/draft.ts";
import { objectOf, objectsOf } from "../../object.ts";
import { allocatedDevices, deviceId, validateResourceClaimStatus } from "../../validate/resource/claim-status.ts";
import { validateResourceClaim, validateResourceClaimUpdate } from "../../validate/resource/claims.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind } from "../kind.ts";

export const resourceClaim = defineKind("resource.k8s.io/v1", "ResourceClaim", {
  defaults: deviceRequestDefaults,
  metadata: { update: "both", updateTwice: "change" },
  validatedTwiceBefore: "1.35",
  ownsStatus: true,
  prepareStatusUpdate: prepareClaimStatus,
  validate: validateResourceClaim,
  validateUpdate: validateResourceClaimUpdate,
  validateStatusUpdate: validateResourceClaimStatus,
  returnsDeletedObject: true,
  resetFields: STATUS_RESETS_METADATA,
  statusResetsMetadataSince: "1.35",
});

/** The status of devices that the claim no longer has is dropped. */
function prepareClaimStatus(draft: Draft, old: JsonObject): void {
  keepMetadata(draft, old);
  const status = inner(draft, "status");
  const kept = new Set(deviceIds(status));
  const gone = new Set(deviceIds(objectOf(old, "status")).filter((id) => !kept.has(id)));
  const devices = objectsOf(status, "devices").filter((device) => !gone.has(deviceId(device).text));
  if (devices.length === 0) delete status["devices"];
  else status["devices"] = devices;
}

function deviceIds(status: JsonObject | undefined): string[] {
  return allocatedDevices(status).map(({ text }) => text);
}
