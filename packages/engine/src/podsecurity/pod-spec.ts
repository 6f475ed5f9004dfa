/** The pod or the pod template of an object. Follows DefaultPodSpecExtractor of admission/admission.go. */
import { isObject, type JsonObject } from "../value/json.ts";
import { objectOf } from "../value/read.ts";
import type { PodLike } from "./checks/check.ts";

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** Where pods are in objects: the members that lead to them. */
export const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  "/pods": [],
  "/replicationcontrollers": ["spec", "template"],
  "/podtemplates": ["template"],
  "apps/replicasets": ["spec", "template"],
  "apps/deployments": ["spec", "template"],
  "apps/statefulsets": ["spec", "template"],
  "apps/daemonsets": ["spec", "template"],
  "batch/jobs": ["spec", "template"],
  "batch/cronjobs": ["spec", "jobTemplate", "spec", "template"],
};

export function hasPodSpec({ group, resource }: GroupResource): boolean {
  return TEMPLATES[`${group}/${resource}`] !== undefined;
}

/** Undefined if there is none: the template of a replication controller is optional. */
export function podOf(object: JsonObject, { group, resource }: GroupResource): PodLike | undefined {
  const path = TEMPLATES[`${group}/${resource}`];
  if (path === undefined) return undefined;
  const isOptional = resource === "replicationcontrollers" && !isObject(objectOf(object["spec"])["template"]);
  if (isOptional) return undefined;
  const found = path.reduce<JsonObject>((at, key) => objectOf(at[key]), object);
  return { metadata: objectOf(found["metadata"]), spec: objectOf(found["spec"]) };
}
