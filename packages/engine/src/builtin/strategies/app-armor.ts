/**
 * AppArmor profiles that a new pod names by annotations become fields of its containers, with a warning.
 *
 * Follows applyAppArmorVersionSkew of pkg/registry/core/pod/strategy.go and ApparmorFieldForAnnotation of
 * pkg/api/pod/util.go.
 */
import { trimSpace } from "@portcullis/gostd/space";
import { byteLength } from "@portcullis/gostd/utf8";
import { newPath } from "../../field/path.ts";
import { deepEqual } from "../../value/equal.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import { metaOf, objectFrom, objectOf, objectsOf, textOf } from "../object.ts";
import { about, oldAppArmor } from "../warnings/messages.ts";

export const APP_ARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";

export function copyAppArmorProfiles(pod: Draft, warn: (text: string) => void): void {
  const annotations = objectOf(metaOf(pod), "annotations");
  const spec = inner(pod, "spec");
  if (annotations === undefined || textOf(objectOf(spec, "os"), "name") === "windows") return;
  const ofPod = objectOf(objectOf(spec, "securityContext"), "appArmorProfile");
  for (const container of allContainers(spec)) {
    const key = `${APP_ARMOR_ANNOTATION}${textOf(container, "name")}`;
    const annotation = annotations[key];
    const isSet = isObject(objectOf(container, "securityContext")?.["appArmorProfile"]);
    if (typeof annotation !== "string" || isSet) continue;
    const profile = appArmorProfileOf(annotation);
    const isUsable = profile !== undefined && isValidProfile(profile);
    if (isUsable && deepEqual(profile, ofPod ?? null)) continue;
    if (isUsable) inner(container, "securityContext")["appArmorProfile"] = profile;
    warn(about(newPath("metadata", "annotations").key(key), oldAppArmor()));
  }
}

function allContainers(spec: JsonObject): Draft[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => objectsOf(spec, list));
}

/** The field that an annotation stands for. Undefined where there is none. */
export function appArmorProfileOf(annotation: string): JsonObject | undefined {
  if (annotation === "unconfined") return objectFrom({ type: "Unconfined" });
  if (annotation === "runtime/default") return objectFrom({ type: "RuntimeDefault" });
  const localhostProfile = annotation.startsWith("localhost/") ? annotation.slice("localhost/".length) : "";
  return localhostProfile === "" ? undefined : objectFrom({ type: "Localhost", localhostProfile });
}

const MAX_PROFILE_BYTES = 4095;

function isValidProfile(profile: JsonObject): boolean {
  const name = textOf(profile, "localhostProfile");
  return trimSpace(name) === name && byteLength(name) <= MAX_PROFILE_BYTES;
}
