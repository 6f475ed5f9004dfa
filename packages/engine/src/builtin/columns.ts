/**
 * The columns of tables of built-in kinds: what `kubectl get` shows. Follows pkg/printers/internalversion for the kinds
 * people look at here; descriptions of columns are left out.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "./object.ts";

/** How long ago a time was; `<unknown>` for none. */
export type Age = (time: string) => string;

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  /** 1 for what only `-o wide` shows. */
  readonly priority: number;
  readonly cell: (object: JsonObject, age: Age) => JsonValue;
}

type Cell = ColumnDefinition["cell"];

const column = (name: string, type: string, cell: Cell, priority = 0): ColumnDefinition => {
  return { name, type, format: name === "Name" ? "name" : "", priority, cell };
};

const NAME = column("Name", "string", (object) => textOf(metaOf(object), "name"));
const AGE = column("Age", "string", (object, age) => age(textOf(metaOf(object), "creationTimestamp")));
const text = (name: string, cell: Cell, priority = 0): ColumnDefinition => column(name, "string", cell, priority);
const count = (name: string, cell: Cell): ColumnDefinition => column(name, "integer", cell);

const spec = (object: JsonObject): JsonObject => objectOf(object, "spec") ?? {};
const status = (object: JsonObject): JsonObject => objectOf(object, "status") ?? {};
const template = (object: JsonObject): JsonObject => objectOf(objectOf(spec(object), "template"), "spec") ?? {};

const podsOf = (object: JsonObject, key: string): string =>
  objectsOf(template(object), "containers")
    .map((container) => textOf(container, key))
    .join(",");

const CONTAINERS = text("Containers", (object) => podsOf(object, "name"), 1);
const IMAGES = text("Images", (object) => podsOf(object, "image"), 1);
const SELECTOR = text("Selector", (object) => selectorText(spec(object)["selector"]), 1);
const WIDE = [CONTAINERS, IMAGES, SELECTOR];

const replicaColumns = [
  NAME,
  count("Desired", (object) => numberOf(spec(object), "replicas")),
  count("Current", (object) => numberOf(status(object), "replicas")),
  count("Ready", (object) => numberOf(status(object), "readyReplicas")),
  AGE,
  ...WIDE,
];

const readyOf: Cell = (object) => `${numberOf(status(object), "readyReplicas")}/${numberOf(spec(object), "replicas")}`;

const bindingColumns = [
  NAME,
  text(
    "Role",
    (object) => `${textOf(objectOf(object, "roleRef"), "kind")}/${textOf(objectOf(object, "roleRef"), "name")}`,
  ),
  AGE,
  text("Users", (object) => subjects(object, "User"), 1),
  text("Groups", (object) => subjects(object, "Group"), 1),
  text("ServiceAccounts", (object) => subjects(object, "ServiceAccount"), 1),
];

const CREATED = column("Created At", "date", (object) => textOf(metaOf(object), "creationTimestamp"));

const webhookColumns = [NAME, count("Webhooks", (object) => objectsOf(object, "webhooks").length), AGE];

