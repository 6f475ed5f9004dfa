/** Sources of volumes that pods and persistent volumes share. Follows validate…VolumeSource of core/validation. */
import { compileCached } from "@portcullis/gostd/regexp";
import { type FieldError, invalid, notSupported, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isArray, type JsonObject, sortedKeys } from "../../../value/json.ts";
import { has, isSet, numberOf, objectOf, textOf, textsOf } from "../../object.ts";
import { labelName, requiredText } from "../checks.ts";
import { between } from "../messages.ts";
import { noBacksteps } from "../paths.ts";
import * as messages from "./messages.ts";

export type SourceCheck = (source: JsonObject, path: FieldPath, volumeName: string) => FieldError[];

/** One way to say what kind of volume it is. */
export interface SourceKind {
  readonly check: SourceCheck;
  /** The name that messages give it, where it is another one; upstream has one for each place. */
  readonly path?: string;
  readonly forbiddenPath?: string;
}

export function texts(...keys: readonly string[]): SourceCheck {
  return (source, path) => keys.flatMap((key) => requiredText(source, key, path));
}

const HOST_PATH_TYPES = [
  ...["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"],
];

export const hostPath: SourceCheck = (source, path) => {
  const [hostPath, type] = [textOf(source, "path"), textOf(source, "type")];
  if (hostPath === "") return [required(path.child("path"))];
  return [
    ...noBacksteps(hostPath, path.child("path")),
    ...(HOST_PATH_TYPES.includes(type) ? [] : [notSupported(path.child("type"), type, HOST_PATH_TYPES)]),
  ];
};

export const nfs: SourceCheck = (source, path) => {
  const exported = textOf(source, "path");
  return [
    ...texts("server", "path")(source, path, ""),
    ...(exported.startsWith("/") ? [] : [invalid(path.child("path"), exported, messages.absolutePath())]),
  ];
};

const MAX_PARTITION = 255;

/** Disks with partitions; the message starts at 1 although 0 is taken. */
export function disk(key: string): SourceCheck {
  return (source, path) => {
    const partition = numberOf(source, "partition");
    const isWrong = partition < 0 || partition > MAX_PARTITION;
    return [
      ...requiredText(source, key, path),
      ...(isWrong ? [invalid(path.child("partition"), partition, between(1, MAX_PARTITION))] : []),
    ];
  };
}

const INITIATORS: readonly (readonly [prefix: string, pattern: string])[] = [
  ["iqn", "iqn\\.\\d{4}-\\d{2}\\.([[:alnum:]-.]+)(:[^,;*&$|\\s]+)$"],
  ["eui", "^eui.[[:alnum:]]{16}$"],
  ["naa", "^naa.[[:alnum:]]{32}$"],
];

const MAX_LUN = 255;

export function iscsi(isPersistent: boolean): SourceCheck {
  return (source, path, volumeName) => {
    const lun = numberOf(source, "lun");
    const needsSecret = isSet(source, "chapAuthDiscovery") || isSet(source, "chapAuthSession");
    const secret = objectOf(source, "secretRef");
    return [
      ...requiredText(source, "targetPortal", path),
      ...(isPersistent ? portalLength(source, volumeName, path) : []),
      ...(textOf(source, "iqn") === "" ? [required(path.child("iqn"))] : initiator(source, "iqn", path, isPersistent)),
      ...(lun < 0 || lun > MAX_LUN ? [invalid(path.child("lun"), lun, between(0, MAX_LUN))] : []),
      ...(needsSecret && secret === undefined ? [required(path.child("secretRef"))] : []),
      ...(isPersistent && secret !== undefined ? requiredText(secret, "name", path.child("secretRef")) : []),
      ...(has(source, "initiatorName") ? initiator(source, "initiatorName", path, isPersistent) : []),
    ];
  };
}

function portalLength(source: JsonObject, volumeName: string, path: FieldPath): FieldError[] {
  const portal = textOf(source, "targetPortal");
  const isLong = has(source, "initiatorName") && volumeName.length + 1 + portal.length > 64;
  return isLong ? [invalid(path.child("targetportal"), portal, messages.iscsiPortalLength())] : [];
}

function initiator(source: JsonObject, key: string, path: FieldPath, isPersistent: boolean): FieldError[] {
  const name = textOf(source, key);
  const at = path.child(key.toLowerCase());
  const form = INITIATORS.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) return [invalid(at, name, isPersistent ? messages.validFormat() : messages.iscsiPrefix())];
  const isMatched = compileCached(form[1]).pattern?.matches(name) === true;
  return isMatched ? [] : [invalid(at, name, messages.validFormat())];
}

