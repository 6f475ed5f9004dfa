/** Security contexts of pods and containers. Follows core/validation; privileged containers are allowed. */

import { byteLength } from "@portcullis/gostd/utf8";
import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import { isArray, type JsonObject, type JsonValue } from "../../../value/json.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, isSet, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { between } from "../messages.ts";
import { relativePath } from "../paths.ts";
import * as messages from "./messages.ts";
import { validateWindowsOptions } from "./windows.ts";

const MAX_ID = 2 ** 31 - 1;

/** What is shared with the node is in the spec itself. */
export function validatePodSecurity(spec: JsonObject, context: JsonObject, path: FieldPath): FieldError[] {
  const groups = context["supplementalGroups"];
  const sharesTwice = isSet(spec, "shareProcessNamespace") && isSet(spec, "hostPID");
  return [
    ...["fsGroup", "runAsUser", "runAsGroup"].flatMap((key) => validateId(context, key, path)),
    ...(isArray(groups) ? groups : []).flatMap((id, index) =>
      idErrors(id, path.child("supplementalGroups").index(index)),
    ),
    ...(sharesTwice ? [invalid(path.child("shareProcessNamespace"), true, messages.sharedAndHostPid())] : []),
    ...validateSysctls(spec, context, path.child("sysctls")),
    ...choice(context, "fsGroupChangePolicy", ["Always", "OnRootMismatch"], path),
    ...validateSeccomp(context, path),
    ...validateWindowsOptions(objectOf(context, "windowsOptions"), path.child("windowsOptions")),
    ...validateAppArmor(context, path),
    ...choice(context, "supplementalGroupsPolicy", ["Merge", "Strict"], path),
    // The other one comes with a feature that is off.
    ...choice(context, "seLinuxChangePolicy", seLinuxPolicies(), path),
  ];
}

export function validateContainerSecurity(context: JsonObject, path: FieldPath, hostUsers: boolean): FieldError[] {
  const isUnmasked = hostUsers && textOf(context, "procMount") === "Unmasked";
  return [
    ...["runAsUser", "runAsGroup"].flatMap((key) => validateId(context, key, path)),
    ...choice(context, "procMount", ["Default", "Unmasked"], path),
    ...(isUnmasked ? [invalid(path.child("procMount"), "Unmasked", messages.unmaskedNeedsUsers())] : []),
    ...validateSeccomp(context, path),
    ...validateEscalation(context, path),
    ...validateWindowsOptions(objectOf(context, "windowsOptions"), path.child("windowsOptions")),
    ...validateAppArmor(context, path),
  ];
}

/** One of a few where it is set; an empty text is none of them. */
function choice(context: JsonObject, key: string, supported: readonly string[], path: FieldPath): FieldError[] {
  const value = textOf(context, key);
  return !has(context, key) || supported.includes(value) ? [] : [notSupported(path.child(key), value, supported)];
}

function validateId(context: JsonObject, key: string, path: FieldPath): FieldError[] {
  return has(context, key) ? idErrors(numberOf(context, key), path.child(key)) : [];
}

function idErrors(id: JsonValue, path: FieldPath): FieldError[] {
  const value = Number(id);
  return value >= 0 && value <= MAX_ID ? [] : [invalid(path, value, between(0, MAX_ID))];
}

const SYSCTL = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const MAX_SYSCTL = 253;

function validateSysctls(spec: JsonObject, context: JsonObject, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(context, "sysctls").flatMap((sysctl, index) => {
    const name = textOf(sysctl, "name");
    const at = path.index(index).child("name");
    const isRepeated = seen.has(name);
    seen.add(name);
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at));
    else if (!isSysctl(name)) errors.push(invalid(at, name, messages.badSysctl()));
    else if (isRepeated) errors.push(duplicate(at, name));
    return [...errors, ...hostSysctl(spec, name, at)];
  });
}

function isSysctl(name: string): boolean {
  return name.length <= MAX_SYSCTL && name.split(/[./]/).every((part) => SYSCTL.test(part));
}

/** Settings of the node's own network and memory cannot be the pod's. */
function hostSysctl(spec: JsonObject, name: string, path: FieldPath): FieldError[] {
  const dotted = name.replaceAll("/", ".");
  const isIpc = /^kernel\.(sem$|shm|msg)|^fs\.mqueue\./.test(dotted);
  if (isSet(spec, "hostNetwork") && dotted.startsWith("net.")) {
    return [invalid(path, name, messages.hostSysctl("hostNetwork"))];
  }
  return isSet(spec, "hostIPC") && isIpc ? [invalid(path, name, messages.hostSysctl("hostIPC"))] : [];
}

const PROFILE_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];

function profileType(profile: JsonObject, key: string, path: FieldPath): FieldError[] {
  const type = textOf(profile, "type");
  if (type === "") return [required(path, messages.profileTypeNeeded(key))];
  return PROFILE_TYPES.includes(type) ? [] : [notSupported(path, type, PROFILE_TYPES)];
}

function validateSeccomp(context: JsonObject, path: FieldPath): FieldError[] {
  const profile = objectOf(context, "seccompProfile");
  if (profile === undefined) return [];
  const at = path.child("seccompProfile", "localhostProfile");
  const errors = profileType(profile, "seccompProfile", path.child("seccompProfile", "type"));
  const hasFile = has(profile, "localhostProfile");
  if (textOf(profile, "type") !== "Localhost") {
    const shown = internalJson("core.SeccompProfile", profile);
    return hasFile ? [...errors, invalid(at, shown, messages.localProfileOnly("seccomp"))] : errors;
  }
  if (!hasFile) return [...errors, required(at, messages.profileNeeded("seccomp"))];
  return [...errors, ...relativePath(textOf(profile, "localhostProfile"), at)];
}

const MAX_PROFILE = 4095;

function validateAppArmor(context: JsonObject, path: FieldPath): FieldError[] {
  const profile = objectOf(context, "appArmorProfile");
  if (profile === undefined) return [];
  const at = path.child("appArmorProfile", "localhostProfile");
  const name = textOf(profile, "localhostProfile");
  const isGiven = has(profile, "localhostProfile");
  if (textOf(profile, "type") !== "Localhost") {
    const errors = profileType(profile, "appArmorProfile", path.child("appArmorProfile", "type"));
    const isOdd = errors.length === 0 && isGiven;
    return isOdd ? [invalid(at, name, messages.localProfileOnly("AppArmor"))] : errors;
  }
  if (!isGiven || name === "") return [required(at, messages.profileNeeded("AppArmor"))];
  return [
    ...(name === name.trim() ? [] : [invalid(at, name, messages.padded())]),
    ...(byteLength(name) > MAX_PROFILE ? [tooLong(at, MAX_PROFILE)] : []),
  ];
}

function validateEscalation(context: JsonObject, path: FieldPath): FieldError[] {
  if (context["allowPrivilegeEscalation"] !== false) return [];
  const admins = textsOf(objectOf(context, "capabilities"), "add").filter((name) => name === "CAP_SYS_ADMIN");
  const shown = internalJson("core.SecurityContext", context);
  return [
    ...(isSet(context, "privileged") ? [invalid(path, shown, messages.privilegedEscalation())] : []),
    ...admins.map(() => invalid(path, shown, messages.adminEscalation())),
  ];
}

function seLinuxPolicies(): string[] {
  return isEnabled("SELinuxMount") ? ["MountOption", "Recursive"] : ["Recursive"];
}
