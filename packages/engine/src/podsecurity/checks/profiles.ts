/** Checks about AppArmor, seccomp and SELinux. Follows policy/check_{appArmorProfile,seccompProfile_*,seLinuxOptions}.go. */
import { quote } from "@portcullis/gostd/quote";
import { compareStrings } from "@portcullis/gostd/utf8";
import { isObject, type JsonObject } from "../../value/json.ts";
import { labelsOf, textOf } from "../../value/read.ts";
import {
  type CheckPod,
  containersOf,
  type PodLike,
  plural,
  podSecurityContext,
  quoteAll,
  shownContainers,
  shownSetters,
  sortedSet,
  type Violation,
} from "./check.ts";

const APP_ARMOR_PREFIX = "container.apparmor.security.beta.kubernetes.io/";

export const appArmorProfile: CheckPod = (pod) => {
  const { isPod, containers, values } = profileSetters(pod, "appArmorProfile");
  const annotations = Object.entries(annotationsOf(pod))
    .filter(([key, value]) => key.startsWith(APP_ARMOR_PREFIX) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${quote(value)}`)
    .sort(compareStrings);
  const setters = [
    shownSetters(isPod, containers),
    annotations.length === 0 ? "" : plural(annotations.length, "annotation"),
  ].filter((setter) => setter !== "");
  if (setters.length === 0) return undefined;
  const all = [...values, ...annotations];
  return {
    reason: plural(all.length, "forbidden AppArmor profile"),
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoteAll(all)}`,
  };
};

function isAllowedAppArmor(profile: string): boolean {
  return profile === "" || profile === "runtime/default" || profile.startsWith("localhost/");
}

function annotationsOf({ metadata }: PodLike): Readonly<Record<string, string>> {
  return labelsOf(metadata["annotations"]);
}

interface ProfileSetters {
  readonly isPod: boolean;
  readonly containers: readonly string[];
  readonly values: readonly string[];
}

const ALLOWED_TYPES: ReadonlySet<string> = new Set(["RuntimeDefault", "Localhost"]);

/** Where a profile of a forbidden type is set. */
function profileSetters(pod: PodLike, field: "appArmorProfile" | "seccompProfile"): ProfileSetters {
  const badType = (security: JsonObject): string | undefined => {
    const profile = security[field];
    const type = isObject(profile) ? textOf(profile["type"]) : undefined;
    return type === undefined || ALLOWED_TYPES.has(type) ? undefined : type;
  };
  const own = badType(podSecurityContext(pod));
  const containers = containersOf(pod).filter(({ security }) => badType(security) !== undefined);
  const values = [own, ...containers.map(({ security }) => badType(security))].flatMap((type) => type ?? []);
  return { isPod: own !== undefined, containers: containers.map(({ name }) => name), values: sortedSet(values) };
}

const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

/** Until v1.18 profiles were annotations. */
export const seccompAnnotations: CheckPod = (pod) => {
  const annotations = annotationsOf(pod);
  const keys = [SECCOMP_POD, ...containersOf(pod).map(({ name }) => `${SECCOMP_CONTAINER}${name}`)];
  const forbidden = sortedSet(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isAllowedSeccomp(value) ? [] : [`${key}=${quote(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `forbidden ${plural(forbidden.length, "annotation")} ${forbidden.join(", ")}`,
  };
};

function isAllowedSeccomp(profile: string): boolean {
  return profile === "runtime/default" || profile === "docker/default" || profile.startsWith("localhost/");
}

/** Since v1.19. */
export const seccompBaseline: CheckPod = (pod) => {
  const { isPod, containers, values } = profileSetters(pod, "seccompProfile");
  if (!isPod && containers.length === 0) return undefined;
  const setters = shownSetters(isPod, containers);
  return {
    reason: "seccompProfile",
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoteAll(values)}`,
  };
};

/** Since v1.19: a profile must be set. */
export const seccompRestricted: CheckPod = (pod) => seccompBaseline(pod) ?? missingSeccomp(pod);

function missingSeccomp(pod: PodLike): Violation | undefined {
  if (isObject(podSecurityContext(pod)["seccompProfile"])) return undefined;
  const names = containersOf(pod)
    .filter(({ security }) => !isObject(security["seccompProfile"]))
    .map(({ name }) => name);
  if (names.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${shownContainers(names)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

const SELINUX_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

export const seLinuxOptions: CheckPod = (pod) => checkSeLinux(pod, SELINUX_TYPES);

/** Since v1.31. */
export const seLinuxOptionsWithEngine: CheckPod = (pod) => checkSeLinux(pod, [...SELINUX_TYPES, "container_engine_t"]);

function checkSeLinux(pod: PodLike, allowed: readonly string[]): Violation | undefined {
  const bad = (security: JsonObject): JsonObject | undefined => {
    const { seLinuxOptions: options } = security;
    if (!isObject(options)) return undefined;
    const isFine = allowed.includes(textOf(options["type"])) && !isSet(options, "user") && !isSet(options, "role");
    return isFine ? undefined : options;
  };
  const own = bad(podSecurityContext(pod));
  const containers = containersOf(pod).filter(({ security }) => bad(security) !== undefined);
  const all = [own, ...containers.map(({ security }) => bad(security))].filter((options) => options !== undefined);
  if (all.length === 0) return undefined;
  const types = sortedSet(all.map(({ type }) => textOf(type)).filter((type) => !allowed.includes(type)));
  const data = [
    ...(types.length > 0 ? [`${plural(types.length, "type")} ${quoteAll(types)}`] : []),
    ...["user", "role"].filter((field) => all.some((options) => isSet(options, field))).map(mayNotBeSet),
  ];
  const setters = shownSetters(
    own !== undefined,
    containers.map(({ name }) => name),
  );
  return {
    reason: "seLinuxOptions",
    detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join("; ")}`,
  };
}

function isSet(options: JsonObject, field: string): boolean {
  return textOf(options[field]) !== "";
}

const mayNotBeSet = (field: string): string => `${field} may not be set`;
