/** APIService. Its name is made of the version and group that it serves. */
import { fillServicePort } from "../../defaults/admission.ts";
import { type Draft, inner } from "../../defaults/draft.ts";
import { has, objectFrom, objectOf } from "../../object.ts";
import type { PrepareContext } from "../../strategies/strategy.ts";
import { apiServiceName, validateApiService, validateApiServiceStatus } from "../../validate/api-service.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind } from "../kind.ts";
import { segmentName } from "../names.ts";

export const apiService = defineKind("apiregistration.k8s.io/v1", "APIService", {
  defaults: { "v1.ServiceReference": fillServicePort },
  checkName: segmentName,
  checkNameOf: apiServiceName,
  metadata: { update: "both", finalizers: "any" },
  ownsStatus: true,
  prepareCreate: markLocalAvailable,
  prepareStatusUpdate: keepMetadata,
  validate: validateApiService,
  validateStatusUpdate: validateApiServiceStatus,
  unconditionalUpdate: false,
  resetFields: STATUS_RESETS_METADATA,
  storagePrefix: "apiregistration.k8s.io/apiservices",
});

/** What the server serves itself is available at once. */
function markLocalAvailable(draft: Draft, { now }: PrepareContext): void {
  if (has(objectOf(draft, "spec"), "service")) return;
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: now(),
    reason: "Local",
    message: "Local APIServices are always available",
  };
  inner(draft, "status")["conditions"] = [objectFrom(available)];
}
