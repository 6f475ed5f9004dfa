/** Security contexts of pods and containers. Follows core/validation. */
import { duplicate, type FieldError, GoJson, invalid, required } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, isSet, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { oneOf, oneOfIfSet } from "./checks.ts";
import * as messages from "./messages.ts";

const MAX_ID = 2 ** 31 - 1;
const PROFILE_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];

export function validatePodSecurity(context: JsonObject, path: FieldPath): FieldError[] {
  const groups = context["supplementalGroups"];
  return [
    ...["fsGroup", "runAsUser", "runAsGroup"].flatMap((key) => validateId(context, key, path)),
    ...(isArray(groups) ? groups : []).flatMap((id, index) =>
      idErrors(id, path.child("supplementalGroups").index(index)),
    ),
    ...validateSysctls(objectsOf(context, "sysctls"), path.child("sysctls")),
    ...oneOfIfSet(context, "fsGroupChangePolicy", ["Always", "OnRootMismatch"], path),
    ...validateProfile(context, "seccompProfile", path, messages.seccompProfileNeeded()),
    ...oneOfIfSet(context, "supplementalGroupsPolicy", ["Merge", "Strict"], path),
    ...validateWindows(context, path),
    ...validateProfile(context, "appArmorProfile", path, messages.appArmorProfileNeeded()),
  ];
}

export function validateContainerSecurity(context: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...["runAsUser", "runAsGroup"].flatMap((key) => validateId(context, key, path)),
    ...oneOfIfSet(context, "procMount", ["Default", "Unmasked"], path),
    ...validateProfile(context, "seccompProfile", path, messages.seccompProfileNeeded()),
    ...validateEscalation(context, path),
    ...validateWindows(context, path),
    ...validateProfile(context, "appArmorProfile", path, messages.appArmorProfileNeeded()),
  ];
}

function validateId(context: JsonObject, key: string, path: FieldPath): FieldError[] {
  return has(context, key) ? idErrors(numberOf(context, key), path.child(key)) : [];
}

function idErrors(id: JsonValue, path: FieldPath): FieldError[] {
  const value = Number(id);
  return value >= 0 && value <= MAX_ID ? [] : [invalid(path, value, messages.between(0, MAX_ID))];
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function validateSysctls(sysctls: readonly JsonObject[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap((sysctl, index) => {
    const name = textOf(sysctl, "name");
    const at = path.index(index).child("name");
    const isRepeated = seen.has(name);
    seen.add(name);
    if (name === "") return [required(at)];
    if (name.length > 253 || !isSysctl(name)) return [invalid(at, name, messages.badSysctl())];
    return isRepeated ? [duplicate(at, name)] : [];
  });
}

/** The pattern is tried on short names only, and has no nested repetition that could match in two ways. */
function isSysctl(name: string): boolean {
  return name.split(/[./]/).every((part) => SYSCTL.test(part));
}

function validateProfile(context: JsonObject, key: string, path: FieldPath, needed: string): FieldError[] {
  const profile = objectOf(context, key);
  if (profile === undefined) return [];
  const at = path.child(key);
  const errors = oneOf(profile, "type", PROFILE_TYPES, at);
  const isLocal = textOf(profile, "type") === "Localhost";
  if (isLocal && textOf(profile, "localhostProfile") === "")
    errors.push(required(at.child("localhostProfile"), needed));
  if (!isLocal && has(profile, "localhostProfile")) {
    errors.push(
      invalid(at.child("localhostProfile"), textOf(profile, "localhostProfile"), messages.localProfileOnly(key)),
    );
  }
  return errors;
}

function validateEscalation(context: JsonObject, path: FieldPath): FieldError[] {
  if (context["allowPrivilegeEscalation"] !== false) return [];
  const added = textsOf(objectOf(context, "capabilities"), "add");
  const errors: FieldError[] = [];
  if (isSet(context, "privileged")) errors.push(invalid(path, goContext(context), messages.privilegedEscalation()));
  if (added.includes("CAP_SYS_ADMIN")) errors.push(invalid(path, goContext(context), messages.adminEscalation()));
  return errors;
}

const FIELDS = [
  ...["capabilities", "privileged", "seLinuxOptions", "windowsOptions", "runAsUser", "runAsGroup", "runAsNonRoot"],
  ...["readOnlyRootFilesystem", "allowPrivilegeEscalation", "procMount", "seccompProfile", "appArmorProfile"],
];

/** As Go writes the internal type. */
function goContext(context: JsonObject): GoJson {
  const members = FIELDS.map((key) => `${JSON.stringify(goName(key))}:${goJson(context[key], key)}`);
  return new GoJson(`{${members.join(",")}}`);
}

function goJson(value: JsonValue | undefined, key: string): string {
  if (value === undefined) return "null";
  if (!isObject(value)) return canonicalJson(value);
  const keys = key === "capabilities" ? ["add", "drop"] : Object.keys(value);
  return `{${keys.map((each) => `${JSON.stringify(goName(each))}:${goJson(value[each], each)}`).join(",")}}`;
}

function goName(key: string): string {
  return key === "seLinuxOptions" ? "SELinuxOptions" : `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}

function validateWindows(context: JsonObject, path: FieldPath): FieldError[] {
  const options = objectOf(context, "windowsOptions");
  const isEmpty = options !== undefined && options["runAsUserName"] === "";
  const at = path.child("windowsOptions", "runAsUserName");
  return isEmpty ? [invalid(at, "", messages.emptyUserName())] : [];
}
