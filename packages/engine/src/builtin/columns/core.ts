/** Columns of the core group and of those that were split from it. Follows pkg/printers/internalversion. */
import type { JsonObject } from "../../value/json.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import {
  AGE,
  type Columns,
  CREATED,
  column,
  containersOf,
  count,
  mapText,
  memberTexts,
  NAME,
  selectorText,
  spec,
  specText,
  status,
  text,
} from "./column.ts";

const reference = (event: JsonObject): JsonObject | undefined =>
  objectOf(event, "involvedObject") ?? objectOf(event, "regarding");

/** Those of both groups are shown alike. */
const eventColumns = [
  text("Last Seen", (event, age) => age(eventTime(event, "astTimestamp"))),
  text("Type", (event) => textOf(event, "type")),
  text("Reason", (event) => textOf(event, "reason")),
  text("Object", (event) => eventObject(reference(event))),
  text("Subobject", (event) => textOf(reference(event), "fieldPath"), 1),
  text("Source", eventSource, 1),
  text("Message", (event) => (textOf(event, "message") || textOf(event, "note")).trim()),
  text("First Seen", (event, age) => age(eventTime(event, "irstTimestamp")), 1),
  text("Count", (event) => numberOf(event, "count") || numberOf(event, "deprecatedCount") || 1, 1),
  { ...NAME, priority: 1 },
];

export const coreColumns: Columns = {
  "/ConfigMap": [NAME, text("Data", (map) => members(map, "data") + members(map, "binaryData")), AGE],
  "/Secret": [
    NAME,
    text("Type", (secret) => textOf(secret, "type")),
    text("Data", (secret) => members(secret, "data")),
    AGE,
  ],
  "/Namespace": [NAME, text("Status", (namespace) => textOf(status(namespace), "phase")), AGE],
  "/ServiceAccount": [NAME, AGE],
  "/Service": [
    NAME,
    specText("Type", "type"),
    specText("Cluster-IP", "clusterIP", "<none>"),
    text("External-IP", externalIp),
    text("Port(s)", portText),
    AGE,
    text("Selector", (service) => selectorText(spec(service)["selector"]), 1),
  ],
  "/Endpoints": [NAME, text("Endpoints", endpointText), AGE],
  "/Event": eventColumns,
  "events.k8s.io/Event": eventColumns,
  "/Pod": [
    NAME,
    text("Ready", (pod) => `${readyContainers(pod)}/${podContainers(pod)}`),
    text("Status", podStatus),
    text("Restarts", (pod) => String(sum(objectsOf(status(pod), "containerStatuses"), "restartCount"))),
    AGE,
    text("IP", (pod) => textOf(status(pod), "podIP") || "<none>", 1),
    text("Node", (pod) => textOf(spec(pod), "nodeName") || "<none>", 1),
    text("Nominated Node", (pod) => textOf(status(pod), "nominatedNodeName") || "<none>", 1),
    text("Readiness Gates", () => "<none>", 1),
  ],
  "/PodTemplate": [
    NAME,
    text("Containers", (object) => memberTexts(containersOf(objectOf(object, "template")), "name")),
    text("Images", (object) => memberTexts(containersOf(objectOf(object, "template")), "image")),
    text("Pod Labels", (object) => mapText(objectOf(metaOf(objectOf(object, "template") ?? {}), "labels"))),
  ],
  "/ResourceQuota": [
    NAME,
    text("Request", (quota) => quotaText(quota, false)),
    text("Limit", (quota) => quotaText(quota, true)),
    AGE,
  ],
  "/LimitRange": [NAME, CREATED],
  "/Node": [
    NAME,
    text("Status", nodeStatus),
    text("Roles", nodeRoles),
    AGE,
    text("Version", (node) => textOf(objectOf(status(node), "nodeInfo"), "kubeletVersion")),
    text("Internal-IP", (node) => nodeAddress(node, "InternalIP"), 1),
    text("External-IP", (node) => nodeAddress(node, "ExternalIP"), 1),
    text("OS-Image", (node) => nodeInfo(node, "osImage"), 1),
    text("Kernel-Version", (node) => nodeInfo(node, "kernelVersion"), 1),
    text("Container-Runtime", (node) => nodeInfo(node, "containerRuntimeVersion"), 1),
  ],
  "/PersistentVolume": [
    NAME,
    text("Capacity", (volume) => textOf(objectOf(spec(volume), "capacity"), "storage")),
    text("Access Modes", (volume) => accessModes(spec(volume))),
    specText("Reclaim Policy", "persistentVolumeReclaimPolicy"),
    text("Status", (volume) => phaseOf(volume)),
    text("Claim", (volume) => claimText(objectOf(spec(volume), "claimRef"))),
    specText("StorageClass", "storageClassName"),
    specText("VolumeAttributesClass", "volumeAttributesClassName", "<unset>"),
    text("Reason", (volume) => textOf(status(volume), "reason")),
    AGE,
    text("VolumeMode", (volume) => textOf(spec(volume), "volumeMode") || "<unset>", 1),
  ],
  "/PersistentVolumeClaim": [
    NAME,
    text("Status", (claim) => phaseOf(claim)),
    specText("Volume", "volumeName"),
    text("Capacity", (claim) => (isBound(claim) ? textOf(objectOf(status(claim), "capacity"), "storage") : "")),
    text("Access Modes", (claim) => (isBound(claim) ? accessModes(status(claim)) : "")),
    specText("StorageClass", "storageClassName"),
    specText("VolumeAttributesClass", "volumeAttributesClassName", "<unset>"),
    AGE,
    text("VolumeMode", (claim) => textOf(spec(claim), "volumeMode") || "<unset>", 1),
  ],
  "coordination.k8s.io/Lease": [NAME, specText("Holder", "holderIdentity"), AGE],
  "discovery.k8s.io/EndpointSlice": [
    NAME,
    text("AddressType", (slice) => textOf(slice, "addressType")),
    text("Ports", slicePorts),
    text("Endpoints", sliceEndpoints),
    AGE,
  ],
  "scheduling.k8s.io/PriorityClass": [
    NAME,
    count("Value", (each) => numberOf(each, "value")),
    column("Global-Default", "boolean", (each) => each["globalDefault"] === true),
    AGE,
    text("PreemptionPolicy", (each) => textOf(each, "preemptionPolicy")),
  ],
};