export const fibreChannel: SourceCheck = (source, path) => {
  const [names, ids] = [textsOf(source, "targetWWNs"), textsOf(source, "wwids")];
  const at = path.child("targetWWNs");
  const errors: FieldError[] = [];
  if (names.length === 0 && ids.length === 0) errors.push(required(at, messages.wwnsOrWwids()));
  if (names.length > 0 && ids.length > 0) errors.push(invalid(at, names, messages.wwnsAndWwids()));
  if (names.length === 0) return errors;
  const lun = numberOf(source, "lun");
  if (!has(source, "lun")) errors.push(required(path.child("lun"), messages.lunForWwns()));
  else if (lun < 0 || lun > MAX_LUN) errors.push(invalid(path.child("lun"), lun, between(0, MAX_LUN)));
  return errors;
};

const MAX_TENANT = 64;

export const quobyte: SourceCheck = (source, path) => {
  const [registry, tenant] = [textOf(source, "registry"), textOf(source, "tenant")];
  const errors: FieldError[] = [];
  if (registry === "") errors.push(required(path.child("registry"), messages.hostPorts()));
  else if (tenant.length > MAX_TENANT) errors.push(required(path.child("tenant"), messages.tenantLength()));
  else {
    const broken = registry.split(",").filter((pair) => !isHostPort(pair));
    errors.push(...broken.map(() => invalid(path.child("registry"), registry, messages.hostPorts())));
  }
  return [...errors, ...requiredText(source, "volume", path)];
};

function isHostPort(text: string): boolean {
  return /^\[[^[\]]*\]:[^:[\]]*$/.test(text) || /^[^:[\]]*:[^:[\]]*$/.test(text);
}

export const flocker: SourceCheck = (source, path) => {
  const [name, uuid] = [textOf(source, "datasetName"), textOf(source, "datasetUUID")];
  const errors: FieldError[] = [];
  if (name === "" && uuid === "") errors.push(required(path, messages.datasetNeeded()));
  if (name !== "" && uuid !== "") errors.push(invalid(path, "resource", messages.oneDataset()));
  if (name.includes("/")) errors.push(invalid(path.child("datasetName"), name, messages.noSlash()));
  return errors;
};

export function listed(key: string, ...more: readonly string[]): SourceCheck {
  return (source, path) => {
    const list = source[key];
    const isEmpty = !isArray(list) || list.length === 0;
    return [...(isEmpty ? [required(path.child(key))] : []), ...texts(...more)(source, path, "")];
  };
}

export const flexVolume: SourceCheck = (source, path) => {
  const options = objectOf(source, "options") ?? {};
  const reserved = sortedKeys(options).filter((key) => /\.(kubernetes\.io|k8s\.io)$/i.test(`.${key.split("/", 1)[0]}`));
  return [
    ...requiredText(source, "driver", path),
    ...reserved.map((key) => invalid(path.child("options").key(key), key, messages.reservedOption())),
  ];
};

const CACHING = ["None", "ReadOnly", "ReadWrite"];
const DISK_KINDS = ["Dedicated", "Managed", "Shared"];
const MANAGED_URI = ["/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"];
const BLOB_URI = ["https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"];

export const azureDisk: SourceCheck = (source, path) => {
  const [caching, kind, uri] = [textOf(source, "cachingMode"), textOf(source, "kind"), textOf(source, "diskURI")];
  const errors = texts("diskName", "diskURI")(source, path, "");
  if (has(source, "cachingMode") && !CACHING.includes(caching))
    errors.push(notSupported(path.child("cachingMode"), caching, CACHING));
  if (!has(source, "kind")) return errors;
  if (!DISK_KINDS.includes(kind)) errors.push(notSupported(path.child("kind"), kind, DISK_KINDS));
  const isManaged = kind === "Managed";
  if (!uri.startsWith(isManaged ? "/subscriptions/" : "https://"))
    errors.push(notSupported(path.child("diskURI"), uri, isManaged ? MANAGED_URI : BLOB_URI));
  return errors;
};

export function storageOs(isPersistent: boolean): SourceCheck {
  return (source, path) => {
    const [name, namespace] = [textOf(source, "volumeName"), textOf(source, "volumeNamespace")];
    return [
      ...(name === "" ? [required(path.child("volumeName"))] : labelName(name, path.child("volumeName"))),
      ...(namespace === "" ? [] : labelName(namespace, path.child("volumeNamespace"))),
      ...secretReference(source, path, isPersistent),
    ];
  };
}

export function cinder(isPersistent: boolean): SourceCheck {
  return (source, path) => [...requiredText(source, "volumeID", path), ...secretReference(source, path, isPersistent)];
}

function secretReference(source: JsonObject, path: FieldPath, isPersistent: boolean): FieldError[] {
  const secret = objectOf(source, "secretRef");
  if (secret === undefined) return [];
  const at = path.child("secretRef");
  return [...requiredText(secret, "name", at), ...(isPersistent ? requiredText(secret, "namespace", at) : [])];
}
