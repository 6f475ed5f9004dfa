/** Where containers see volumes, as folders and as devices. Follows ValidateVolumeMounts of core/validation. */
import { type FieldError, forbidden, invalid, notFound, notSupported, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, isSet, objectOf, objectsOf, textOf } from "../../object.ts";
import { noBacksteps, relativePath } from "../paths.ts";
import * as messages from "./messages.ts";

/** Names of volumes that are in order, with the kind of their source. */
export type VolumeNames = ReadonlyMap<string, string>;

export function validateMounts(container: JsonObject, path: FieldPath, volumes: VolumeNames): FieldError[] {
  const mounts = objectsOf(container, "volumeMounts");
  if (mounts.length === 0) return [];
  const paths = new Set<string>();
  const devices = objectsOf(container, "volumeDevices");
  const deviceNames = new Set(devices.map((device) => textOf(device, "name")));
  const devicePaths = new Set(devices.map((device) => textOf(device, "devicePath")));
  const list = path.child("volumeMounts");
  return mounts.flatMap((mount, index) => {
    const at = list.index(index);
    const [name, mountPath] = [textOf(mount, "name"), textOf(mount, "mountPath")];
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    if (!volumes.has(name)) errors.push(notFound(at.child("name"), name));
    if (mountPath === "") errors.push(required(at.child("mountPath")));
    if (paths.has(mountPath)) errors.push(invalid(at.child("mountPath"), mountPath, messages.mustBeUnique()));
    paths.add(mountPath);
    if (deviceNames.has(name)) errors.push(invalid(at.child("name"), name, messages.alreadyIn("volumeDevices")));
    if (devicePaths.has(mountPath))
      errors.push(invalid(at.child("mountPath"), mountPath, messages.alreadyPathIn("volumeDevices")));
    return [...errors, ...mountOptions(mount, container, list, at)];
  });
}

/** Most of these are said about the list. */
function mountOptions(mount: JsonObject, container: JsonObject, list: FieldPath, at: FieldPath): FieldError[] {
  const [subPath, expression] = [textOf(mount, "subPath"), textOf(mount, "subPathExpr")];
  const isBoth = subPath !== "" && expression !== "";
  return [
    ...(subPath === "" ? [] : relativePath(subPath, list.child("subPath"))),
    ...(isBoth ? [invalid(at.child("subPathExpr"), expression, messages.oneSubPath())] : []),
    ...(expression === "" ? [] : relativePath(expression, list.child("subPathExpr"))),
    ...(has(mount, "mountPropagation") ? propagation(mount, container, list.child("mountPropagation")) : []),
    ...(has(mount, "recursiveReadOnly") ? recursiveReadOnly(mount, list.child("recursiveReadOnly")) : []),
  ];
}

const PROPAGATIONS = ["Bidirectional", "HostToContainer", "None"];

function propagation(mount: JsonObject, container: JsonObject, path: FieldPath): FieldError[] {
  const mode = textOf(mount, "mountPropagation");
  const isPrivileged = isSet(objectOf(container, "securityContext"), "privileged");
  const isForbidden = mode === "Bidirectional" && !isPrivileged;
  return [
    ...(PROPAGATIONS.includes(mode) ? [] : [notSupported(path, mode, PROPAGATIONS)]),
    ...(isForbidden ? [forbidden(path, messages.privilegedPropagation())] : []),
  ];
}

const RECURSIVE = ["Disabled", "Enabled", "IfPossible"];

function recursiveReadOnly(mount: JsonObject, path: FieldPath): FieldError[] {
  const mode = textOf(mount, "recursiveReadOnly");
  if (mode === "Disabled") return [];
  if (!RECURSIVE.includes(mode)) return [notSupported(path, mode, RECURSIVE)];
  const isPropagated = has(mount, "mountPropagation") && textOf(mount, "mountPropagation") !== "None";
  return [
    ...(isSet(mount, "readOnly") ? [] : [forbidden(path, messages.readOnlyNeeded())]),
    ...(isPropagated ? [forbidden(path, messages.propagationNone())] : []),
  ];
}

const BLOCK_SOURCES = ["persistentVolumeClaim", "ephemeral"];

export function validateDevices(container: JsonObject, path: FieldPath, volumes: VolumeNames): FieldError[] {
  const devices = objectsOf(container, "volumeDevices");
  if (devices.length === 0) return [];
  const mounts = objectsOf(container, "volumeMounts");
  const mountNames = new Set(mounts.map((mount) => textOf(mount, "name")));
  const mountPaths = new Set(mounts.map((mount) => textOf(mount, "mountPath")));
  const [names, paths] = [new Set<string>(), new Set<string>()];
  return devices.flatMap((device, index) => {
    const at = path.child("volumeDevices").index(index);
    const [name, devicePath] = [textOf(device, "name"), textOf(device, "devicePath")];
    const errors = [
      ...deviceName(name, names, volumes, at.child("name")),
      ...devicePlace(devicePath, paths, at.child("devicePath")),
    ];
    if (mountNames.has(name)) errors.push(invalid(at.child("name"), name, messages.alreadyIn("volumeMounts")));
    if (mountPaths.has(devicePath))
      errors.push(invalid(at.child("devicePath"), devicePath, messages.alreadyPathIn("volumeMounts")));
    return errors;
  });
}

function deviceName(name: string, names: Set<string>, volumes: VolumeNames, path: FieldPath): FieldError[] {
  const source = volumes.get(name);
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(path));
  if (names.has(name)) errors.push(invalid(path, name, messages.mustBeUnique()));
  if (source === undefined) errors.push(notFound(path, name));
  else if (!BLOCK_SOURCES.includes(source)) errors.push(invalid(path, name, messages.notABlockSource()));
  if (name !== "") names.add(name);
  return errors;
}

function devicePlace(text: string, paths: Set<string>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (text === "") errors.push(required(path));
  if (paths.has(text)) errors.push(invalid(path, text, messages.mustBeUnique()));
  if (noBacksteps(text, path).length > 0) errors.push(invalid(path, text, messages.noDeviceBacksteps()));
  else paths.add(text);
  return errors;
}
