/** Columns of access, admission, networking and storage. */
import { isObject, type JsonObject } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { AGE, type Columns, CREATED, count, flag, NAME, selectorText, spec, specText, status, text } from "./column.ts";

const bindingColumns = [
  NAME,
  text("Role", (binding) => {
    const role = objectOf(binding, "roleRef");
    return `${textOf(role, "kind")}/${textOf(role, "name")}`;
  }),
  AGE,
  text("Users", (binding) => subjects(binding, "User"), 1),
  text("Groups", (binding) => subjects(binding, "Group"), 1),
  text("ServiceAccounts", (binding) => subjects(binding, "ServiceAccount"), 1),
];

const webhookColumns = [NAME, count("Webhooks", (each) => objectsOf(each, "webhooks").length), AGE];

const policyColumns = (rules: string, key: string): Columns[string] => [
  NAME,
  count(rules, (policy) => objectsOf(spec(policy), key).length),
  text("ParamKind", (policy) => paramKind(objectOf(spec(policy), "paramKind"))),
  AGE,
];

const policyBindingColumns = [
  NAME,
  specText("PolicyName", "policyName"),
  text("ParamRef", (binding) => paramRef(objectOf(spec(binding), "paramRef"))),
  AGE,
];

const healthy = (component: JsonObject): JsonObject | undefined =>
  objectsOf(component, "conditions").find((condition) => condition["type"] === "Healthy");

function healthText(component: JsonObject): string {
  const status = textOf(healthy(component), "status");
  return status === "True" ? "Healthy" : status === "False" ? "Unhealthy" : "Unknown";
}

export const otherColumns: Columns = {
  "/ComponentStatus": [
    NAME,
    text("Status", healthText),
    text("Message", (component) => textOf(healthy(component), "message")),
    text("Error", (component) => textOf(healthy(component), "error")),
  ],
  "rbac.authorization.k8s.io/Role": [NAME, CREATED],
  "rbac.authorization.k8s.io/ClusterRole": [NAME, CREATED],
  "rbac.authorization.k8s.io/RoleBinding": bindingColumns,
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingColumns,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhookColumns,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhookColumns,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": policyColumns("Validations", "validations"),
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": policyColumns("Mutations", "mutations"),
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": policyBindingColumns,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": policyBindingColumns,
  "networking.k8s.io/Ingress": [
    NAME,
    specText("Class", "ingressClassName", "<none>"),
    text("Hosts", ingressHosts),
    text("Address", ingressAddress),
    text("Ports", (ingress) => (objectsOf(spec(ingress), "tls").length > 0 ? "80, 443" : "80")),
    AGE,
  ],
  "networking.k8s.io/IngressClass": [
    NAME,
    specText("Controller", "controller"),
    text("Parameters", (ingressClass) => parametersText(objectOf(spec(ingressClass), "parameters"))),
    AGE,
  ],
  "networking.k8s.io/NetworkPolicy": [
    NAME,
    text("Pod-Selector", (policy) => selectorText(spec(policy)["podSelector"]) || "<none>"),
    AGE,
  ],
  "networking.k8s.io/ServiceCIDR": [NAME, text("CIDRs", (each) => textsOf(spec(each), "cidrs").join(",")), AGE],
  "node.k8s.io/RuntimeClass": [NAME, text("Handler", (each) => textOf(each, "handler")), AGE],
  "resource.k8s.io/DeviceClass": [NAME, AGE],
  "storage.k8s.io/StorageClass": [
    NAME,
    text("Provisioner", (each) => textOf(each, "provisioner")),
    text("ReclaimPolicy", (each) => textOf(each, "reclaimPolicy")),
    text("VolumeBindingMode", (each) => textOf(each, "volumeBindingMode")),
    text("AllowVolumeExpansion", (each) => each["allowVolumeExpansion"] === true),
    AGE,
  ],
  "storage.k8s.io/CSIDriver": [
    NAME,
    flag("AttachRequired", (driver) => spec(driver)["attachRequired"] !== false),
    flag("PodInfoOnMount", (driver) => spec(driver)["podInfoOnMount"] === true),
    flag("StorageCapacity", (driver) => spec(driver)["storageCapacity"] === true),
    text("TokenRequests", tokenRequests),
    flag("RequiresRepublish", (driver) => spec(driver)["requiresRepublish"] === true),
    text("Modes", (driver) => textsOf(spec(driver), "volumeLifecycleModes").join(",")),
    AGE,
  ],
  "storage.k8s.io/CSINode": [NAME, count("Drivers", (node) => objectsOf(spec(node), "drivers").length), AGE],
  "storage.k8s.io/CSIStorageCapacity": [NAME, CREATED],
  "storage.k8s.io/VolumeAttachment": [
    NAME,
    { ...specText("Attacher", "attacher"), format: "name" },
    text("PV", (each) => textOf(objectOf(spec(each), "source"), "persistentVolumeName")),
    specText("Node", "nodeName"),
    flag("Attached", (each) => status(each)["attached"] === true),
    AGE,
  ],
  "storage.k8s.io/VolumeAttributesClass": [NAME, text("DriverName", (each) => textOf(each, "driverName")), AGE],
};

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
  if (isObject(selector)) return canonicalJson(selector);
  return `${textOf(reference, "namespace") || "*"}/${textOf(reference, "name")}`;
}

const MAX_HOSTS = 3;

function ingressHosts(ingress: JsonObject): string {
  const hosts = objectsOf(spec(ingress), "rules")
    .map((rule) => textOf(rule, "host"))
    .filter((host) => host !== "");
  if (hosts.length === 0) return "*";
  const shown = hosts.slice(0, MAX_HOSTS).join(",");
  return hosts.length > MAX_HOSTS ? `${shown} + ${hosts.length - MAX_HOSTS} more...` : shown;
}

function ingressAddress(ingress: JsonObject): string {
  const addresses = objectsOf(objectOf(status(ingress), "loadBalancer"), "ingress");
  return addresses.map((each) => textOf(each, "ip") || textOf(each, "hostname")).join(",");
}

function parametersText(parameters: JsonObject | undefined): string {
  if (parameters === undefined) return "<none>";
  const group = has(parameters, "apiGroup") ? `.${textOf(parameters, "apiGroup")}` : "";
  return `${textOf(parameters, "kind")}${group}/${textOf(parameters, "name")}`;
}

function tokenRequests(driver: JsonObject): string {
  const audiences = objectsOf(spec(driver), "tokenRequests").map((each) => textOf(each, "audience"));
  return audiences.length === 0 ? "<unset>" : audiences.join(",");
}