const COLUMNS: Readonly<Record<string, readonly ColumnDefinition[]>> = {
  "/ConfigMap": [NAME, text("Data", (object) => members(object, "data") + members(object, "binaryData")), AGE],
  "/Secret": [
    NAME,
    text("Type", (object) => textOf(object, "type")),
    text("Data", (object) => members(object, "data")),
    AGE,
  ],
  "/Namespace": [NAME, text("Status", (object) => textOf(status(object), "phase")), AGE],
  "/ServiceAccount": [NAME, AGE],
  "/Service": [
    NAME,
    text("Type", (object) => textOf(spec(object), "type")),
    text("Cluster-IP", (object) => textOf(spec(object), "clusterIP") || "<none>"),
    text("External-IP", externalIp),
    text("Port(s)", portText),
    AGE,
    SELECTOR,
  ],
  "/Endpoints": [NAME, text("Endpoints", endpointText), AGE],
  "/Event": [
    text("Last Seen", (object, age) => age(textOf(object, "lastTimestamp") || textOf(object, "eventTime"))),
    text("Type", (object) => textOf(object, "type")),
    text("Reason", (object) => textOf(object, "reason")),
    text("Object", (object) => eventObject(objectOf(object, "involvedObject"))),
    text("Subobject", (object) => textOf(objectOf(object, "involvedObject"), "fieldPath"), 1),
    text("Source", (object) => eventSource(object), 1),
    text("Message", (object) => textOf(object, "message").trim()),
    text("First Seen", (object, age) => age(textOf(object, "firstTimestamp") || textOf(object, "eventTime")), 1),
    text("Count", (object) => String(numberOf(object, "count") || 1), 1),
    { ...NAME, priority: 1 },
  ],
  "/Pod": [
    NAME,
    text("Ready", (object) => `${readyContainers(object)}/${podContainers(object)}`),
    text("Status", podStatus),
    text("Restarts", (object) => String(sum(objectsOf(status(object), "containerStatuses"), "restartCount"))),
    AGE,
    text("IP", (object) => textOf(status(object), "podIP") || "<none>", 1),
    text("Node", (object) => textOf(spec(object), "nodeName") || "<none>", 1),
    text("Nominated Node", (object) => textOf(status(object), "nominatedNodeName") || "<none>", 1),
    text("Readiness Gates", () => "<none>", 1),
  ],
  "/PodTemplate": [
    NAME,
    text("Containers", (object) => ownTemplate(object, "name")),
    text("Images", (object) => ownTemplate(object, "image")),
    text("Pod Labels", (object) => mapText(objectOf(objectOf(objectOf(object, "template"), "metadata"), "labels"))),
  ],
  "/ReplicationController": replicaColumns,
  "/ResourceQuota": [
    NAME,
    text("Request", (object) => quotaText(object, false)),
    text("Limit", (object) => quotaText(object, true)),
    AGE,
  ],
  "/LimitRange": [NAME, CREATED],
  "/Node": [
    NAME,
    text("Status", nodeStatus),
    text("Roles", nodeRoles),
    AGE,
    text("Version", (object) => textOf(objectOf(status(object), "nodeInfo"), "kubeletVersion")),
  ],
  "apps/Deployment": [
    NAME,
    text("Ready", readyOf),
    text("Up-to-date", (object) => String(numberOf(status(object), "updatedReplicas"))),
    text("Available", (object) => String(numberOf(status(object), "availableReplicas"))),
    AGE,
    ...WIDE,
  ],
  "apps/ReplicaSet": replicaColumns,
  "apps/StatefulSet": [NAME, text("Ready", readyOf), AGE, CONTAINERS, IMAGES],
  "apps/DaemonSet": [
    NAME,
    count("Desired", (object) => numberOf(status(object), "desiredNumberScheduled")),
    count("Current", (object) => numberOf(status(object), "currentNumberScheduled")),
    count("Ready", (object) => numberOf(status(object), "numberReady")),
    count("Up-to-date", (object) => numberOf(status(object), "updatedNumberScheduled")),
    count("Available", (object) => numberOf(status(object), "numberAvailable")),
    text("Node Selector", (object) => mapText(objectOf(template(object), "nodeSelector"))),
    AGE,
    ...WIDE,
  ],
  "apps/ControllerRevision": [
    NAME,
    text("Controller", controllerText),
    count("Revision", (object) => numberOf(object, "revision")),
    AGE,
  ],
  "batch/Job": [
    NAME,
    text("Status", jobStatus),
    text("Completions", completionText),
    text("Duration", () => ""),
    AGE,
    ...WIDE,
  ],
  "batch/CronJob": [
    NAME,
    text("Schedule", (object) => textOf(spec(object), "schedule")),
    text("Timezone", (object) => textOf(spec(object), "timeZone") || "<none>"),
    column("Suspend", "boolean", (object) => (spec(object)["suspend"] === true ? "True" : "False")),
    count("Active", (object) => objectsOf(status(object), "active").length),
    text("Last Schedule", (object, age) => {
      const time = textOf(status(object), "lastScheduleTime");
      return time === "" ? "<none>" : age(time);
    }),
    AGE,
  ],
  "coordination.k8s.io/Lease": [NAME, text("Holder", (object) => textOf(spec(object), "holderIdentity")), AGE],
  "discovery.k8s.io/EndpointSlice": [
    NAME,
    text("AddressType", (object) => textOf(object, "addressType")),
    text(
      "Ports",
      (object) =>
        objectsOf(object, "ports")
          .map((port) => (has(port, "port") ? String(numberOf(port, "port")) : "*"))
          .join(",") || "<unset>",
    ),
    text(
      "Endpoints",
      (object) =>
        objectsOf(object, "endpoints")
          .flatMap((each) => textsOf(each, "addresses"))
          .join(",") || "<unset>",
    ),
    AGE,
  ],
  "rbac.authorization.k8s.io/Role": [NAME, CREATED],
  "rbac.authorization.k8s.io/ClusterRole": [NAME, CREATED],
  "rbac.authorization.k8s.io/RoleBinding": bindingColumns,
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingColumns,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhookColumns,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhookColumns,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": [
    NAME,
    count("Validations", (object) => objectsOf(spec(object), "validations").length),
    text("ParamKind", (object) => paramKind(objectOf(spec(object), "paramKind"))),
    AGE,
  ],
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": [
    NAME,
    text("PolicyName", (object) => textOf(spec(object), "policyName")),
    text("ParamRef", (object) => paramRef(objectOf(spec(object), "paramRef"))),
    AGE,
  ],
};

