/**
 * Services: addresses, ports of nodes and IP families, which the server hands out and keeps across updates.
 *
 * Follows pkg/registry/core/service for a server that allocates IPv4 addresses only.
 */
import type { JsonObject } from "../../value/json.ts";
import { type Draft, fill, inner } from "../defaults/draft.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import type { PrepareContext } from "./strategy.ts";

export function prepareService(service: Draft, context: PrepareContext): void {
  const spec = inner(service, "spec");
  if (textOf(spec, "clusterIP") !== "" && textsOf(spec, "clusterIPs").length === 0)
    spec["clusterIPs"] = [textOf(spec, "clusterIP")];
  if (spec["type"] === "ExternalName") {
    dropTrafficPolicy(spec);
    return;
  }
  if (needsAddress(spec)) {
    const ip = context.clusterIp();
    spec["clusterIP"] = ip;
    spec["clusterIPs"] = [ip];
  }
  setFamilies(spec);
  allocateNodePorts(spec, context);
}

export function prepareServiceUpdate(service: Draft, old: JsonObject, context: PrepareContext): void {
  const spec = inner(service, "spec");
  const before = objectOf(old, "spec") ?? {};
  dropForType(spec, before);
  keepAllocated(spec, before);
  followAddress(spec, before);
  prepareService(service, context);
}

/** Upstream stores it and never shows it; one that is no policy at all is left to be refused. */
function dropTrafficPolicy(spec: Draft): void {
  const policy = spec["internalTrafficPolicy"];
  if (policy === "Cluster" || policy === "Local") delete spec["internalTrafficPolicy"];
}

/** Where nothing is said about addresses; those of another family than there is are refused later. */
function needsAddress(spec: JsonObject): boolean {
  const [family = "IPv4"] = textsOf(spec, "ipFamilies");
  return textOf(spec, "clusterIP") === "" && textsOf(spec, "clusterIPs").length === 0 && family === "IPv4";
}

function setFamilies(spec: Draft): void {
  const ip = textOf(spec, "clusterIP");
  const isOpen = ip === "None" && objectOf(spec, "selector") === undefined;
  fill(spec, "ipFamilyPolicy", isOpen ? "RequireDualStack" : "SingleStack");
  if (!has(spec, "ipFamilies")) spec["ipFamilies"] = isOpen ? ["IPv4", "IPv6"] : [ip.includes(":") ? "IPv6" : "IPv4"];
}

function allocateNodePorts(spec: Draft, { nodePort }: PrepareContext): void {
  const { type } = spec;
  const wants = type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
  if (wants) {
    for (const port of objectsOf(spec, "ports")) if (numberOf(port, "nodePort") === 0) port["nodePort"] = nodePort();
  }
  if (needsCheckPort(spec) && numberOf(spec, "healthCheckNodePort") === 0) spec["healthCheckNodePort"] = nodePort();
}

/** What a change of type takes with it, unless the request changed it too. */
function dropForType(spec: Draft, before: JsonObject): void {
  const needsIp = spec["type"] !== "ExternalName";
  if (!needsIp && before["type"] !== "ExternalName" && textOf(spec, "clusterIP") === textOf(before, "clusterIP")) {
    for (const key of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]) delete spec[key];
  }
  if (needsNodePorts(before) && !needsNodePorts(spec)) {
    const used = new Set(objectsOf(before, "ports").map((port) => numberOf(port, "nodePort")));
    for (const port of objectsOf(spec, "ports")) if (used.has(numberOf(port, "nodePort"))) delete port["nodePort"];
  }
  if (spec["type"] !== "LoadBalancer" && before["type"] === "LoadBalancer") {
    for (const key of ["allocateLoadBalancerNodePorts", "loadBalancerClass"]) {
      if (spec[key] === before[key]) delete spec[key];
    }
  }
  const losesCheckPort = needsCheckPort(before) && !needsCheckPort(spec);
  if (losesCheckPort && spec["healthCheckNodePort"] === before["healthCheckNodePort"])
    delete spec["healthCheckNodePort"];
  if (!isExternallyAccessible(before) || isExternallyAccessible(spec)) return;
  if (spec["externalTrafficPolicy"] === before["externalTrafficPolicy"]) delete spec["externalTrafficPolicy"];
}

function needsCheckPort(spec: JsonObject): boolean {
  return spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
}

function isExternallyAccessible(spec: JsonObject): boolean {
  return needsNodePorts(spec) || (spec["type"] === "ClusterIP" && textsOf(spec, "externalIPs").length > 0);
}

/** A PUT that leaves out what was allocated keeps it. */
function keepAllocated(spec: Draft, before: JsonObject): void {
  if (spec["type"] === "ExternalName" || before["type"] === "ExternalName") return;
  const { clusterIP, clusterIPs } = before;
  if (textOf(spec, "clusterIP") === "" && clusterIP !== undefined) spec["clusterIP"] = clusterIP;
  const isSame = textOf(spec, "clusterIP") === textOf(before, "clusterIP");
  if (isSame && textsOf(spec, "clusterIPs").length === 0 && clusterIPs !== undefined) spec["clusterIPs"] = clusterIPs;
  for (const key of ["ipFamilies", "ipFamilyPolicy"])
    if (!has(spec, key) && before[key] !== undefined) spec[key] = before[key];
  if (needsNodePorts(spec) && needsNodePorts(before)) {
    keepNodePorts(spec, before);
  }
  if (needsCheckPort(spec) && needsCheckPort(before) && numberOf(spec, "healthCheckNodePort") === 0) {
    fill(spec, "healthCheckNodePort", numberOf(before, "healthCheckNodePort"));
  }
}

/** Who changes the first address alone means the list as well. */
function followAddress(spec: Draft, before: JsonObject): void {
  const ip = textOf(spec, "clusterIP");
  if (ip === textOf(before, "clusterIP")) return;
  const [addresses, kept] = [textsOf(spec, "clusterIPs"), textsOf(before, "clusterIPs")];
  const isKept = addresses.length === kept.length && addresses.every((each, index) => each === kept[index]);
  if (!isKept) return;
  if (ip === "") delete spec["clusterIPs"];
  else spec["clusterIPs"] = [ip];
}

function needsNodePorts({ type }: JsonObject): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Ports are matched by name; one that another port of the request has taken is not given twice. */
function keepNodePorts(spec: Draft, before: JsonObject): void {
  const allocated = new Map<string, number>();
  for (const port of objectsOf(before, "ports")) {
    const name = textOf(port, "name");
    if (!allocated.has(name)) allocated.set(name, numberOf(port, "nodePort"));
  }
  const ports: readonly Draft[] = objectsOf(spec, "ports");
  const taken = new Set(ports.map((port) => numberOf(port, "nodePort")));
  for (const port of ports) {
    const nodePort = allocated.get(textOf(port, "name")) ?? 0;
    if (numberOf(port, "nodePort") !== 0 || nodePort === 0 || taken.has(nodePort)) continue;
    taken.add(nodePort);
    port["nodePort"] = nodePort;
  }
}
