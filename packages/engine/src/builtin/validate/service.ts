/** Services. Follows validateService of pkg/apis/core/validation. */
import { parseIp } from "@portcullis/gostd/net";
import { formatPrefix, masked, parsePrefix } from "@portcullis/gostd/netip";
import { duplicate, type FieldError, forbidden, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { validateLabels } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import {
  endpointIp,
  labelName,
  oneOf,
  oneOfIfSet,
  portNumber,
  portNumberOrName,
  qualifiedName,
  subdomain,
} from "./checks.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
export const PROTOCOLS = ["SCTP", "TCP", "UDP"];

export function validateService(service: JsonObject): FieldError[] {
  const spec = objectOf(service, "spec") ?? {};
  return [
    ...validateByType(spec),
    ...validatePorts(spec),
    ...validateLabels(spec["selector"], SPEC.child("selector")),
    ...oneOf(spec, "sessionAffinity", ["ClientIP", "None"], SPEC),
    ...textsOf(spec, "externalIPs").flatMap((ip, index) => externalIp(ip, SPEC.child("externalIPs").index(index))),
    ...oneOf(spec, "type", TYPES, SPEC),
    ...validateNodePorts(spec),
    ...duplicatePorts(spec),
    ...onlyForLoadBalancers(spec),
    ...validateTrafficPolicies(spec),
  ];
}

function isHeadless(spec: JsonObject): boolean {
  return textsOf(spec, "clusterIPs")[0] === "None";
}

function validateByType(spec: JsonObject): FieldError[] {
  const type = textOf(spec, "type");
  const errors: FieldError[] = [];
  const hasPorts = objectsOf(spec, "ports").length > 0;
  if (!hasPorts && !isHeadless(spec) && type !== "ExternalName") errors.push(required(SPEC.child("ports")));
  if (isHeadless(spec) && (type === "LoadBalancer" || type === "NodePort")) {
    errors.push(invalid(SPEC.child("clusterIPs").index(0), "None", messages.noneNotFor(type)));
  }
  return type === "ExternalName" ? [...errors, ...validateExternalName(spec)] : errors;
}

function validateExternalName(spec: JsonObject): FieldError[] {
  const unwanted = ["clusterIPs", "ipFamilies", "ipFamilyPolicy"].filter((key) => has(spec, key));
  const name = textOf(spec, "externalName").replace(/\.$/, "");
  const at = SPEC.child("externalName");
  return [
    ...unwanted.map((key) => forbidden(SPEC.child(key), messages.notFor("ExternalName"))),
    ...(name === "" ? [required(at)] : subdomain(name, at)),
  ];
}

function validatePorts(spec: JsonObject): FieldError[] {
  const ports = objectsOf(spec, "ports");
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = SPEC.child("ports").index(index);
    const protocol = textOf(port, "appProtocol");
    return [
      ...validatePortName(textOf(port, "name"), { isRequired: ports.length > 1, names }, path.child("name")),
      ...portNumber(numberOf(port, "port"), path.child("port")),
      ...oneOf(port, "protocol", PROTOCOLS, path),
      ...portNumberOrName(port["targetPort"], path.child("targetPort")),
      ...(has(port, "appProtocol") ? qualifiedName(protocol, path.child("appProtocol")) : []),
    ];
  });
}

interface PortNames {
  readonly isRequired: boolean;
  readonly names: Set<string>;
}

function validatePortName(name: string, { isRequired, names }: PortNames, path: FieldPath): FieldError[] {
  if (name === "") return isRequired ? [required(path)] : [];
  const errors = labelName(name, path);
  if (names.has(name)) errors.push(duplicate(path, name));
  names.add(name);
  return errors;
}

const FAMILIES = ["IPv4", "IPv6"];
const FAMILY_POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** What addresses are given out by: upstream looks at this before everything else, and stops where it is wrong. */
export function validateAddresses(service: JsonObject): FieldError[] {
  const spec = objectOf(service, "spec") ?? {};
  if (spec["type"] === "ExternalName") return [];
  const errors = [
    ...sameClusterIp(spec),
    ...validateFamilies(textsOf(spec, "ipFamilies")),
    ...oneOfIfSet(spec, "ipFamilyPolicy", FAMILY_POLICIES, SPEC),
  ];
  const wrong = validateClusterIps(textsOf(spec, "clusterIPs"));
  return wrong.length > 0 ? [...errors, ...wrong] : [...errors, ...validateStacks(spec)];
}

function sameClusterIp(spec: JsonObject): FieldError[] {
  const [ip, ips] = [textOf(spec, "clusterIP"), textsOf(spec, "clusterIPs")];
  const path = SPEC.child("clusterIPs");
  if (ip === "") return ips.length === 0 ? [] : [invalid(path, ips, messages.clusterIpsWithoutIp())];
  if (ips.length === 0) return [required(path)];
  return ips[0] === ip ? [] : [invalid(path, ips, messages.firstClusterIp())];
}

function validateFamilies(families: readonly string[]): FieldError[] {
  return families.flatMap((family, index) => {
    const path = SPEC.child("ipFamilies").index(index);
    return [
      ...(FAMILIES.includes(family) ? [] : [notSupported(path, family, FAMILIES)]),
      ...(families.indexOf(family) < index ? [duplicate(path, family)] : []),
    ];
  });
}

function validateClusterIps(ips: readonly string[]): FieldError[] {
  const path = SPEC.child("clusterIPs");
  const errors = ips.flatMap((ip, index) => {
    if (ip === "None" && index === 0) return ips.length > 1 ? [invalid(path, [...ips], messages.noneAlone())] : [];
    return parseIp(ip) === undefined ? [invalid(path.index(index), ip, messages.badIp(), "ip")] : [];
  });
  return ips.length > 2 ? [...errors, invalid(path, [...ips], messages.twoClusterIps())] : errors;
}

