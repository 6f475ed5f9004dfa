/** PodCertificateRequest. */
import { NAME, spec, status, text } from "../../columns/column.ts";
import { objectsOf, textOf } from "../../object.ts";
import { validatePodCertificate, validatePodCertificateUpdate } from "../../validate/pod-certificate.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind } from "../kind.ts";

const FIELDS = ["spec.signerName", "spec.podName", "spec.nodeName"];

export const podCertificateRequest = defineKind("certificates.k8s.io/v1", "PodCertificateRequest", {
  ownsStatus: true,
  prepareStatusUpdate: keepMetadata,
  validate: validatePodCertificate,
  validateUpdate: validatePodCertificateUpdate,
  columns: [
    NAME,
    text("PodName", (request) => textOf(spec(request), "podName")),
    text("ServiceAccountName", (request) => textOf(spec(request), "serviceAccountName")),
    text("NodeName", (request) => textOf(spec(request), "nodeName")),
    text("SignerName", (request) => textOf(spec(request), "signerName")),
    text(
      "State",
      (request) => objectsOf(status(request), "conditions").map((each) => textOf(each, "type"))[0] ?? "Pending",
    ),
    text("UnverifiedUserAnnotations", () => "<none>"),
  ],
  selectableFields: { fields: FIELDS },
  resetFields: STATUS_RESETS_METADATA,
});
