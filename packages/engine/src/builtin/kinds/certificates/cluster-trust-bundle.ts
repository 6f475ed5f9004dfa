/** ClusterTrustBundle. */
import { NAME, spec, text } from "../../columns/column.ts";
import { objectOf, textOf } from "../../object.ts";
import { trustBundleName, validateTrustBundle, validateTrustBundleUpdate } from "../../validate/trust-bundle.ts";
import { defineKind } from "../kind.ts";

export const clusterTrustBundle = defineKind("certificates.k8s.io/v1", "ClusterTrustBundle", {
  checkNameOf: (bundle) => trustBundleName(textOf(objectOf(bundle, "spec"), "signerName")),
  metadata: { update: "both" },
  validate: (bundle) => validateTrustBundle(bundle),
  validateUpdate: validateTrustBundleUpdate,
  columns: [NAME, text("SignerName", (bundle) => textOf(spec(bundle), "signerName") || "<none>")],
  selectableFields: { fields: ["spec.signerName"] },
  unconditionalUpdate: false,
});
