/** Objects that pods refer to. Follows pkg/api/pod/util.go. */
import type { JsonObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";

const CONTAINERS = ["initContainers", "containers", "ephemeralContainers"];
const SECRET_REFS = ["cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos"];

export function hasSecretReference(spec: JsonObject): boolean {
  const pulled = objectsOf(spec["imagePullSecrets"]).some((each) => textOf(each["name"]) !== "");
  return pulled || usesIn(spec, "secretRef", "secretKeyRef") || objectsOf(spec["volumes"]).some(hasSecret);
}

function hasSecret(volume: JsonObject): boolean {
  const named = (source: JsonObject, key: string): boolean => textOf(objectOf(source[key])["name"]) !== "";
  const projected = objectsOf(objectOf(volume["projected"])["sources"]);
  return (
    textOf(objectOf(volume["azureFile"])["secretName"]) !== "" ||
    textOf(objectOf(volume["secret"])["secretName"]) !== "" ||
    SECRET_REFS.some((key) => named(objectOf(volume[key]), "secretRef")) ||
    named(objectOf(volume["csi"]), "nodePublishSecretRef") ||
    projected.some((source) => named(source, "secret"))
  );
}

function hasConfigMapReference(spec: JsonObject): boolean {
  const named = (source: JsonObject): boolean => textOf(objectOf(source["configMap"])["name"]) !== "";
  const isUsed = (volume: JsonObject): boolean =>
    named(volume) || objectsOf(objectOf(volume["projected"])["sources"]).some(named);
  return usesIn(spec, "configMapRef", "configMapKeyRef") || objectsOf(spec["volumes"]).some(isUsed);
}

/** Whether a variable of a container comes from an object. */
function usesIn(spec: JsonObject, whole: string, key: string): boolean {
  const named = (source: JsonObject, member: string): boolean => textOf(objectOf(source[member])["name"]) !== "";
  return CONTAINERS.flatMap((each) => objectsOf(spec[each])).some(
    (container) =>
      objectsOf(container["envFrom"]).some((from) => named(from, whole)) ||
      objectsOf(container["env"]).some(({ valueFrom }) => named(objectOf(valueFrom), key)),
  );
}

const HARMLESS = new Set(
  `
  awsElasticBlockStore azureDisk cephfs cinder downwardAPI emptyDir fc flexVolume flocker gcePersistentDisk gitRepo
  hostPath image iscsi nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume`
    .trim()
    .split(/\s+/),
);

/** Kinds of volumes, and what they refer to, in upstream's order. */
const REFERRING: readonly (readonly [member: string, resources: string])[] = [
  ["configMap", "configmaps (via configmap volumes)"],
  ["secret", "secrets (via secret volumes)"],
  ["csi", "csidrivers (via CSI volumes)"],
  ["glusterfs", "endpoints (via glusterFS volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
  ["azureFile", "secrets (via azureFile volumes)"],
];

const PROJECTED: typeof REFERRING = [
  ["configMap", "configmaps (via projected volumes)"],
  ["secret", "secrets (via projected volumes)"],
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
];

/** The resources that a pod refers to first; undefined if it needs none. */
export function referredResources(spec: JsonObject): string | undefined {
  if (textOf(spec["serviceAccountName"]) !== "") return "serviceaccounts";
  if (hasSecretReference(spec)) return "secrets";
  if (hasConfigMapReference(spec)) return "configmaps";
  if (objectsOf(spec["resourceClaims"]).length > 0) return "resourceclaims";
  for (const volume of objectsOf(spec["volumes"])) {
    if (Object.keys(volume).some((member) => HARMLESS.has(member))) continue;
    const sources = objectsOf(objectOf(volume["projected"])["sources"]);
    const found = firstOf(volume, REFERRING) ?? sources.map((source) => firstOf(source, PROJECTED)).find(isText);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstOf(source: JsonObject, table: typeof REFERRING): string | undefined {
  return table.find(([member]) => source[member] !== undefined)?.[1];
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}
