/** What is said about a running pod. Follows ValidatePodStatusUpdate of core/validation. */

import { type FieldError, forbidden, invalid } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import { isArray, type JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalListJson } from "../../internal/internal.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { isIpv6, legacyIp } from "../addresses.ts";
import { eachOf, immutable, qualifiedName, subdomain } from "../checks.ts";
import { annotationsOf, validateAnnotationUpdates, validatePodAnnotations } from "./annotations.ts";
import * as messages from "./messages.ts";
import {
  validateAllocated,
  validateClaimStatuses,
  validateContainerUsers,
  validateExtendedClaim,
} from "./status-resources.ts";

const STATUS = newPath("status");
/** Where the conditions were up to 1.32. */
const METADATA = newPath("metadata");
const ANNOTATIONS = newPath("metadata", "annotations");
const SYSTEM_CONDITIONS = new Set(["PodScheduled", "Ready", "Initialized"]);

const STATUS_LISTS = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];

export function validatePodStatus(pod: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [objectOf(pod, "status") ?? {}, objectOf(old, "status") ?? {}];
  const spec = objectOf(pod, "spec") ?? {};
  const generation = numberOf(status, "observedGeneration");
  return [
    ...validateAnnotationUpdates(annotationsOf(pod), annotationsOf(old), ANNOTATIONS),
    ...validatePodAnnotations(annotationsOf(pod), spec, ANNOTATIONS),
    ...conditions(status),
    ...nominatedNode(status, before, textOf(spec, "nodeName")),
    ...(generation < 0
      ? [invalid(STATUS.child("observedGeneration"), generation, messages.nonNegativeGeneration())]
      : []),
    ...(since("1.32")
      ? immutable(textOf(status, "qosClass"), textOf(before, "qosClass"), STATUS.child("qosClass"))
      : []),
    ...STATUS_LISTS.flatMap((key) => stillTerminated(status, before, key, spec)),
    ...validateClaimStatuses(status, spec),
    ...validateExtendedClaim(status, spec),
    ...addresses(status, before, "podIPs", STATUS.child("podIPs")),
    ...hostAddresses(status, before),
    ...STATUS_LISTS.flatMap((key) => validateContainerUsers(status, key, spec)),
    ...STATUS_LISTS.flatMap((key) => validateAllocated(status, key, containersOf(spec, key))),
  ];
}

/** The containers that a list of statuses is about; undefined for ephemeral ones, which have no resources. */
function containersOf(spec: JsonObject, key: string): JsonObject[] | undefined {
  if (key === "ephemeralContainerStatuses") return undefined;
  return objectsOf(spec, key === "containerStatuses" ? "containers" : "initContainers");
}

function conditions(status: JsonObject): FieldError[] {
  return eachOf(status, "conditions", since("1.33") ? STATUS : METADATA, (condition, at) => {
    const [type, generation] = [textOf(condition, "type"), numberOf(condition, "observedGeneration")];
    return [
      ...(generation < 0
        ? [invalid(at.child("observedGeneration"), generation, messages.nonNegativeGeneration())]
        : []),
      ...(SYSTEM_CONDITIONS.has(type) ? [] : qualifiedName(type, at.child("Type"))),
    ];
  });
}

function nominatedNode(status: JsonObject, before: JsonObject, nodeName: string): FieldError[] {
  const name = textOf(status, "nominatedNodeName");
  if (name === "" || name === textOf(before, "nominatedNodeName")) return [];
  const at = STATUS.child("nominatedNodeName");
  return [...subdomain(name, at), ...(nodeName === "" ? [] : [forbidden(at, messages.boundAlready())])];
}

/** A container that has ended runs again only where its pod says so. */
function stillTerminated(status: JsonObject, before: JsonObject, key: string, spec: JsonObject): FieldError[] {
  const now = firstByName(objectsOf(status, key));
  const containers = firstByName(containersOf(spec, key) ?? []);
  if (key !== "ephemeralContainerStatuses" && restartsAll(spec)) return [];
  return objectsOf(before, key).flatMap((old, index) => {
    const ended = objectOf(objectOf(old, "state"), "terminated");
    const same = now.get(textOf(old, "name"));
    if (ended === undefined || same === undefined || has(objectOf(same, "state"), "terminated")) return [];
    if (key !== "ephemeralContainerStatuses" && mayRestart(containers.get(textOf(old, "name")), spec, ended)) return [];
    return [forbidden(STATUS.child(key).index(index).child("state"), messages.stillTerminated())];
  });
}

function firstByName(items: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  return new Map(items.toReversed().map((each) => [textOf(each, "name"), each]));
}

const RESTART_ALL = "RestartAllContainers";

function restartsAll(spec: JsonObject): boolean {
  if (!isEnabled("RestartAllContainersOnContainerExits")) return false;
  const containers = [...objectsOf(spec, "initContainers"), ...objectsOf(spec, "containers")];
  return containers.some((each) => objectsOf(each, "restartPolicyRules").some(({ action }) => action === RESTART_ALL));
}

/** With rules of their own, only containers that the pod has may run again. */
function mayRestart(container: JsonObject | undefined, spec: JsonObject, ended: JsonObject): boolean {
  const exitCode = numberOf(ended, "exitCode");
  const hasRules = isEnabled("ContainerRestartRules");
  if (hasRules && container === undefined) return false;
  if (hasRules && has(container, "restartPolicy") && restartsByRule(container, exitCode)) return true;
  const policy = textOf(container, "restartPolicy") || textOf(spec, "restartPolicy");
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

/** Whether the first rule that fits the exit code says so. */
function restartsByRule(container: JsonObject | undefined, exitCode: number): boolean {
  const rule = objectsOf(container, "restartPolicyRules").find((each) => {
    const codes = objectOf(each, "exitCodes");
    const values = codes?.["values"];
    const isListed = isArray(values) && values.includes(exitCode);
    return codes?.["operator"] === "In" ? isListed : codes?.["operator"] === "NotIn" && !isListed;
  });
  const action = textOf(rule, "action");
  return action === "Restart" || (action === RESTART_ALL && isEnabled("RestartAllContainersOnContainerExits"));
}

function addresses(status: JsonObject, before: JsonObject, key: string, path: FieldPath): FieldError[] {
  const [ips, old] = [ipsOf(status, key), new Set(ipsOf(before, key))];
  const errors = ips.flatMap((ip, index) => legacyIp(ip, path.index(index), old));
  const isDual = ips.some(isIpv6) && !ips.every(isIpv6);
  if (ips.length < 2 || (isDual && ips.length === 2)) return errors;
  const type = key === "podIPs" ? "core.PodIP" : "core.HostIP";
  return [...errors, invalid(path, internalListJson(type, status[key]), messages.oneIpPerFamily())];
}

function ipsOf(status: JsonObject, key: string): string[] {
  return objectsOf(status, key).map((each) => textOf(each, "ip"));
}

function hostAddresses(status: JsonObject, before: JsonObject): FieldError[] {
  const [first] = ipsOf(status, "hostIPs");
  if (first === undefined) return [];
  const path = STATUS.child("hostIPs");
  const isOther = textOf(status, "hostIP") !== first;
  return [
    ...(isOther ? [invalid(path.index(0).child("ip"), first, messages.sameHostIp())] : []),
    ...addresses(status, before, "hostIPs", path),
  ];
}
