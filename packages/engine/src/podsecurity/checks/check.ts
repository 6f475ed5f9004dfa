/** Shared by all checks: the pod they check, and the format of their messages. */
import { compareStrings } from "@portcullis/gostd/utf8";
import type { JsonObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";

/** A pod or a pod template. */
export interface PodLike {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

/** The result of a check: a reason, which is always shown, and a detail, which is shown for a single pod. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Undefined if the pod passes. */
export type CheckPod = (pod: PodLike) => Violation | undefined;

export interface Container {
  readonly name: string;
  readonly json: JsonObject;
  /** Empty if there is none. */
  readonly security: JsonObject;
}

/** Init containers first, ephemeral containers last. */
export function containersOf({ spec }: PodLike): Container[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objectsOf(spec[list]).map((json) => ({
      name: textOf(json["name"]),
      json,
      security: objectOf(json["securityContext"]),
    })),
  );
}

export function podSecurityContext({ spec }: PodLike): JsonObject {
  return objectOf(spec["securityContext"]);
}

function isWindows({ spec }: PodLike): boolean {
  return objectOf(spec["os"])["name"] === "windows";
}

/** Whether the pod has its own user namespace. */
function hasOwnUsers({ spec }: PodLike): boolean {
  return spec["hostUsers"] === false;
}

export function plural(count: number, singular: string, several = `${singular}s`): string {
  return count === 1 ? singular : several;
}

/** `container "a"`, `containers "a", "b"`. */
export function shownContainers(names: readonly string[]): string {
  return `${plural(names.length, "container")} ${quoteAll(names)}`;
}

export function quoteAll(texts: readonly string[]): string {
  return texts.length === 0 ? "" : `"${texts.join('", "')}"`;
}

/** Without duplicates, in byte order. */
export function sortedSet(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareStrings);
}

/** Formats what sets a forbidden value: `pod and containers "a", "b"`. */
export function shownSetters(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ["pod"] : []), ...(containers.length > 0 ? [shownContainers(containers)] : [])].join(" and ");
}

/** A check that Windows pods pass. */
export function exceptWindows(check: CheckPod): CheckPod {
  return (pod) => (isWindows(pod) ? undefined : check(pod));
}

/** A check that pods with their own user namespace pass. */
export function exceptOwnUsers(check: CheckPod): CheckPod {
  return (pod) => (hasOwnUsers(pod) ? undefined : check(pod));
}