function members(object: JsonObject, key: string): number {
  return Object.keys(objectOf(object, key) ?? {}).length;
}

function externalIp(object: JsonObject): string {
  const { type } = spec(object);
  if (type === "ExternalName") return textOf(spec(object), "externalName");
  const ingress = objectsOf(objectOf(status(object), "loadBalancer"), "ingress").map(
    (each) => textOf(each, "ip") || textOf(each, "hostname"),
  );
  const ips = [...(type === "LoadBalancer" ? ingress : []), ...textsOf(spec(object), "externalIPs")];
  if (ips.length > 0) return ips.join(",");
  return type === "LoadBalancer" ? "<pending>" : "<none>";
}

function portText(object: JsonObject): string {
  const ports = objectsOf(spec(object), "ports").map((port) => {
    const node = numberOf(port, "nodePort");
    return `${numberOf(port, "port")}${node > 0 ? `:${node}` : ""}/${textOf(port, "protocol")}`;
  });
  return ports.join(",") || "<none>";
}

const SHOWN_ENDPOINTS = 3;

function endpointText(object: JsonObject): string {
  const all = objectsOf(object, "subsets").flatMap((subset) => {
    const ports = objectsOf(subset, "ports");
    const addresses = objectsOf(subset, "addresses").map((each) => textOf(each, "ip"));
    return ports.length === 0
      ? addresses
      : ports.flatMap((port) => addresses.map((ip) => `${ip}:${numberOf(port, "port")}`));
  });
  return shortened(all) || "<none>";
}

/** The two generations of events name their times differently. */
function eventTime(event: JsonObject, ending: string): string {
  const first = ending.startsWith("irst") ? "f" : "l";
  const deprecated = `deprecated${first.toUpperCase()}${ending}`;
  return textOf(event, `${first}${ending}`) || textOf(event, deprecated) || textOf(event, "eventTime");
}