export function columnsOf(group: string, kind: string): readonly ColumnDefinition[] | undefined {
  return COLUMNS[`${group}/${kind}`] ?? COLUMNS[`${group === "events.k8s.io" ? "" : group}/${kind}`];
}

function members(object: JsonObject, key: string): number {
  return Object.keys(objectOf(object, key) ?? {}).length;
}

function mapText(map: JsonObject | undefined): string {
  const pairs = Object.keys(map ?? {}).sort();
  return pairs.length === 0 ? "<none>" : pairs.map((key) => `${key}=${textOf(map, key)}`).join(",");
}

/** A selector of either form. */
function selectorText(selector: JsonValue | undefined): string {
  if (!isObject(selector)) return "<none>";
  const labels = objectOf(selector, "matchLabels");
  const expressions = objectsOf(selector, "matchExpressions").map(expressionText);
  if (labels === undefined && expressions.length === 0) return mapText(selector);
  return [...(labels === undefined ? [] : [mapText(labels)]), ...expressions].join(",");
}

function expressionText(expression: JsonObject): string {
  const [key, values] = [textOf(expression, "key"), textsOf(expression, "values").join(",")];
  switch (expression["operator"]) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "Exists":
      return key;
    default:
      return `!${key}`;
  }
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
  if (all.length === 0) return "<none>";
  const shown = all.slice(0, SHOWN_ENDPOINTS).join(",");
  return all.length > SHOWN_ENDPOINTS ? `${shown} + ${all.length - SHOWN_ENDPOINTS} more...` : shown;
}

function eventObject(reference: JsonObject | undefined): string {
  const [kind, name] = [textOf(reference, "kind").toLowerCase(), textOf(reference, "name")];
  return name === "" ? kind : `${kind}/${name}`;
}

function eventSource(event: JsonObject): string {
  const source = objectOf(event, "source");
  const host = textOf(source, "host");
  const component = textOf(source, "component") || textOf(event, "reportingComponent");
  return host === "" ? component : `${component}, ${host}`;
}

function podContainers(pod: JsonObject): number {
  return objectsOf(spec(pod), "containers").length;
}

function readyContainers(pod: JsonObject): number {
  return objectsOf(status(pod), "containerStatuses").filter((each) => each["ready"] === true).length;
}

function podStatus(pod: JsonObject): string {
  if (textOf(metaOf(pod), "deletionTimestamp") !== "") return "Terminating";
  return textOf(status(pod), "reason") || textOf(status(pod), "phase");
}

function ownTemplate(object: JsonObject, key: string): string {
  const containers = objectsOf(objectOf(objectOf(object, "template"), "spec"), "containers");
  return containers.map((container) => textOf(container, key)).join(",");
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

function controllerText(revision: JsonObject): string {
  const owner = objectsOf(metaOf(revision), "ownerReferences").find((each) => each["controller"] === true);
  if (owner === undefined) return "<none>";
  const [group] = textOf(owner, "apiVersion").includes("/") ? textOf(owner, "apiVersion").split("/") : [""];
  return `${textOf(owner, "kind").toLowerCase()}${group === "" ? "" : `.${group}`}/${textOf(owner, "name")}`;
}

function jobStatus(job: JsonObject): string {
  const holds = (type: string): boolean =>
    objectsOf(status(job), "conditions").some((each) => each["type"] === type && each["status"] === "True");
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (textOf(metaOf(job), "deletionTimestamp") !== "") return "Terminating";
  if (holds("Suspended")) return "Suspended";
  if (holds("FailureTarget")) return "FailureTarget";
  return holds("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function completionText(job: JsonObject): string {
  const succeeded = numberOf(status(job), "succeeded");
  if (has(spec(job), "completions")) return `${succeeded}/${numberOf(spec(job), "completions")}`;
  const parallelism = numberOf(spec(job), "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function subjects(binding: JsonObject, kind: string): string {
  const found = objectsOf(binding, "subjects").filter((each) => each["kind"] === kind);
  const named = found.map((each) => {
    const name = textOf(each, "name");
    return kind === "ServiceAccount" ? `${textOf(each, "namespace")}/${name}` : name;
  });
  return named.join(", ");
}

function paramKind(kind: JsonObject | undefined): string {
  return kind === undefined ? "<unset>" : `${textOf(kind, "apiVersion")}/${textOf(kind, "kind")}`;
}

function paramRef(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<unset>";
  const { selector } = reference;
  if (isObject(selector) || isArray(selector)) return canonicalJson(selector);
  const namespace = textOf(reference, "namespace");
  return namespace === "" ? `*/${textOf(reference, "name")}` : `${namespace}/${textOf(reference, "name")}`;
}
