/** Services. Follows validateService of pkg/apis/core/validation. */

import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { validateLabels } from "../../../schema/object-meta.ts";
import { isEnabled } from "../../../value/gates.ts";
import { hasKey, isArray, type JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, isEmpty, metaOf, numberOf, objectFrom, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { endpointIp, legacyCidr, legacyIp } from "../addresses.ts";
import {
  eachOf,
  labelName,
  oneOf,
  portNumber,
  portNumberOrName,
  qualifiedName,
  subdomain,
  supportedIfSet,
} from "../checks.ts";
import * as messages from "./messages.ts";
import { PROTOCOLS } from "./protocols.ts";
import { isHeadless } from "./service-addresses.ts";

const SPEC = newPath("spec");
const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

/** What was there before may stay as it was. */
export function validateService(service: JsonObject, old?: JsonObject | undefined): FieldError[] {
  const spec = objectOf(service, "spec") ?? {};
  const before = old === undefined ? {} : (objectOf(old, "spec") ?? {});
  const knownIps = new Set(textsOf(before, "externalIPs"));
  return [
    ...sameTopology(service),
    ...validateByType(spec),
    ...kubeletPort(spec),
    ...validatePorts(spec),
    ...validateLabels(spec["selector"], SPEC.child("selector")),
    ...oneOf(spec, "sessionAffinity", ["ClientIP", "None"], SPEC),
    ...affinityConfig(spec, SPEC.child("sessionAffinityConfig")),
    ...textsOf(spec, "externalIPs").flatMap((ip, index) =>
      externalIp(ip, SPEC.child("externalIPs").index(index), knownIps),
    ),
    ...oneOf(spec, "type", TYPES, SPEC),
    ...validateNodePorts(spec),
    ...duplicatePorts(spec),
    ...sourceRanges(service, spec, old),
    ...onlyForLoadBalancers(spec),
    ...validateTrafficPolicies(spec),
  ];
}

const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";

function sameTopology(service: JsonObject): FieldError[] {
  const annotations = objectOf(metaOf(service), "annotations");
  if (annotations === undefined) return [];
  const [hints, mode] = [annotations[TOPOLOGY_HINTS], annotations[TOPOLOGY_MODE]];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  return [invalid(newPath("metadata", "annotations").key(TOPOLOGY_MODE), mode, messages.sameTopology(TOPOLOGY_HINTS))];
}

const KUBELET_PORT = 10_250;

/** Up to 1.32. */
function kubeletPort(spec: JsonObject): FieldError[] {
  if (since("1.33") || textOf(spec, "type") !== "LoadBalancer") return [];
  return eachOf(spec, "ports", SPEC, (port, path) =>
    numberOf(port, "port") === KUBELET_PORT ? [invalid(path, KUBELET_PORT, messages.kubeletPort(KUBELET_PORT))] : [],
  );
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
  const unwanted = ["clusterIPs", "ipFamilies", "ipFamilyPolicy"].filter((key) =>
    isArray(spec[key]) ? !isEmpty(spec[key]) : has(spec, key),
  );
  const name = textOf(spec, "externalName").replace(/\.$/, "");
  const at = SPEC.child("externalName");
  return [
    ...unwanted.map((key) => forbidden(SPEC.child(key), messages.notFor("ExternalName"))),
    ...(name === "" ? [required(at)] : subdomain(name, at)),
  ];
}

function validatePorts(spec: JsonObject): FieldError[] {
  const isRequired = objectsOf(spec, "ports").length > 1;
  const names = new Set<string>();
  return eachOf(spec, "ports", SPEC, (port, path) => [
    ...validatePortName(textOf(port, "name"), { isRequired, names }, path.child("name")),
    ...portNumber(numberOf(port, "port"), path.child("port")),
    ...oneOf(port, "protocol", PROTOCOLS, path),
    ...portNumberOrName(port["targetPort"], path.child("targetPort")),
    ...(has(port, "appProtocol") ? qualifiedName(textOf(port, "appProtocol"), path.child("appProtocol")) : []),
  ]);
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

const MAX_AFFINITY_SECONDS = 86_400;

function affinityConfig(spec: JsonObject, path: FieldPath): FieldError[] {
  const config = objectOf(spec, "sessionAffinityConfig");
  if (textOf(spec, "sessionAffinity") !== "ClientIP") {
    const isOdd = textOf(spec, "sessionAffinity") === "None" && config !== undefined;
    return isOdd ? [forbidden(path, messages.noAffinityConfig())] : [];
  }
  const client = objectOf(config, "clientIP");
  if (config === undefined) return [required(path, messages.affinityNeeded())];
  if (client === undefined) return [required(path.child("clientIP"), messages.affinityNeeded())];
  const at = path.child("clientIP", "timeoutSeconds");
  if (!has(client, "timeoutSeconds")) return [required(at, messages.affinityNeeded())];
  const seconds = numberOf(client, "timeoutSeconds");
  const isFine = seconds > 0 && seconds <= MAX_AFFINITY_SECONDS;
  return isFine ? [] : [invalid(at, seconds, messages.affinityRange())];
}

function externalIp(ip: string, path: FieldPath, old: ReadonlySet<string>): FieldError[] {
  const errors = legacyIp(ip, path, old);
  return errors.length > 0 ? errors : endpointIp(ip, path);
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
  return eachOf(spec, "ports", SPEC, (port, path) => {
    const [protocol, number] = [textOf(port, "protocol"), numberOf(port, "port")];
    const key = `${protocol} ${number}`;
    if (!used.has(key)) {
      used.add(key);
      return [];
    }
    const shown = objectFrom({ protocol, port: number });
    return [duplicate(path, internalJson("core.ServicePort", shown))];
  });
}

const RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** In the field, or in an annotation that is older than it. */
function sourceRanges(service: JsonObject, spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const ranges = textsOf(spec, "loadBalancerSourceRanges");
  const isBalancer = spec["type"] === "LoadBalancer";
  const detail = messages.onlyForType("LoadBalancer");
  if (ranges.length > 0) {
    const path = SPEC.child("LoadBalancerSourceRanges");
    const before = old === undefined ? [] : textsOf(objectOf(old, "spec"), "loadBalancerSourceRanges");
    const known = new Set(before.map((range) => range.trim()));
    return [
      ...(isBalancer ? [] : [forbidden(path, detail)]),
      ...ranges.flatMap((range, index) => legacyCidr(range.trim(), path.index(index), known)),
    ];
  }
  const annotations = objectOf(metaOf(service), "annotations") ?? {};
  if (!hasKey(annotations, RANGES)) return [];
  const [text, path] = [textOf(annotations, RANGES), newPath("metadata", "annotations").key(RANGES)];
  const isKept = old !== undefined && textOf(objectOf(metaOf(old), "annotations"), RANGES) === text;
  const listed = isKept || text.trim() === "" ? [] : text.trim().split(",");
  return [
    ...(isBalancer ? [] : [forbidden(path, detail)]),
    ...listed.flatMap((range) => legacyCidr(range.trim(), path)),
  ];
}

function onlyForLoadBalancers(spec: JsonObject): FieldError[] {
  const isBalancer = spec["type"] === "LoadBalancer";
  const detail = messages.onlyForType("LoadBalancer");
  const errors: FieldError[] = [];
  if (has(spec, "allocateLoadBalancerNodePorts") && !isBalancer)
    errors.push(forbidden(SPEC.child("allocateLoadBalancerNodePorts"), detail));
  return [...errors, ...balancerClass(spec)];
}

export function balancerClass(spec: JsonObject): FieldError[] {
  if (!has(spec, "loadBalancerClass")) return [];
  const at = SPEC.child("loadBalancerClass");
  if (spec["type"] === "LoadBalancer") return qualifiedName(textOf(spec, "loadBalancerClass"), at);
  return [forbidden(at, messages.onlyForType("LoadBalancer"))];
}

const TRAFFIC = ["Cluster", "Local"];
function distributions(): readonly string[] {
  return isEnabled("PreferSameTrafficDistribution")
    ? ["PreferClose", "PreferSameZone", "PreferSameNode"]
    : ["PreferClose"];
}

function validateTrafficPolicies(spec: JsonObject): FieldError[] {
  const distribution = textOf(spec, "trafficDistribution");
  const isKnown = !has(spec, "trafficDistribution") || distributions().includes(distribution);
  return [
    ...externalTraffic(spec, SPEC.child("externalTrafficPolicy")),
    ...healthCheck(spec, SPEC.child("healthCheckNodePort")),
    ...supportedIfSet(spec, "internalTrafficPolicy", TRAFFIC, SPEC),
    ...(isKnown ? [] : [notSupported(SPEC.child("trafficDistribution"), distribution, distributions())]),
  ];
}

function externalTraffic(spec: JsonObject, path: FieldPath): FieldError[] {
  const [type, policy] = [textOf(spec, "type"), textOf(spec, "externalTrafficPolicy")];
  const hasIps = textsOf(spec, "externalIPs").length > 0;
  const isExternal = type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && hasIps);
  if (!isExternal) return policy === "" ? [] : [invalid(path, policy, messages.onlyExternal())];
  if (policy === "") return [required(path)];
  return TRAFFIC.includes(policy) ? [] : [notSupported(path, policy, TRAFFIC)];
}

export function needsHealthCheck(spec: JsonObject): boolean {
  return spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
}

function healthCheck(spec: JsonObject, path: FieldPath): FieldError[] {
  const port = numberOf(spec, "healthCheckNodePort");
  if (!needsHealthCheck(spec)) return port === 0 ? [] : [invalid(path, port, messages.onlyHealthCheck())];
  return port === 0 ? [required(path)] : portNumber(port, path);
}
