/** Annotations that once were the only way to say something about a pod. Follows core/validation. */
import { type FieldError, forbidden, invalid } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { hasKey, type JsonObject, sortedKeys } from "../../../value/json.ts";
import { metaOf, objectOf, textOf } from "../../object.ts";
import { relativePath } from "../paths.ts";
import * as messages from "./messages.ts";
import { placedContainers } from "./spec.ts";

const MIRROR = "kubernetes.io/config.mirror";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
const APPARMOR = "container.apparmor.security.beta.kubernetes.io/";
const LOCALHOST = "localhost/";

export function annotationsOf(object: JsonObject): JsonObject {
  return objectOf(metaOf(object), "annotations") ?? NONE;
}

const NONE: JsonObject = {};

export function validatePodAnnotations(annotations: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  if (annotations === NONE) return [];
  const cost = textOf(annotations, DELETION_COST);
  const needsNode = hasKey(annotations, MIRROR) && textOf(spec, "nodeName") === "";
  return [
    ...(needsNode ? [invalid(path.key(MIRROR), textOf(annotations, MIRROR), messages.mirrorNeedsNode())] : []),
    ...(hasKey(annotations, DELETION_COST) && !isInt32(cost)
      ? [invalid(path.key(DELETION_COST), cost, messages.badDeletionCost())]
      : []),
    ...sortedKeys(annotations)
      .filter((key) => key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER))
      .flatMap((key) => seccompProfile(textOf(annotations, key), path.child(key))),
    ...appArmor(annotations, spec, path),
  ];
}

/** Go reads no leading zeros or signs that say nothing here. */
function isInt32(text: string): boolean {
  if (!/^(0|-?[1-9][0-9]{0,9})$/.test(text)) return false;
  return Math.abs(Number(text)) < 2 ** 31 || Number(text) === -(2 ** 31);
}

function seccompProfile(profile: string, path: FieldPath): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(LOCALHOST)) return relativePath(profile.slice(LOCALHOST.length), path);
  return [invalid(path, profile, messages.badSeccomp())];
}

function appArmor(annotations: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const keys = sortedKeys(annotations).filter((key) => key.startsWith(APPARMOR));
  if (keys.length === 0) return [];
  const names = new Set(placedContainers(spec, path).map(([container]) => textOf(container, "name")));
  return keys.flatMap((key) => {
    const [name, profile] = [key.slice(APPARMOR.length), textOf(annotations, key)];
    const isKnown = ["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith(LOCALHOST);
    return [
      ...(names.has(name) ? [] : [invalid(path.key(key), name, messages.noSuchContainer())]),
      ...(isKnown ? [] : [invalid(path.key(key), profile, messages.badAppArmor(profile))]),
    ];
  });
}

/** Where an annotation and a field say the same, they must agree. */
export function validateProfilesAgree(annotations: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  if (annotations === NONE) return [];
  const ofPod = objectOf(spec, "securityContext");
  const isWindows = textOf(objectOf(spec, "os"), "name") === "windows";
  const containers = placedContainers(spec, path);
  return [
    ...agree(annotations, SECCOMP_POD, objectOf(ofPod, "seccompProfile"), path.child("securityContext"), SECCOMP),
    ...containers.flatMap(([container, at]) => {
      const own = objectOf(objectOf(container, "securityContext"), "seccompProfile");
      const key = `${SECCOMP_CONTAINER}${textOf(container, "name")}`;
      return agree(annotations, key, own, at.child("securityContext"), SECCOMP);
    }),
    ...(isWindows ? [] : containers).flatMap(([container, at]) => {
      const own = objectOf(objectOf(container, "securityContext"), "appArmorProfile");
      const key = `${APPARMOR}${textOf(container, "name")}`;
      return agree(annotations, key, own ?? objectOf(ofPod, "appArmorProfile"), at.child("securityContext"), ARMOR);
    }),
  ];
}

interface ProfileKind {
  readonly member: string;
  readonly defaults: readonly string[];
  readonly otherType: () => string;
  readonly otherProfile: () => string;
}

const SECCOMP: ProfileKind = {
  member: "seccompProfile",
  defaults: ["runtime/default", "docker/default"],
  otherType: messages.otherSeccompType,
  otherProfile: messages.otherSeccompProfile,
};

const ARMOR: ProfileKind = {
  member: "appArmorProfile",
  defaults: ["runtime/default"],
  otherType: messages.otherAppArmorType,
  otherProfile: messages.otherAppArmorProfile,
};

function agree(
  annotations: JsonObject,
  key: string,
  profile: JsonObject | undefined,
  path: FieldPath,
  { member, defaults, otherType, otherProfile }: ProfileKind,
): FieldError[] {
  if (profile === undefined || !hasKey(annotations, key)) return [];
  const annotation = textOf(annotations, key);
  const at = path.child(member);
  const wrongType = [forbidden(at.child("type"), otherType())];
  switch (profile["type"]) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : wrongType;
    case "RuntimeDefault":
      return defaults.includes(annotation) ? [] : wrongType;
    case "Localhost":
      if (!annotation.startsWith(LOCALHOST)) return wrongType;
      if (annotation.slice(LOCALHOST.length) === profile["localhostProfile"]) return [];
      return [forbidden(at.child("localhostProfile"), otherProfile())];
    default:
      return [];
  }
}

/** Some annotations are as immutable as the fields they replace. */
export function validateAnnotationUpdates(now: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const lost = sortedKeys(old).filter((key) => now[key] !== old[key]);
  const added = sortedKeys(now).filter((key) => !hasKey(old, key));
  return [
    ...lost.flatMap((key) => lasting(key, "remove or update", path)),
    ...added.flatMap((key) => lasting(key, "add", path)),
  ];
}

function lasting(key: string, verb: string, path: FieldPath): FieldError[] {
  if (key.startsWith(APPARMOR))
    return [forbidden(path.key(key), messages.keptAnnotation(verb, "AppArmor annotations"))];
  if (key !== MIRROR) return [];
  return [forbidden(path.key(key), messages.keptAnnotation(verb, "mirror pod annotation"))];
}
