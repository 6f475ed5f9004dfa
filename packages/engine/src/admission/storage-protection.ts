/** Volumes and claims in use are not removed: a finalizer sees to it. Follows the StorageObjectInUseProtection admission plugin. */
import type { AdmissionPlugin } from "../review/cluster-view.ts";
import { finalizersOf, withMeta } from "../value/metadata.ts";

const FINALIZERS: Readonly<Record<string, string>> = {
  "persistentvolumeclaims.": "kubernetes.io/pvc-protection",
  "persistentvolumes.": "kubernetes.io/pv-protection",
  "volumeattributesclasses.storage.k8s.io": "kubernetes.io/vac-protection",
};

export const storageProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate: async ({ endpoint, operation, object }) => {
    const { group, plural } = endpoint.type;
    const finalizer = endpoint.subresource === undefined ? FINALIZERS[`${plural}.${group}`] : undefined;
    if (object === undefined || finalizer === undefined || operation !== "CREATE") return object;
    const finalizers = finalizersOf(object);
    return finalizers.includes(finalizer) ? object : withMeta(object, { finalizers: [...finalizers, finalizer] });
  },
};
