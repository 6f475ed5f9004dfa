/** The names of objects that pods and volumes refer to. Follows kubernetes pkg/api/v1/pod and pkg/api/v1/persistentvolume. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";

const CONTAINERS = ["initContainers", "containers", "ephemeralContainers"];
/** Volumes whose `secretRef` names a secret. */
const SECRET_REFS = ["cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos"];
/** Secrets of CSI volumes that a node needs. */
const NODE_SECRETS = ["nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef"];

export function secretsOfPod(pod: JsonObject): string[] {
  const spec = objectOf(pod["spec"]);
  const inVolumes = objectsOf(spec["volumes"]).flatMap((volume) => [
    textOf(objectOf(volume["azureFile"])["secretName"]),
    textOf(objectOf(volume["secret"])["secretName"]),
    ...SECRET_REFS.map((kind) => nameIn(objectOf(volume[kind]), "secretRef")),
    nameIn(objectOf(volume["csi"]), "nodePublishSecretRef"),
    ...projectedNames(volume, "secret"),
  ]);
  const pulled = objectsOf(spec["imagePullSecrets"]).map((each) => textOf(each["name"]));
  return [...pulled, ...namesInContainers(spec, "secretRef", "secretKeyRef"), ...inVolumes];
}

export function configMapsOfPod(pod: JsonObject): string[] {
  const spec = objectOf(pod["spec"]);
  const inVolumes = objectsOf(spec["volumes"]).flatMap((volume) => [
    nameIn(volume, "configMap"),
    ...projectedNames(volume, "configMap"),
  ]);
  return [...namesInContainers(spec, "configMapRef", "configMapKeyRef"), ...inVolumes];
}

export function claimsOfPod(pod: JsonObject): string[] {
  return objectsOf(objectOf(pod["spec"])["volumes"]).map((volume) =>
    volume["persistentVolumeClaim"] !== undefined
      ? textOf(objectOf(volume["persistentVolumeClaim"])["claimName"])
      : volume["ephemeral"] !== undefined
        ? `${metaText(pod, "name")}-${textOf(volume["name"])}`
        : "",
  );
}

export function resourceClaimsOfPod(pod: JsonObject): string[] {
  const status = objectOf(pod["status"]);
  const made = new Map(
    objectsOf(status["resourceClaimStatuses"]).map((each) => [textOf(each["name"]), textOf(each["resourceClaimName"])]),
  );
  const named = objectsOf(objectOf(pod["spec"])["resourceClaims"]).map(
    (claim) => textOf(claim["resourceClaimName"]) || (made.get(textOf(claim["name"])) ?? ""),
  );
  return [...named, textOf(objectOf(status["extendedResourceClaimStatus"])["resourceClaimName"])];
}

/** Namespaces and names. */
export function secretsOfVolume(volume: JsonObject): [namespace: string, name: string][] {
  const spec = objectOf(volume["spec"]);
  const claimNamespace = textOf(objectOf(spec["claimRef"])["namespace"]);
  const azure = objectOf(spec["azureFile"]);
  const csi = objectOf(spec["csi"]);
  const refs = SECRET_REFS.map((kind) => [kind, objectOf(objectOf(spec[kind])["secretRef"])] as const);
  const found: [string, string][] = [
    [textOf(azure["secretNamespace"]) || claimNamespace, textOf(azure["secretName"])],
    ...refs.map(([kind, ref]): [string, string] => [
      textOf(ref["namespace"]) || (kind === "cinder" || kind === "storageos" ? "" : claimNamespace),
      textOf(ref["name"]),
    ]),
    ...NODE_SECRETS.map((member): [string, string] => {
      const ref = objectOf(csi[member]);
      return [textOf(ref["namespace"]), textOf(ref["name"])];
    }),
  ];
  return found.filter(([, name]) => name !== "");
}

function namesInContainers(spec: JsonObject, whole: string, key: string): string[] {
  return CONTAINERS.flatMap((member) => objectsOf(spec[member])).flatMap((container) => [
    ...objectsOf(container["envFrom"]).map((from) => nameIn(from, whole)),
    ...objectsOf(container["env"]).map(({ valueFrom }) => nameIn(objectOf(valueFrom), key)),
  ]);
}

function projectedNames(volume: JsonObject, member: string): string[] {
  return objectsOf(objectOf(volume["projected"])["sources"]).map((source) => nameIn(source, member));
}

function nameIn(holder: JsonObject, member: string): string {
  return textOf(objectOf(holder[member])["name"]);
}
