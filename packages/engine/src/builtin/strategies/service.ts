/**
 * Services: addresses, ports of nodes and IP families, which the server hands out and keeps across updates.
 *
 * Follows pkg/registry/core/service/storage.
 */
import { internalError } from "../../status/error.ts";
import type { JsonObject } from "../../value/json.ts";
import { type Draft, fill, inner } from "../defaults/draft.ts";
import { has, isEmpty, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { isIpv6 } from "../validate/addresses.ts";
import * as messages from "../validate/networking/messages.ts";
import { validateAddressFields } from "../validate/networking/service-addresses.ts";
import { isSameList, keepsPreference, validateFamilyChoice } from "../validate/networking/service-families.ts";
import { DEFAULT_SERVICE_NETWORK, type IpFamily, otherFamily, type ServiceNetwork } from "./service-network.ts";
import type { PrepareContext } from "./strategy.ts";

export function prepareService(service: Draft, context: PrepareContext): void {
  prepareChange(service, undefined, context);
}

export function prepareServiceUpdate(service: Draft, old: JsonObject, context: PrepareContext): void {
  const spec = inner(service, "spec");
  const before = objectOf(old, "spec") ?? {};
  keepAllocated(spec, before);
  followAddress(spec, before);
  dropForType(spec, before);
  prepareChange(service, old, context);
}

function prepareChange(service: Draft, old: JsonObject | undefined, context: PrepareContext): void {
  const spec = inner(service, "spec");
  if (textOf(spec, "clusterIP") !== "" && textsOf(spec, "clusterIPs").length === 0)
    spec["clusterIPs"] = [textOf(spec, "clusterIP")];
  if (spec["type"] === "ExternalName") {
    dropTrafficPolicy(spec);
    return;
  }
  if (prepareFamilies(service, old, context.network)) {
    allocateAddresses(spec, objectOf(old, "spec"), (family) => addressFor(service, family, context));
  }
  allocateNodePorts(spec, { context, isCreate: old === undefined });
}

/** Upstream stores it and never shows it; one that is no policy at all is left to be refused. */
function dropTrafficPolicy(spec: Draft): void {
  const policy = spec["internalTrafficPolicy"];
  if (policy === "Cluster" || policy === "Local") delete spec["internalTrafficPolicy"];
}

/**
 * Sets the families and their policy. False if the addresses stay as they are: nothing about them changed, or the
 * service will be refused as it was sent.
 */
function prepareFamilies(service: Draft, old: JsonObject | undefined, network = DEFAULT_SERVICE_NETWORK): boolean {
  const spec = inner(service, "spec");
  const before = objectOf(old, "spec");
  if (keepsPreference(spec, before)) return false;
  const isOpen = textOf(spec, "clusterIP") === "None" && isEmpty(spec["selector"]);
  fill(spec, "ipFamilyPolicy", isOpen ? "RequireDualStack" : "SingleStack");
  if (validateAddressFields(service, old).length > 0) return false;
  if (before !== undefined && spec["ipFamilyPolicy"] === "SingleStack") releaseSecond(spec, before);
  if (validateFamilyChoice(service, old, network).length > 0) return false;
  const families = familiesOf(spec, network);
  const wantsSecond = spec["ipFamilyPolicy"] !== "SingleStack" && (isOpen || network.ipFamilies.length === 2);
  const [first = "IPv4"] = families;
  spec["ipFamilies"] = families.length === 1 && wantsSecond ? [first, otherFamily(first)] : families;
  return true;
}

/** Those that were sent, else those of the addresses, else the default. */
function familiesOf(spec: JsonObject, { ipFamilies }: ServiceNetwork): string[] {
  const families = textsOf(spec, "ipFamilies");
  const ips = textsOf(spec, "clusterIPs");
  const implied = ips[0] === "None" ? [] : ips.slice(families.length).map((ip) => (isIpv6(ip) ? "IPv6" : "IPv4"));
  const all = [...families, ...implied];
  return all.length > 0 ? all : ipFamilies.slice(0, 1);
}

/** Going back to one family is a clear request, unless the lists were changed too. */
function releaseSecond(spec: Draft, before: JsonObject): void {
  for (const key of ["clusterIPs", "ipFamilies"]) {
    const list = textsOf(spec, key);
    if (list.length > 1 && isSameList(list, textsOf(before, key))) spec[key] = list.slice(0, 1);
  }
}

/** New services get an address of each family; an old one gets the one of an added family. */
function allocateAddresses(spec: Draft, before: JsonObject | undefined, nextFor: (family: IpFamily) => string): void {
  const ips = textsOf(spec, "clusterIPs");
  const families = textsOf(spec, "ipFamilies");
  if (ips[0] === "None") return;
  if (before !== undefined && before["type"] !== "ExternalName") {
    const isUpgrade = textsOf(before, "ipFamilies").length === 1 && families.length === 2;
    if (textsOf(before, "clusterIPs")[0] === "None" || !isUpgrade) return;
  }
  const all = families.map((family, index) => ips[index] ?? nextFor(family === "IPv6" ? "IPv6" : "IPv4"));
  spec["clusterIPs"] = all;
  spec["clusterIP"] = all[0] ?? "";
}

/** Throws a StatusError if there is none, before anything else about the service is checked. */
function addressFor(service: JsonObject, family: IpFamily, { clusterIp }: PrepareContext): string {
  const address = clusterIp(family);
  if (address === "") throw internalError(messages.noAddressLeft(textOf(metaOf(service), "name")));
  return address;
}

function portFrom({ nodePort }: PrepareContext): number {
  const port = nodePort();
  if (port === 0) throw internalError(messages.noPortLeft());
  return port;
}

interface PortAllocation {
  readonly context: PrepareContext;
  readonly isCreate: boolean;
}

function allocateNodePorts(spec: Draft, { context, isCreate }: PortAllocation): void {
  const next = context.isDryRun === true ? dummyPorts(spec) : () => portFrom(context);
  const wants = wantsNodePorts(spec);
  const ports: readonly Draft[] = objectsOf(spec, "ports");
  if (isCreate && needsNodePorts(spec)) shareNodePorts(ports, wants ? next : undefined);
  else if (wants) for (const port of ports) if (numberOf(port, "nodePort") === 0) port["nodePort"] = next();
  if (needsCheckPort(spec) && numberOf(spec, "healthCheckNodePort") === 0) spec["healthCheckNodePort"] = next();
}

/** Two protocols on one port of a new service share a node port. */
function shareNodePorts(ports: readonly Draft[], next: (() => number) | undefined): void {
  const shared = new Map<number, number>();
  const requested = new Map<number, number>();
  for (const port of ports) {
    const [number, own] = [numberOf(port, "port"), numberOf(port, "nodePort")];
    if (own !== 0 && !requested.has(number)) requested.set(number, own);
  }
  for (const port of ports) {
    const [number, own] = [numberOf(port, "port"), numberOf(port, "nodePort")];
    if (own === 0 && next === undefined) continue;
    const known = shared.get(number) ?? requested.get(number) ?? next?.();
    if (known === undefined) continue;
    if (own === 0) port["nodePort"] = known;
    shared.set(number, known);
  }
}

const LAST_REAL_PORT = 32_768;

/** A dry run gives out numbers above all that the service has. */
function dummyPorts(spec: JsonObject): () => number {
  const greatest = objectsOf(spec, "ports").reduce((most, port) => Math.max(most, numberOf(port, "nodePort")), 0);
  let last = greatest === 0 ? LAST_REAL_PORT : greatest;
  return () => ++last;
}

/** What a change of type takes with it, unless the request changed it too. */
function dropForType(spec: Draft, before: JsonObject): void {
  if (spec["type"] === "ExternalName" && before["type"] !== "ExternalName") dropAddresses(spec, before);
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

function dropAddresses(spec: Draft, before: JsonObject): void {
  if (isSameList(textsOf(spec, "clusterIPs"), textsOf(before, "clusterIPs"))) {
    for (const key of ["clusterIP", "clusterIPs"]) delete spec[key];
  }
  if (isSameList(textsOf(spec, "ipFamilies"), textsOf(before, "ipFamilies"))) delete spec["ipFamilies"];
  if (spec["ipFamilyPolicy"] === before["ipFamilyPolicy"]) delete spec["ipFamilyPolicy"];
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
  if (!has(spec, "ipFamilyPolicy") && before["ipFamilyPolicy"] !== undefined)
    spec["ipFamilyPolicy"] = before["ipFamilyPolicy"];
  if (wantsNodePorts(spec) && wantsNodePorts(before)) {
    keepNodePorts(spec, before);
  }
  if (needsCheckPort(spec) && needsCheckPort(before) && numberOf(spec, "healthCheckNodePort") === 0) {
    fill(spec, "healthCheckNodePort", numberOf(before, "healthCheckNodePort"));
  }
}

/** A client that changes the first address alone means the list as well, and so does one that does not know the list. */
function followAddress(spec: Draft, before: JsonObject): void {
  const ip = textOf(spec, "clusterIP");
  const [addresses, kept] = [textsOf(spec, "clusterIPs"), textsOf(before, "clusterIPs")];
  if (ip === textOf(before, "clusterIP")) {
    if (addresses.length === 0 && kept.length > 0) spec["clusterIPs"] = kept;
    return;
  }
  if (!isSameList(addresses, kept)) return;
  if (ip === "") delete spec["clusterIPs"];
  else spec["clusterIPs"] = [ip];
}

function needsNodePorts({ type }: JsonObject): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether ports without a node port get one. */
function wantsNodePorts(spec: JsonObject): boolean {
  return needsNodePorts(spec) && (spec["type"] === "NodePort" || spec["allocateLoadBalancerNodePorts"] !== false);
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
