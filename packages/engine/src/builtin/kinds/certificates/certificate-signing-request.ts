/** CertificateSigningRequest. Writes of its status and approval are prepared in `strategies/certificates.ts`. */
import { keepCsrSpec } from "../../strategies/certificates.ts";
import { validateCsr, validateCsrUpdate } from "../../validate/certificates.ts";
import { defineKind } from "../kind.ts";

export const certificateSigningRequest = defineKind("certificates.k8s.io/v1", "CertificateSigningRequest", {
  checkName: () => [],
  metadata: { update: "both" },
  ownsStatus: true,
  prepareUpdate: keepCsrSpec,
  validate: validateCsr,
  validateUpdate: (csr, old) => validateCsrUpdate(csr, old),
  selectableFields: { fields: ["spec.signerName"] },
  resetFields: {
    "": [["spec"], ["status"]],
    status: [["spec"], ["status", "conditions"]],
    approval: [["spec"], ["status", "certificate"]],
  },
});
