/** Node. */
import { type JsonObject, newObject } from "../../../value/json.ts";
import { AGE, NAME, spec, status, text } from "../../columns/column.ts";
import { type Draft, fillMap, inner } from "../../defaults/draft.ts";
import { has, metaOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { taintNotReady } from "../../strategies/node.ts";
import type { PrepareContext } from "../../strategies/strategy.ts";
import { validateNode, validateNodeUpdate } from "../../validate/cluster/node.ts";
import { nodeWarnings } from "../../warnings/nodes.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const node = defineKind("v1", "Node", {
  defaults: { "v1.NodeSpec": mirrorPodCidr, "v1.NodeStatus": fillAllocatable },
  metadata: { update: "both" },
  prepareCreate: prepareNode,
  prepareUpdate: prepareNodeUpdate,
  prepareStatusUpdate: prepareNodeStatus,
  validate: validateNode,
  validateUpdate: (object, old) => [...validateNode(object), ...validateNodeUpdate(object, old)],
  validateStatusUpdate: validateNodeUpdate,
  warnings: onEveryWrite(nodeWarnings),
  columns: [
    NAME,
    text("Status", nodeStatus),
    text("Roles", nodeRoles),
    AGE,
    text("Version", (object) => textOf(objectOf(status(object), "nodeInfo"), "kubeletVersion")),
    text("Internal-IP", (object) => nodeAddress(object, "InternalIP"), 1),
    text("External-IP", (object) => nodeAddress(object, "ExternalIP"), 1),
    text("OS-Image", (object) => nodeInfo(object, "osImage"), 1),
    text("Kernel-Version", (object) => nodeInfo(object, "kernelVersion"), 1),
    text("Container-Runtime", (object) => nodeInfo(object, "containerRuntimeVersion"), 1),
  ],
  selectableFields: { fields: [{ name: "spec.unschedulable", zero: "false" }] },
  storagePrefix: "minions",
});

/** Two names of one field; the old one decides where they differ. */
function mirrorPodCidr(draft: Draft): void {
  const [cidr, [first]] = [textOf(draft, "podCIDR"), textsOf(draft, "podCIDRs")];
  if (cidr !== "" && cidr !== first) draft["podCIDRs"] = [cidr];
  else if (cidr === "" && first !== undefined) draft["podCIDR"] = first;
}

function fillAllocatable(draft: Draft): void {
  if (objectOf(draft, "allocatable") === undefined) fillMap(draft, "allocatable", draft["capacity"]);
}

function prepareNode(draft: Draft, { setsPluginValues }: PrepareContext): void {
  const nodeSpec = inner(draft, "spec");
  delete nodeSpec["configSource"];
  delete inner(draft, "status")["config"];
  if (setsPluginValues === true) taintNotReady(nodeSpec);
}

/** Configuration by the server was removed upstream; an old value may stay. */
function prepareNodeUpdate(draft: Draft, old: JsonObject): void {
  draft["status"] = old["status"] ?? newObject();
  if (!has(objectOf(old, "spec"), "configSource")) delete inner(draft, "spec")["configSource"];
}

function prepareNodeStatus(draft: Draft, old: JsonObject): void {
  if (!has(objectOf(old, "status"), "config")) delete inner(draft, "status")["config"];
}

function nodeStatus(object: JsonObject): string {
  const ready = objectsOf(status(object), "conditions").find((each) => each["type"] === "Ready");
  const state = ready === undefined ? "Unknown" : ready["status"] === "True" ? "Ready" : "NotReady";
  return spec(object)["unschedulable"] === true ? `${state},SchedulingDisabled` : state;
}

const ROLE = "node-role.kubernetes.io/";

function nodeRoles(object: JsonObject): string {
  const labels = Object.keys(objectOf(metaOf(object), "labels") ?? {});
  const roles = labels.filter((label) => label.startsWith(ROLE)).map((label) => label.slice(ROLE.length));
  return roles.sort().join(",") || "<none>";
}

function nodeAddress(object: JsonObject, type: string): string {
  const address = objectsOf(status(object), "addresses").find((each) => each["type"] === type);
  return textOf(address, "address") || "<none>";
}

function nodeInfo(object: JsonObject, key: string): string {
  return textOf(objectOf(status(object), "nodeInfo"), key) || "<unknown>";
}
