/** Volumes of pods: a name and one source each. Follows ValidateVolumes of core/validation. */

import { duplicate, type FieldError, forbidden, invalid, required } from "../../../field/error.ts";
import { checkDnsSubdomain } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { signOf } from "../../../value/quantity.ts";
import { since } from "../../../value/server-version.ts";
import { has, objectOf, textOf } from "../../object.ts";
import { labelName, oneOf, requiredText, subdomain } from "../checks.ts";
import { relativePath } from "../paths.ts";
import { quantityOf } from "../quantities.ts";
import { validateClaimTemplate } from "./claim.ts";
import { csiDriverName } from "./csi-name.ts";
import { downwardFiles, keyedFiles, projected } from "./files.ts";
import * as messages from "./messages.ts";
import {
  azureDisk,
  cinder,
  disk,
  fibreChannel,
  flexVolume,
  flocker,
  hostPath,
  iscsi,
  listed,
  nfs,
  quobyte,
  type SourceCheck,
  type SourceKind,
  storageOs,
  texts,
} from "./sources.ts";

export interface Volumes {
  readonly errors: FieldError[];
  /** Names of volumes that are in order, with the kind of their source. */
  readonly names: ReadonlyMap<string, string>;
}

export interface VolumeOptions {
  /** Up to 1.36 a template may leave out the image of a volume. */
  readonly isTemplate: boolean;
  /** Of the pod; "" in a template. */
  readonly podName: string;
}

export function validateVolumes(volumes: readonly JsonObject[], path: FieldPath, options: VolumeOptions): Volumes {
  const names = new Map<string, string>();
  const created = claimsOfPod(volumes, options.podName);
  const errors = volumes.flatMap((volume, index) => {
    const at = path.index(index);
    const name = textOf(volume, "name");
    const found = validateSource(volume, at, options);
    found.push(...(name === "" ? [required(at.child("name"))] : labelName(name, at.child("name"))));
    if (names.has(name)) found.push(duplicate(at.child("name"), name));
    if (found.length === 0) names.set(name, sourcesOf(volume)[0] ?? "");
    return [...found, ...noOwnClaim(volume, created, at)];
  });
  return { errors, names };
}

/** The claims that the pod's ephemeral volumes make. */
function claimsOfPod(volumes: readonly JsonObject[], podName: string): Set<string> {
  const ephemeral = podName === "" ? [] : volumes.filter((volume) => has(volume, "ephemeral"));
  return new Set(ephemeral.map((volume) => `${podName}-${textOf(volume, "name")}`));
}

function noOwnClaim(volume: JsonObject, created: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const claim = objectOf(volume, "persistentVolumeClaim");
  const name = textOf(claim, "claimName");
  if (claim === undefined || !created.has(name)) return [];
  return [invalid(path.child("persistentVolumeClaim", "claimName"), name, messages.ephemeralClaim())];
}

function sourcesOf(volume: JsonObject): string[] {
  return Object.keys(volume).length === 1 ? [] : SOURCE_NAMES.filter((kind) => has(volume, kind));
}

function validateSource(volume: JsonObject, path: FieldPath, options: VolumeOptions): FieldError[] {
  const sources = sourcesOf(volume);
  if (sources.length === 0) return [required(path, messages.volumeTypeNeeded())];
  const name = textOf(volume, "name");
  return sources.flatMap((kind, index) => {
    const { check, path: shown = kind, forbiddenPath = kind } = SOURCES[kind] ?? { check: nothing };
    const source = objectOf(volume, kind) ?? {};
    const extra = kind === "iscsi" ? portalLength(source, name, path) : [];
    if (index > 0) return [forbidden(path.child(forbiddenPath), messages.manyVolumeTypes()), ...extra];
    const named = kind === "ephemeral" ? claimName(name, options.podName, path) : [];
    const isFree = kind === "image" && options.isTemplate && !since("1.37");
    return [...(isFree ? image : check)(source, path.child(shown), name), ...extra, ...named];
  });
}

function portalLength(source: JsonObject, name: string, path: FieldPath): FieldError[] {
  const isLong = has(source, "initiatorName") && name.length + 1 + textOf(source, "targetPortal").length > 64;
  return isLong ? [invalid(path.child("name"), name, messages.iscsiPortalLength())] : [];
}

function claimName(name: string, podName: string, path: FieldPath): FieldError[] {
  if (podName === "" || name === "") return [];
  const claim = `${podName}-${name}`;
  return checkDnsSubdomain(claim).map((problem) =>
    invalid(path.child("name"), name, messages.claimName(claim, problem)),
  );
}

const nothing: SourceCheck = () => [];

const emptyDir: SourceCheck = (source, path) => {
  const limit = quantityOf(source, "sizeLimit");
  const isNegative = limit !== undefined && signOf(limit) < 0;
  return isNegative ? [forbidden(path.child("sizeLimit"), messages.badSizeLimit())] : [];
};

const gitRepo: SourceCheck = (source, path) => [
  ...requiredText(source, "repository", path),
  ...relativePath(textOf(source, "directory"), path.child("directory")),
];

const csi: SourceCheck = (source, path) => {
  const secret = objectOf(source, "nodePublishSecretRef");
  const name = textOf(secret, "name");
  const errors = csiDriverName(textOf(source, "driver"), path.child("driver"));
  if (secret === undefined) return errors;
  // The path of a bad name leaves out its place.
  const wrong =
    name === "" ? [required(path.child("nodePublishSecretRef", "name"))] : subdomain(name, path.child("name"));
  return [...errors, ...wrong];
};

const ephemeral: SourceCheck = (source, path) => {
  const template = objectOf(source, "volumeClaimTemplate");
  const at = path.child("volumeClaimTemplate");
  return template === undefined ? [required(at)] : validateClaimTemplate(template, at);
};

const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];

const image: SourceCheck = (source, path) => oneOf(source, "pullPolicy", PULL_POLICIES, path);

/** In the order in which upstream looks for them. */
const SOURCES: Readonly<Record<string, SourceKind>> = {
  emptyDir: { check: emptyDir },
  hostPath: { check: hostPath },
  gitRepo: { check: gitRepo },
  gcePersistentDisk: { check: disk("pdName"), path: "persistentDisk" },
  awsElasticBlockStore: { check: disk("volumeID") },
  secret: { check: keyedFiles("secretName") },
  nfs: { check: nfs },
  iscsi: { check: iscsi(false) },
  glusterfs: { check: texts("endpoints", "path") },
  flocker: { check: flocker },
  persistentVolumeClaim: { check: texts("claimName") },
  rbd: { check: listed("monitors", "image") },
  cinder: { check: cinder(false) },
  cephfs: { check: listed("monitors"), forbiddenPath: "cephFS" },
  quobyte: { check: quobyte },
  downwardAPI: { check: downwardFiles, forbiddenPath: "downwarAPI" },
  fc: { check: fibreChannel },
  flexVolume: { check: flexVolume },
  configMap: { check: keyedFiles("name") },
  azureFile: { check: texts("secretName", "shareName") },
  vsphereVolume: { check: texts("volumePath") },
  photonPersistentDisk: { check: texts("pdID") },
  portworxVolume: { check: texts("volumeID") },
  azureDisk: { check: azureDisk },
  storageos: { check: storageOs(false) },
  projected: { check: projected },
  scaleIO: { check: texts("gateway", "system", "volumeName") },
  csi: { check: csi },
  ephemeral: { check: ephemeral },
  image: { check: (source, path, name) => [...texts("reference")(source, path, name), ...image(source, path, name)] },
};

const SOURCE_NAMES = Object.keys(SOURCES);
