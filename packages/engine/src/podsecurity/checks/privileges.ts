/** Checks about privileges, capabilities and users. Follows policy/check_{privileged,allowPrivilegeEscalation,capabilities_*,runAs*}.go. */
import { isObject, type JsonObject } from "../../value/json.ts";
import { textsOf } from "../../value/read.ts";
import {
  type CheckPod,
  type Container,
  containersOf,
  type PodLike,
  podSecurityContext,
  quoteAll,
  shownContainers,
  shownSetters,
  sortedSet,
} from "./check.ts";

export const privileged: CheckPod = (pod) => {
  const names = namesOf(pod, ({ security }) => security["privileged"] === true);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${shownContainers(names)} must not set securityContext.privileged=true` };
};

/** Since v1.8. */
export const allowPrivilegeEscalation: CheckPod = (pod) => {
  const names = namesOf(pod, ({ security }) => security["allowPrivilegeEscalation"] !== false);
  if (names.length === 0) return undefined;
  const detail = `${shownContainers(names)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: "allowPrivilegeEscalation != false", detail };
};

function namesOf(pod: PodLike, isBad: (container: Container) => boolean): string[] {
  return containersOf(pod)
    .filter(isBad)
    .map(({ name }) => name);
}

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

export const defaultCapabilities: CheckPod = (pod) => {
  const detail = addedCapabilities(pod, (name) => DEFAULT_CAPABILITIES.has(name));
  return detail === undefined ? undefined : { reason: "non-default capabilities", detail };
};

/** Since v1.22: all capabilities must be dropped, and only one may be added. */
export const restrictedCapabilities: CheckPod = (pod) => {
  const undropped = namesOf(pod, ({ security }) => !capabilities(security, "drop").includes("ALL"));
  const added = addedCapabilities(pod, (name) => name === "NET_BIND_SERVICE");
  const details = [
    ...(undropped.length > 0 ? [`${shownContainers(undropped)} must set ${DROP_ALL}`] : []),
    ...(added === undefined ? [] : [added]),
  ];
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

const DROP_ALL = 'securityContext.capabilities.drop=["ALL"]';

function addedCapabilities(pod: PodLike, isAllowed: (name: string) => boolean): string | undefined {
  const forbidden = (container: Container): string[] =>
    capabilities(container.security, "add").filter((name) => !isAllowed(name));
  const containers = containersOf(pod).filter((container) => forbidden(container).length > 0);
  if (containers.length === 0) return undefined;
  const names = sortedSet(containers.flatMap(forbidden));
  const subject = shownContainers(containers.map(({ name }) => name));
  return `${subject} must not include ${quoteAll(names)} in securityContext.capabilities.add`;
}

function capabilities(security: JsonObject, which: "add" | "drop"): string[] {
  const { capabilities: given } = security;
  return isObject(given) ? textsOf(given[which]) : [];
}

export const runAsNonRoot: CheckPod = (pod) => {
  const own = podSecurityContext(pod)["runAsNonRoot"];
  const explicit = namesOf(pod, ({ security }) => security["runAsNonRoot"] === false);
  const reason = "runAsNonRoot != true";
  if (own === false || explicit.length > 0) {
    const setters = shownSetters(own === false, explicit);
    return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  }
  const implicit = own === true ? [] : namesOf(pod, ({ security }) => typeof security["runAsNonRoot"] !== "boolean");
  if (implicit.length === 0) return undefined;
  return { reason, detail: `pod or ${shownContainers(implicit)} must set securityContext.runAsNonRoot=true` };
};

/** Since v1.23. */
export const runAsUser: CheckPod = (pod) => {
  const isPod = podSecurityContext(pod)["runAsUser"] === 0;
  const containers = namesOf(pod, ({ security }) => security["runAsUser"] === 0);
  if (!isPod && containers.length === 0) return undefined;
  return { reason: "runAsUser=0", detail: `${shownSetters(isPod, containers)} must not set runAsUser=0` };
};