/** One address of each family, in the order of the families. */
function validateStacks(spec: JsonObject): FieldError[] {
  const [ips, families] = [textsOf(spec, "clusterIPs"), textsOf(spec, "ipFamilies")];
  const path = SPEC.child("clusterIPs");
  const isDual = ips.length < 2 || new Set(ips.map((ip) => ip.includes(":"))).size === 2;
  const odd = ips.flatMap((ip, index) => {
    const family = families[index];
    const isOdd = family !== undefined && ip !== "None" && (family === "IPv6") !== ip.includes(":");
    return isOdd ? [invalid(path.index(index), ip, messages.otherFamily(family, index))] : [];
  });
  return isDual ? odd : [invalid(path, ips, messages.oneIpPerFamily()), ...odd];
}

function externalIp(ip: string, path: FieldPath): FieldError[] {
  return parseIp(ip) === undefined ? [invalid(path, ip, messages.badIp(), "ip")] : endpointIp(ip, path);
}

function validateNodePorts(spec: JsonObject): FieldError[] {
  const used = new Set<string>();
  const [wrong, repeated]: [FieldError[], FieldError[]] = [[], []];
  objectsOf(spec, "ports").forEach((port, index) => {
    const nodePort = numberOf(port, "nodePort");
    if (nodePort === 0) return;
    const path = SPEC.child("ports").index(index).child("nodePort");
    if (spec["type"] === "ClusterIP") wrong.push(forbidden(path, messages.notForClusterIp()));
    const key = `${textOf(port, "protocol")} ${nodePort}`;
    if (used.has(key)) repeated.push(duplicate(path, nodePort));
    used.add(key);
  });
  return [...wrong, ...repeated];
}

/** The message shows a port of which only protocol and number are set. */
function duplicatePorts(spec: JsonObject): FieldError[] {
  const used = new Set<string>();
  return objectsOf(spec, "ports").flatMap((port, index) => {
    const [protocol, number] = [textOf(port, "protocol"), numberOf(port, "port")];
    const key = `${protocol} ${number}`;
    if (!used.has(key)) {
      used.add(key);
      return [];
    }
    const shown = `{"Name":"","Protocol":"${protocol}","AppProtocol":null,"Port":${number},"TargetPort":0,"NodePort":0}`;
    return [duplicate(SPEC.child("ports").index(index), new GoJson(shown))];
  });
}

function onlyForLoadBalancers(spec: JsonObject): FieldError[] {
  if (spec["type"] === "LoadBalancer") return [...validateRanges(spec), ...validateClass(spec)];
  const errors: FieldError[] = [];
  const detail = messages.onlyForType("LoadBalancer");
  if (has(spec, "loadBalancerSourceRanges")) {
    errors.push(forbidden(SPEC.child("LoadBalancerSourceRanges"), detail), ...validateRanges(spec));
  }
  if (has(spec, "allocateLoadBalancerNodePorts")) {
    errors.push(forbidden(SPEC.child("allocateLoadBalancerNodePorts"), detail));
  }
  if (has(spec, "loadBalancerClass")) errors.push(forbidden(SPEC.child("loadBalancerClass"), detail));
  return errors;
}

function validateRanges(spec: JsonObject): FieldError[] {
  return textsOf(spec, "loadBalancerSourceRanges").flatMap((range, index) => {
    const path = SPEC.child("LoadBalancerSourceRanges").index(index);
    const prefix = parsePrefix(range.trim());
    if (prefix.error !== undefined) return [invalid(path, range, messages.badCidr())];
    const isMasked = formatPrefix(masked(prefix.value)) === formatPrefix(prefix.value);
    return isMasked ? [] : [invalid(path, range, messages.bitsBeyondPrefix())];
  });
}

function validateClass(spec: JsonObject): FieldError[] {
  const name = textOf(spec, "loadBalancerClass");
  return has(spec, "loadBalancerClass") ? qualifiedName(name, SPEC.child("loadBalancerClass")) : [];
}

const TRAFFIC = ["Cluster", "Local"];
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];

function validateTrafficPolicies(spec: JsonObject): FieldError[] {
  const type = textOf(spec, "type");
  const external = textOf(spec, "externalTrafficPolicy");
  const isExternal =
    type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && has(spec, "externalIPs"));
  const at = SPEC.child("externalTrafficPolicy");
  const errors: FieldError[] = [];
  if (!isExternal && external !== "") errors.push(invalid(at, external, messages.onlyExternal()));
  if (isExternal && !TRAFFIC.includes(external)) errors.push(notSupported(at, external, TRAFFIC));
  const needsCheck = type === "LoadBalancer" && external === "Local";
  const check = numberOf(spec, "healthCheckNodePort");
  if (!needsCheck && check !== 0)
    errors.push(invalid(SPEC.child("healthCheckNodePort"), check, messages.onlyHealthCheck()));
  return [
    ...errors,
    ...oneOfIfSet(spec, "internalTrafficPolicy", TRAFFIC, SPEC),
    ...oneOfIfSet(spec, "trafficDistribution", DISTRIBUTIONS, SPEC),
  ];
}

export function validateServiceUpdate(service: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(service, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  return [...keptClusterIp(spec, before), ...validateService(service)];
}

function keptClusterIp(spec: JsonObject, before: JsonObject): FieldError[] {
  const [ips, old] = [textsOf(spec, "clusterIPs"), textsOf(before, "clusterIPs")];
  const isKept = spec["type"] === "ExternalName" || before["type"] === "ExternalName" || old[0] === undefined;
  if (isKept || ips[0] === old[0]) return [];
  return [invalid(SPEC.child("clusterIPs").index(0), ips, messages.clusterIpPrimary())];
}