function eventObject(reference: JsonObject | undefined): string {
  const [kind, name] = [textOf(reference, "kind").toLowerCase(), textOf(reference, "name")];
  return name === "" ? kind : `${kind}/${name}`;
}

function eventSource(event: JsonObject): string {
  const source = objectOf(event, "source") ?? objectOf(event, "deprecatedSource");
  const component =
    textOf(source, "component") || textOf(event, "reportingComponent") || textOf(event, "reportingController");
  const host = textOf(source, "host") || textOf(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}

/** Init containers that stay count too. */
function podContainers(pod: JsonObject): number {
  const staying = objectsOf(spec(pod), "initContainers").filter((each) => each["restartPolicy"] === "Always");
  return objectsOf(spec(pod), "containers").length + staying.length;
}

function readyContainers(pod: JsonObject): number {
  return objectsOf(status(pod), "containerStatuses").filter((each) => each["ready"] === true).length;
}

function podStatus(pod: JsonObject): string {
  if (textOf(metaOf(pod), "deletionTimestamp") !== "") return "Terminating";
  return textOf(status(pod), "reason") || textOf(status(pod), "phase");
}

function sum(items: readonly JsonObject[], key: string): number {
  return items.reduce((total, item) => total + numberOf(item, key), 0);
}

function quotaText(quota: JsonObject, isLimit: boolean): string {
  const [hard, used] = [objectOf(status(quota), "hard") ?? {}, objectOf(status(quota), "used") ?? {}];
  const names = Object.keys(hard)
    .sort()
    .filter((name) => name.startsWith("limits.") === isLimit);
  return names.map((name) => `${name}: ${textOf(used, name) || "0"}/${textOf(hard, name)}`).join(", ");
}

function nodeStatus(node: JsonObject): string {
  const ready = objectsOf(status(node), "conditions").find((each) => each["type"] === "Ready");
  const state = ready === undefined ? "Unknown" : ready["status"] === "True" ? "Ready" : "NotReady";
  return spec(node)["unschedulable"] === true ? `${state},SchedulingDisabled` : state;
}

const ROLE = "node-role.kubernetes.io/";

function nodeRoles(node: JsonObject): string {
  const labels = Object.keys(objectOf(metaOf(node), "labels") ?? {});
  const roles = labels.filter((label) => label.startsWith(ROLE)).map((label) => label.slice(ROLE.length));
  return roles.sort().join(",") || "<none>";
}

function nodeAddress(node: JsonObject, type: string): string {
  return (
    textOf(
      objectsOf(status(node), "addresses").find((each) => each["type"] === type),
      "address",
    ) || "<none>"
  );
}

function nodeInfo(node: JsonObject, key: string): string {
  return textOf(objectOf(status(node), "nodeInfo"), key) || "<unknown>";
}

function phaseOf(object: JsonObject): string {
  return has(metaOf(object), "deletionTimestamp") ? "Terminating" : textOf(status(object), "phase");
}

const MODES: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

function accessModes(object: JsonObject): string {
  const modes = textsOf(object, "accessModes");
  return MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

function claimText(claim: JsonObject | undefined): string {
  return claim === undefined ? "" : `${textOf(claim, "namespace")}/${textOf(claim, "name")}`;
}

function isBound(claim: JsonObject): boolean {
  return textOf(spec(claim), "volumeName") !== "";
}

function slicePorts(slice: JsonObject): string {
  const ports = objectsOf(slice, "ports").map((port) => (has(port, "port") ? String(numberOf(port, "port")) : "*"));
  return ports.join(",") || "<unset>";
}

function sliceEndpoints(slice: JsonObject): string {
  return shortened(objectsOf(slice, "endpoints").flatMap((each) => textsOf(each, "addresses"))) || "<unset>";
}

function shortened(items: readonly string[]): string {
  const shown = items.slice(0, SHOWN_ENDPOINTS).join(",");
  return items.length > SHOWN_ENDPOINTS ? `${shown} + ${items.length - SHOWN_ENDPOINTS} more...` : shown;
}
