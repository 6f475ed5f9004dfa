/** Windows: options of its containers, and what the two operating systems lack. Follows core/validation. */
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { checkDnsSubdomain } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isArray, type JsonObject } from "../../../value/json.ts";
import { has, isSet, objectOf, textOf } from "../../object.ts";
import * as messages from "./messages.ts";

/** A container and its path. */
export type PlacedContainer = readonly [container: JsonObject, path: FieldPath];

const MAX_CREDENTIALS = 64 * 1024;

export function validateWindowsOptions(options: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (options === undefined) return [];
  const [name, spec] = [textOf(options, "gmsaCredentialSpecName"), textOf(options, "gmsaCredentialSpec")];
  const errors = has(options, "gmsaCredentialSpecName")
    ? checkDnsSubdomain(name).map((problem) => invalid(path.child("gmsaCredentialSpecName"), name, problem))
    : [];
  const at = path.child("gmsaCredentialSpec");
  if (has(options, "gmsaCredentialSpec") && spec === "") errors.push(invalid(at, spec, messages.emptyCredentials()));
  if (byteLength(spec) > MAX_CREDENTIALS) errors.push(invalid(at, spec, messages.longCredentials()));
  if (!has(options, "runAsUserName")) return errors;
  const user = textOf(options, "runAsUserName");
  return [...errors, ...userProblems(user).map((problem) => invalid(path.child("runAsUserName"), user, problem))];
}

const CONTROL = /[\0-\x1f\x7f]/;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = /^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const MAX_DOMAIN = 255;
const MAX_USER = 104;

function userProblems(name: string): string[] {
  if (name === "") return [messages.emptyUserName()];
  if (CONTROL.test(name)) return [messages.controlInUserName()];
  const parts = name.split("\\");
  if (parts.length > 2) return [messages.backslashesInUserName()];
  const [domain, user = ""] = parts.length === 2 ? parts : [undefined, name];
  const problems: string[] = [];
  if (domain !== undefined && domain.length > MAX_DOMAIN) problems.push(messages.longDomain());
  if (domain !== undefined && !NETBIOS.test(domain) && !domain.split(".").every((label) => DNS_LABEL.test(label)))
    problems.push(messages.badDomain());
  if (user === "") problems.push(messages.emptyUser());
  else if (user.length > MAX_USER) problems.push(messages.longUser());
  if (/^[. ]+$/.test(user)) problems.push(messages.dotsInUser());
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) problems.push(messages.charsInUser());
  return problems;
}

/** Containers that run as the node itself: all of a pod, or none. */
export function validateHostProcess(
  spec: JsonObject,
  containers: readonly PlacedContainer[],
  path: FieldPath,
): FieldError[] {
  const ofPod = objectOf(objectOf(spec, "securityContext"), "windowsOptions")?.["hostProcess"];
  const errors: FieldError[] = [];
  let count = 0;
  for (const [container, at] of containers) {
    const own = objectOf(objectOf(container, "securityContext"), "windowsOptions")?.["hostProcess"];
    if (ofPod !== undefined && own !== undefined && own !== ofPod) {
      const place = at.child("securityContext", "windowsOptions", "hostProcess");
      errors.push(invalid(place, own, messages.sameHostProcess(ofPod === true)));
    }
    if ((own ?? ofPod) === true) count++;
  }
  if (count === 0) return errors;
  if (count !== containers.length) errors.push(invalid(path, "", messages.allHostProcess()));
  if (!isSet(spec, "hostNetwork"))
    errors.push(invalid(path.child("hostNetwork"), false, messages.hostProcessNetwork()));
  return errors;
}

const SYSTEMS = ["linux", "windows"];

export function validateSystem(
  spec: JsonObject,
  containers: readonly PlacedContainer[],
  path: FieldPath,
): FieldError[] {
  const os = objectOf(spec, "os");
  if (os === undefined) return [];
  const name = textOf(os, "name");
  if (name === "") return [required(path.child("os", "name"), messages.osNameNeeded())];
  if (name === "linux") return linux(spec, containers, path);
  return name === "windows" ? windows(spec, containers, path) : [notSupported(path.child("os"), name, SYSTEMS)];
}

function linux(spec: JsonObject, containers: readonly PlacedContainer[], path: FieldPath): FieldError[] {
  const places: PlacedContainer[] = [[spec, path], ...containers];
  return places
    .filter(([place]) => has(objectOf(place, "securityContext"), "windowsOptions"))
    .map(([, at]) => forbidden(at.child("securityContext", "windowsOptions"), messages.noWindowsOptions()));
}

/** In upstream's order; those in the spec itself are reported there. */
const NOT_IN_PODS: readonly (readonly [key: string, isInSpec: boolean])[] = [
  ["appArmorProfile", false],
  ["seLinuxOptions", false],
  ["hostUsers", true],
  ["hostPID", true],
  ["hostIPC", true],
  ["seccompProfile", false],
  ["fsGroup", false],
  ["fsGroupChangePolicy", false],
  ["sysctls", false],
  ["shareProcessNamespace", true],
  ["runAsUser", false],
  ["runAsGroup", false],
  ["supplementalGroups", false],
  ["supplementalGroupsPolicy", false],
  ["seLinuxChangePolicy", false],
];

const NOT_IN_CONTAINERS = [
  ...["appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged"],
  ...["allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup"],
];

function windows(spec: JsonObject, containers: readonly PlacedContainer[], path: FieldPath): FieldError[] {
  const context = objectOf(spec, "securityContext") ?? {};
  const security = path.child("securityContext");
  return [
    ...NOT_IN_PODS.flatMap(([key, isInSpec]) =>
      isGiven(isInSpec ? spec : context, key)
        ? [forbidden((isInSpec ? path : security).child(key), messages.notForWindows())]
        : [],
    ),
    ...containers.flatMap(([container, at]) => {
      const own = objectOf(container, "securityContext");
      return NOT_IN_CONTAINERS.filter((key) => has(own, key)).map((key) =>
        forbidden(at.child("securityContext", key), messages.notForWindows()),
      );
    }),
  ];
}

function isGiven(object: JsonObject, key: string): boolean {
  const value = object[key];
  if (key === "hostPID" || key === "hostIPC") return value === true;
  return has(object, key) && !(key === "sysctls" && isArray(value) && value.length === 0);
}
