/** Pod. */
import { checkDnsLabel } from "../../../field/names.ts";
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, spec, status, text } from "../../columns/column.ts";
import { type Draft, fill, fillMap, fillZero, inner } from "../../defaults/draft.ts";
import { podDefaults } from "../../defaults/pod.ts";
import { fillPodResources } from "../../defaults/pod-resources.ts";
import { isSet, metaOf, numberOf, objectFrom, objectOf, objectsOf, textOf } from "../../object.ts";
import { preparePod, preparePodStatus, preparePodUpdate } from "../../strategies/pod.ts";
import { validatePod } from "../../validate/pod/pod.ts";
import { validatePodStatus } from "../../validate/pod/status.ts";
import { validatePodUpdate } from "../../validate/pod/update.ts";
import * as messages from "../../warnings/messages.ts";
import { podStatusWarnings, podWarnings } from "../../warnings/pod.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";

export const pod = defineKind("v1", "Pod", {
  defaults: { ...podDefaults, "v1.Pod": fillPod, "v1.PodStatus": mirrorPodIp },
  metadata: { update: "both" },
  ownsStatus: true,
  generation: { ...SPEC_GENERATION, since: "1.33" },
  podSpec: ["spec"],
  prepareCreate: preparePod,
  prepareUpdate: preparePodUpdate,
  prepareStatusUpdate: preparePodStatus,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatus,
  warnings: { create: (object) => [...nameWarnings(object), ...podWarnings(object)], statusUpdate: podStatusWarnings },
  columns: [
    NAME,
    text("Ready", (object) => `${readyContainers(object)}/${runningContainers(object)}`),
    text("Status", podStatus),
    text("Restarts", (object) => String(restarts(object))),
    AGE,
    text("IP", (object) => textOf(status(object), "podIP") || "<none>", 1),
    text("Node", (object) => textOf(spec(object), "nodeName") || "<none>", 1),
    text("Nominated Node", (object) => textOf(status(object), "nominatedNodeName") || "<none>", 1),
    text("Readiness Gates", () => "<none>", 1),
  ],
  selectableFields: {
    fields: [
      "spec.nodeName",
      { name: "spec.host", paths: ["spec.nodeName"] },
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      { name: "spec.hostNetwork", zero: "false" },
      "status.phase",
      "status.podIP",
      "status.podIPs",
      "status.nominatedNodeName",
    ],
  },
  returnsDeletedObject: true,
  resetFields: { status: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]] },
});

function fillPod(draft: Draft): void {
  const podSpec = inner(draft, "spec");
  const containers = [...objectsOf(podSpec, "containers"), ...objectsOf(podSpec, "initContainers")];
  for (const container of containers) {
    const limits = objectOf(objectOf(container, "resources"), "limits");
    if (limits !== undefined) fillMap(inner(container, "resources"), "requests", limits);
  }
  fillPodResources(podSpec);
  fill(podSpec, "enableServiceLinks", true);
  if (isSet(podSpec, "hostNetwork")) containers.forEach(fillHostPorts);
}

function fillHostPorts(container: Draft): void {
  for (const port of objectsOf(container, "ports")) fillZero(port, "hostPort", numberOf(port, "containerPort"));
}

function mirrorPodIp(draft: Draft): void {
  const ip = textOf(draft, "podIP");
  const [first] = objectsOf(draft, "podIPs");
  if (ip !== "") fill(draft, "podIPs", [objectFrom({ ip })]);
  else if (first !== undefined) draft["podIP"] = textOf(first, "ip");
}

function nameWarnings(object: JsonObject): string[] {
  const problems = checkDnsLabel(textOf(metaOf(object), "name"));
  return problems.length === 0 ? [] : [messages.podName(problems)];
}

/** Init containers that keep running count too. */
function runningContainers(object: JsonObject): number {
  const sidecars = objectsOf(spec(object), "initContainers").filter((each) => each["restartPolicy"] === "Always");
  return objectsOf(spec(object), "containers").length + sidecars.length;
}

function readyContainers(object: JsonObject): number {
  return objectsOf(status(object), "containerStatuses").filter((each) => each["ready"] === true).length;
}

function restarts(object: JsonObject): number {
  const statuses = objectsOf(status(object), "containerStatuses");
  return statuses.reduce((total, each) => total + numberOf(each, "restartCount"), 0);
}

function podStatus(object: JsonObject): string {
  if (textOf(metaOf(object), "deletionTimestamp") !== "") return "Terminating";
  return textOf(status(object), "reason") || textOf(status(object), "phase");
}
