/**
 * The versions that kinds are stored in, if it is not the one that is served: a new version is not stored before the
 * release after it. Follows pkg/kubeapiserver/default_storage_factory_builder.go.
 */
import { currentMinor } from "../value/server-version.ts";
import type { Kind } from "./decode.ts";

/** By group and kind: the first and the last minor version in which another version is stored. */
const OTHERS: Readonly<Record<string, readonly (readonly [from: number, to: number, version: string])[]>> = {
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": [[30, 30, "v1beta1"]],
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": [[30, 30, "v1beta1"]],
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": [
    [32, 34, "v1alpha1"],
    [35, 36, "v1beta1"],
  ],
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": [
    [32, 34, "v1alpha1"],
    [35, 36, "v1beta1"],
  ],
  "certificates.k8s.io/ClusterTrustBundle": [
    [30, 32, "v1alpha1"],
    [33, 37, "v1beta1"],
  ],
  "certificates.k8s.io/PodCertificateRequest": [
    [34, 34, "v1alpha1"],
    [35, 37, "v1beta1"],
  ],
  "networking.k8s.io/IPAddress": [
    [30, 30, "v1alpha1"],
    [31, 33, "v1beta1"],
  ],
  "networking.k8s.io/ServiceCIDR": [
    [30, 30, "v1alpha1"],
    [31, 33, "v1beta1"],
  ],
  "resource.k8s.io/DeviceTaintRule": [
    [33, 36, "v1alpha3"],
    [37, 37, "v1beta2"],
  ],
  "storage.k8s.io/VolumeAttributesClass": [
    [30, 30, "v1alpha1"],
    [31, 35, "v1beta1"],
  ],
  "storagemigration.k8s.io/StorageVersionMigration": [
    [30, 34, "v1alpha1"],
    [35, 37, "v1beta1"],
  ],
};

/** What objects of a kind are stored as; `hub` is the form that they are kept in here. */
export function storedAs(hub: Kind): Kind {
  const minor = currentMinor();
  const found = OTHERS[`${hub.group}/${hub.kind}`]?.find(([from, to]) => from <= minor && minor <= to);
  return found === undefined ? hub : { ...hub, version: found[2] };
}
