/** Defaults of the core group. Follows pkg/apis/core/v1/defaults.go; those of the schema are filled without code. */
import { encodeBase64 } from "@portcullis/gostd/base64";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { isArray, newObject } from "../../value/json.ts";
import { isSet, numberOf, objectFrom, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { type Draft, type Fillers, fill, fillMap, fillZero, inner } from "./draft.ts";
import { pullPolicy } from "./image.ts";

const FILE_MODE = 0o644;
const HOUR = 3600;
const AFFINITY_SECONDS = 10_800;

export const podFillers: Fillers = {
  "v1.PodSpec": (spec) => {
    fillZero(spec, "dnsPolicy", "ClusterFirst");
    fillZero(spec, "restartPolicy", "Always");
    fill(spec, "securityContext", newObject());
    fill(spec, "terminationGracePeriodSeconds", 30);
    fillZero(spec, "schedulerName", "default-scheduler");
    mirrorServiceAccount(spec);
  },
  "v1.Container": fillContainer,
  "v1.EphemeralContainer": fillContainer,
  "v1.Probe": (probe) => {
    fillZero(probe, "timeoutSeconds", 1);
    fillZero(probe, "periodSeconds", 10);
    fillZero(probe, "successThreshold", 1);
    fillZero(probe, "failureThreshold", 3);
  },
  "v1.HTTPGetAction": (action) => {
    fillZero(action, "path", "/");
    fillZero(action, "scheme", "HTTP");
  },
  "v1.ObjectFieldSelector": (selector) => fillZero(selector, "apiVersion", "v1"),
  "v1.Volume": (volume) => {
    const image = objectOf(volume, "image");
    if (Object.keys(volume).every((key) => key === "name")) volume["emptyDir"] = newObject();
    if (image !== undefined) fillZero(image, "pullPolicy", pullPolicy(textOf(image, "reference")));
  },
  "v1.SecretVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.ConfigMapVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.DownwardAPIVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.ProjectedVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.ServiceAccountTokenProjection": (token) => fill(token, "expirationSeconds", HOUR),
  "v1.HostPathVolumeSource": (source) => fill(source, "type", ""),
  "v1.PersistentVolumeClaimSpec": (spec) => fill(spec, "volumeMode", "Filesystem"),
};

export const coreFillers: Fillers = {
  ...podFillers,
  "v1.Pod": (pod) => {
    const spec = inner(pod, "spec");
    const containers = [...objectsOf(spec, "containers"), ...objectsOf(spec, "initContainers")];
    for (const container of containers) {
      const limits = objectOf(objectOf(container, "resources"), "limits");
      if (limits !== undefined) fillMap(inner(container, "resources"), "requests", limits);
    }
    fill(spec, "enableServiceLinks", true);
    if (isSet(spec, "hostNetwork")) containers.forEach(fillHostPorts);
  },
  "v1.PodStatus": (status) => {
    const ip = textOf(status, "podIP");
    const [first] = objectsOf(status, "podIPs");
    if (ip !== "") fill(status, "podIPs", [objectFrom({ ip })]);
    else if (first !== undefined) status["podIP"] = textOf(first, "ip");
  },
  "v1.ReplicationController": (controller) => {
    const labels = objectOf(objectOf(objectOf(inner(controller, "spec"), "template"), "metadata"), "labels");
    if (labels === undefined) return;
    fill(inner(controller, "spec"), "selector", labels);
    fill(inner(controller, "metadata"), "labels", labels);
  },
  "v1.Secret": (secret) => {
    fillZero(secret, "type", "Opaque");
    takeStringData(secret);
  },
  "v1.Service": fillService,
  "v1.Namespace": (namespace) => {
    const metadata = inner(namespace, "metadata");
    if (textOf(metadata, "name") !== "")
      inner(metadata, "labels")["kubernetes.io/metadata.name"] = textOf(metadata, "name");
  },
  "v1.NamespaceStatus": (status) => fillZero(status, "phase", "Active"),
  // Two names of one field; the old one decides where they differ.
  "v1.NodeSpec": (spec) => {
    const [cidr, [first]] = [textOf(spec, "podCIDR"), textsOf(spec, "podCIDRs")];
    if (cidr !== "" && cidr !== first) spec["podCIDRs"] = [cidr];
    else if (cidr === "" && first !== undefined) spec["podCIDR"] = first;
  },
  "v1.NodeStatus": (status) => {
    if (objectOf(status, "allocatable") === undefined) fillMap(status, "allocatable", status["capacity"]);
  },
  "v1.EndpointPort": (port) => fillZero(port, "protocol", "TCP"),
  "v1.PersistentVolume": (volume) => fillZero(inner(volume, "status"), "phase", "Pending"),
  "v1.PersistentVolumeSpec": (spec) => {
    fillZero(spec, "persistentVolumeReclaimPolicy", "Retain");
    fill(spec, "volumeMode", "Filesystem");
  },
  "v1.PersistentVolumeClaim": (claim) => fillZero(inner(claim, "status"), "phase", "Pending"),
  "v1.LimitRangeItem": (item) => {
    if (item["type"] !== "Container") return;
    fillMap(item, "default", item["max"]);
    fillMap(item, "defaultRequest", item["default"]);
    fillMap(item, "defaultRequest", item["min"]);
  },
};

/** `stringData` is only a way to write: upstream's conversion moves it, so that nobody owns it. */
function takeStringData(secret: Draft): void {
  const strings = objectOf(secret, "stringData");
  delete secret["stringData"];
  for (const [key, value] of Object.entries(strings ?? {})) {
    inner(secret, "data")[key] = encodeBase64(encodeUtf8(typeof value === "string" ? value : ""));
  }
}

function fillContainer(container: Draft): void {
  fillZero(container, "imagePullPolicy", pullPolicy(textOf(container, "image")));
  fillZero(container, "terminationMessagePath", "/dev/termination-log");
  fillZero(container, "terminationMessagePolicy", "File");
}

/** Two names of one field; upstream's conversion writes both. */
function mirrorServiceAccount(spec: Draft): void {
  const name = textOf(spec, "serviceAccountName") || textOf(spec, "serviceAccount");
  if (name === "") return;
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
}

function fillHostPorts(container: Draft): void {
  for (const port of objectsOf(container, "ports")) fillZero(port, "hostPort", numberOf(port, "containerPort"));
}

function fillService(service: Draft): void {
  const spec = inner(service, "spec");
  fillZero(spec, "sessionAffinity", "None");
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  if (spec["sessionAffinity"] === "ClientIP") {
    fill(inner(inner(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds", AFFINITY_SECONDS);
  }
  fillZero(spec, "type", "ClusterIP");
  for (const port of objectsOf(spec, "ports")) {
    fillZero(port, "protocol", "TCP");
    fillZero(port, "targetPort", numberOf(port, "port"));
  }
  const { type } = spec;
  if (isExternallyAccessible(spec)) fillZero(spec, "externalTrafficPolicy", "Cluster");
  if (type === "NodePort" || type === "LoadBalancer" || type === "ClusterIP") {
    fill(spec, "internalTrafficPolicy", "Cluster");
  }
  if (type !== "LoadBalancer") return;
  fill(spec, "allocateLoadBalancerNodePorts", true);
  for (const ingress of objectsOf(inner(inner(service, "status"), "loadBalancer"), "ingress")) {
    if (textOf(ingress, "ip") !== "") fill(ingress, "ipMode", "VIP");
  }
}

function isExternallyAccessible(spec: Draft): boolean {
  const { type, externalIPs } = spec;
  const hasExternalIps = isArray(externalIPs) && externalIPs.length > 0;
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && hasExternalIps);
}
