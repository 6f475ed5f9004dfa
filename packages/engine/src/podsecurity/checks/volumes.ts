/** The volume types of the restricted level. Follows policy/check_restrictedVolumes.go. */
import { isObject, type JsonObject } from "../../value/json.ts";
import { objectsOf, textOf } from "../../value/read.ts";
import { type CheckPod, plural, quoteAll, sortedSet } from "./check.ts";

const ALLOWED = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

const RESTRICTED = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

export const restrictedVolumes: CheckPod = ({ spec }) => {
  const bad = objectsOf(spec["volumes"]).filter((volume) => typeOf(volume, ALLOWED) === undefined);
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => textOf(name));
  const types = sortedSet(bad.map((volume) => typeOf(volume, RESTRICTED) ?? "unknown"));
  const subject = `${plural(names.length, "volume")} ${quoteAll(names)} ${plural(names.length, "uses", "use")}`;
  return {
    reason: "restricted volume types",
    detail: `${subject} ${plural(types.length, "restricted volume type")} ${quoteAll(types)}`,
  };
};

function typeOf(volume: JsonObject, types: readonly string[]): string | undefined {
  return types.find((type) => isObject(volume[type]));
}
