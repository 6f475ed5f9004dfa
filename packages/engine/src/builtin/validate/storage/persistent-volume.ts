/** Persistent volumes. Follows ValidatePersistentVolume of core/validation. */

import { type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { internalDifference } from "../../internal/difference.ts";
import { has, isEmpty, metaOf, objectOf, textOf, textsOf } from "../../object.ts";
import { immutable, labelName, requiredText, subdomain } from "../checks.ts";
import { nilOf, resourceList } from "../go-values.ts";
import { noBacksteps } from "../paths.ts";
import { validateNodeSelector } from "../pod/affinity.ts";
import { amountsOf, positiveQuantity } from "../quantities.ts";
import { accessModes, capacity, VOLUME_MODES } from "./claim.ts";
import { csiDriverName } from "./csi-name.ts";
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

const SPEC = newPath("spec");
const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];

export function validateVolume(volume: JsonObject): FieldError[] {
  const spec = objectOf(volume, "spec") ?? {};
  return validateVolumeSpec(spec, SPEC, textOf(metaOf(volume), "name"));
}

function validateVolumeSpec(spec: JsonObject, path: FieldPath, name: string): FieldError[] {
  const policy = textOf(spec, "persistentVolumeReclaimPolicy");
  const mode = textOf(spec, "volumeMode");
  const isPolicy = policy === "" || RECLAIM_POLICIES.includes(policy);
  const isMode = !has(spec, "volumeMode") || VOLUME_MODES.includes(mode);
  return [
    ...(textsOf(spec, "accessModes").length === 0 ? [required(path.child("accessModes"))] : []),
    ...accessModes(spec, path.child("accessModes")),
    ...volumeCapacity(spec, path.child("capacity")),
    ...(isPolicy ? [] : [notSupported(path.child("persistentVolumeReclaimPolicy"), policy, RECLAIM_POLICIES)]),
    ...volumeAffinity(spec, path.child("nodeAffinity")),
    ...volumeSource(spec, path, name),
    ...recycledRoot(spec, path.child("persistentVolumeReclaimPolicy")),
    ...(textOf(spec, "storageClassName") === ""
      ? []
      : subdomain(textOf(spec, "storageClassName"), path.child("storageClassName"))),
    ...(isMode ? [] : [notSupported(path.child("volumeMode"), mode, VOLUME_MODES)]),
    ...attributesClass(spec, path),
  ];
}

/** A volume that is described where it is attached: only CSI, and nothing that a cluster would need to know. */
export function validateInlineVolume(spec: JsonObject, path: FieldPath): FieldError[] {
  const unwanted = ["claimRef", "capacity"].filter((key) => !isEmpty(spec[key]));
  const [policy, mode] = [textOf(spec, "persistentVolumeReclaimPolicy"), textOf(spec, "volumeMode")];
  return [
    ...unwanted.map((key) => forbidden(path.child(key), messages.notInline())),
    ...(has(spec, "csi") ? [] : [required(path.child("csi"), messages.csiInline())]),
    ...(textsOf(spec, "accessModes").length === 0 ? [required(path.child("accessModes"))] : []),
    ...accessModes(spec, path.child("accessModes")),
    ...(policy === "" || policy === "Retain"
      ? []
      : [forbidden(path.child("persistentVolumeReclaimPolicy"), messages.retainInline())]),
    ...(has(spec, "nodeAffinity") ? [forbidden(path.child("nodeAffinity"), messages.notInline())] : []),
    ...volumeSource(spec, path, ""),
    ...recycledRoot(spec, path.child("persistentVolumeReclaimPolicy")),
    ...(textOf(spec, "storageClassName") === ""
      ? []
      : [forbidden(path.child("storageClassName"), messages.notInline())]),
    ...(mode === "" || mode === "Filesystem" ? [] : [forbidden(path.child("volumeMode"), messages.filesystemInline())]),
  ];
}

function volumeCapacity(spec: JsonObject, path: FieldPath): FieldError[] {
  const list = objectOf(spec, "capacity") ?? {};
  const names = Object.keys(list);
  const errors = names.length === 0 ? [required(path)] : [];
  const isStorage = names.length === 1 && names[0] === "storage";
  if (!isStorage)
    errors.push(
      notSupported(path, has(spec, "capacity") ? resourceList(list) : nilOf("core.ResourceList"), ["storage"]),
    );
  return [
    ...errors,
    ...capacity(list, path),
    ...amountsOf(list).flatMap(([name, quantity]) => positiveQuantity(quantity, path.key(name))),
  ];
}

function volumeAffinity(spec: JsonObject, path: FieldPath): FieldError[] {
  const affinity = objectOf(spec, "nodeAffinity");
  if (affinity === undefined) return [];
  const needed = objectOf(affinity, "required");
  if (needed === undefined) return [required(path.child("required"), messages.nodeConstraints())];
  return validateNodeSelector(needed, path.child("required"));
}

function volumeSource(spec: JsonObject, path: FieldPath, name: string): FieldError[] {
  const kinds = SOURCE_NAMES.filter((kind) => has(spec, kind));
  if (kinds.length === 0) return [required(path, messages.volumeTypeNeeded())];
  return kinds.flatMap((kind, index) => {
    const { check, path: shown = kind, forbiddenPath = kind } = SOURCES[kind] ?? { check: () => [] };
    // Upstream forgets to count for one kind.
    if (index > 0 && kind !== "flexVolume") return [forbidden(path.child(forbiddenPath), messages.manyVolumeTypes())];
    const isLoose = kind === "local" && !has(spec, "nodeAffinity");
    return [
      ...check(objectOf(spec, kind) ?? {}, path.child(shown), name),
      ...(isLoose ? [required(path.child("nodeAffinity"), messages.localAffinity())] : []),
    ];
  });
}

function recycledRoot(spec: JsonObject, path: FieldPath): FieldError[] {
  const source = objectOf(spec, "hostPath");
  const isRoot = source !== undefined && /^\/(?:\.?\/)*\.?$/.test(textOf(source, "path"));
  const isRecycled = spec["persistentVolumeReclaimPolicy"] === "Recycle";
  return isRoot && isRecycled ? [forbidden(path, messages.recycleRoot())] : [];
}

function attributesClass(spec: JsonObject, path: FieldPath): FieldError[] {
  const key = "volumeAttributesClassName";
  if (!has(spec, key)) return [];
  const name = textOf(spec, key);
  return [
    ...(name === "" ? [required(path.child(key), messages.noEmptyClass())] : subdomain(name, path.child(key))),
    ...(has(spec, "csi") ? [] : [required(path.child("csi"), messages.csiForClass())]),
  ];
}

export function validateVolumeUpdate(volume: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(volume, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  const [now, then] = [sourceOf(withoutNewSecret(spec, before)), sourceOf(before)];
  const key = "volumeAttributesClassName";
  const isLost = has(before, key) && !has(spec, key);
  return [
    ...validateVolume(volume),
    ...(semanticEqual(now, then)
      ? []
      : [
          forbidden(
            SPEC.child("persistentvolumesource"),
            messages.sourceKept(internalDifference("core.PersistentVolumeSource", then, now)),
          ),
        ]),
    ...immutable(spec["volumeMode"], before["volumeMode"], newPath("volumeMode")),
    ...(isLost ? [forbidden(SPEC.child(key), messages.classToNil())] : []),
  ];
}

/** The secret for growing a volume may be added later. */
function withoutNewSecret(spec: JsonObject, before: JsonObject): JsonObject {
  const [csi, old] = [objectOf(spec, "csi"), objectOf(before, "csi")];
  if (csi === undefined || old === undefined || has(old, "controllerExpandSecretRef")) return spec;
  const { controllerExpandSecretRef: _, ...rest } = csi;
  return { ...spec, csi: rest };
}

function sourceOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(SOURCE_NAMES.filter((kind) => has(spec, kind)).map((kind) => [kind, spec[kind] ?? null]));
}

const csi: SourceCheck = (source, path) => [
  ...csiDriverName(textOf(source, "driver"), path.child("driver")),
  ...requiredText(source, "volumeHandle", path),
  ...SECRETS.flatMap((key) => {
    const secret = objectOf(source, key);
    return secret === undefined ? [] : secretReference(secret, path.child(key));
  }),
];

const SECRETS = [
  ...["controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"],
];

function secretReference(secret: JsonObject, path: FieldPath): FieldError[] {
  const [name, namespace] = [textOf(secret, "name"), textOf(secret, "namespace")];
  return [
    ...(name === "" ? [required(path.child("name"))] : subdomain(name, path.child("name"))),
    ...(namespace === "" ? [required(path.child("namespace"))] : labelName(namespace, path.child("namespace"))),
  ];
}

const glusterfs: SourceCheck = (source, path, name) => {
  const errors = texts("endpoints", "path")(source, path, name);
  if (!has(source, "endpointsNamespace")) return errors;
  const namespace = textOf(source, "endpointsNamespace");
  const at = path.child("endpointsNamespace");
  return [
    ...errors,
    ...(namespace === "" ? [invalid(at, namespace, messages.endpointsNamespace())] : labelName(namespace, at)),
  ];
};

const azureFile: SourceCheck = (source, path, name) => {
  const isEmpty = has(source, "secretNamespace") && textOf(source, "secretNamespace") === "";
  return [
    ...texts("secretName", "shareName")(source, path, name),
    ...(isEmpty ? [required(path.child("secretNamespace"))] : []),
  ];
};

const local: SourceCheck = (source, path) => {
  const localPath = textOf(source, "path");
  return localPath === "" ? [required(path.child("path"))] : noBacksteps(localPath, path.child("path"));
};

/** In the order in which upstream looks for them. */
const SOURCES: Readonly<Record<string, SourceKind>> = {
  hostPath: { check: hostPath },
  gcePersistentDisk: { check: disk("pdName"), path: "persistentDisk" },
  awsElasticBlockStore: { check: disk("volumeID") },
  glusterfs: { check: glusterfs },
  flocker: { check: flocker },
  nfs: { check: nfs },
  rbd: { check: listed("monitors", "image") },
  quobyte: { check: quobyte },
  cephfs: { check: listed("monitors"), forbiddenPath: "cephFS" },
  iscsi: { check: iscsi(true) },
  cinder: { check: cinder(true) },
  fc: { check: fibreChannel },
  flexVolume: { check: flexVolume },
  azureFile: { check: azureFile },
  vsphereVolume: { check: texts("volumePath") },
  photonPersistentDisk: { check: texts("pdID") },
  portworxVolume: { check: texts("volumeID") },
  azureDisk: { check: azureDisk },
  scaleIO: { check: texts("gateway", "system", "volumeName") },
  local: { check: local },
  storageos: { check: storageOs(true) },
  csi: { check: csi },
};

const SOURCE_NAMES = Object.keys(SOURCES);
