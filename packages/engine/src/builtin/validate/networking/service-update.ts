/** What may change in a service, and its status. Follows ValidateServiceUpdate of core/validation. */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { legacyIp, parseIpSloppy } from "../addresses.ts";
import { subdomain } from "../checks.ts";
import { immutable } from "../messages.ts";
import * as messages from "./messages.ts";
import { balancerClass, needsHealthCheck, validateService } from "./service.ts";
import { isHeadless } from "./service-addresses.ts";

const SPEC = newPath("spec");

export function validateServiceUpdate(service: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(service, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  const isExternal = spec["type"] === "ExternalName" || before["type"] === "ExternalName";
  return [
    ...(isExternal ? [] : [...keptClusterIps(spec, before), ...keptFamilies(spec, before)]),
    ...keptClass(spec, before),
    ...balancerClass(spec),
    ...keptHealthCheck(spec, before),
    ...validateService(service, old),
  ];
}

function keptClusterIps(spec: JsonObject, before: JsonObject): FieldError[] {
  if (isHeadless(spec) && isHeadless(before)) return [];
  const [ips, old] = [textsOf(spec, "clusterIPs"), textsOf(before, "clusterIPs")];
  const path = SPEC.child("clusterIPs");
  if (ips.length === old.length) {
    return old.flatMap((ip, index) =>
      ip === ips[index] ? [] : [invalid(path.index(index), ips, messages.notChanged())],
    );
  }
  const isOther = old[0] !== undefined && ips[0] !== undefined && ips[0] !== old[0];
  const changed = isOther ? [invalid(path.index(0), ips, messages.notChanged())] : [];
  if (old.length < ips.length) return changed;
  const unset = ips.length === 0 ? [invalid(path.index(0), null, messages.primaryUnset("clusterIP"))] : [];
  return [...unset, ...changed, ...released(spec, ips, "clusterIP")];
}

/** Only a service of one family may give up the second address. */
function released(spec: JsonObject, kept: readonly string[], what: string): FieldError[] {
  const policy = spec["ipFamilyPolicy"];
  if (kept.length !== 1 || policy === "SingleStack") return [];
  return [invalid(SPEC.child("ipFamilyPolicy"), policy ?? null, messages.singleStack(what))];
}

function keptFamilies(spec: JsonObject, before: JsonObject): FieldError[] {
  if (isHeadless(spec) || isHeadless(before)) return [];
  const [families, old] = [textsOf(spec, "ipFamilies"), textsOf(before, "ipFamilies")];
  const at = SPEC.child("ipFamilies").index(0);
  if (families.length === old.length) {
    return old.flatMap((family, index) =>
      family === families[index] ? [] : [invalid(at, families, messages.notChanged())],
    );
  }
  const ips = textsOf(spec, "clusterIPs");
  const isOther = old[0] !== undefined && families[0] !== undefined && families[0] !== old[0];
  const changed = isOther ? [invalid(at, ips, messages.notChanged())] : [];
  if (old.length < families.length) return changed;
  const unset = ips.length === 0 ? [invalid(at, families, messages.primaryUnset("ipFamily"))] : [];
  return [...unset, ...changed, ...released(spec, families, "ipFamily")];
}

function keptClass(spec: JsonObject, before: JsonObject): FieldError[] {
  const key = "loadBalancerClass";
  const isBoth = spec["type"] === "LoadBalancer" && before["type"] === "LoadBalancer";
  if (!isBoth || spec[key] === before[key]) return [];
  return [invalid(SPEC.child(key), spec[key] ?? null, messages.notChanged())];
}

function keptHealthCheck(spec: JsonObject, before: JsonObject): FieldError[] {
  const key = "healthCheckNodePort";
  const isBoth = needsHealthCheck(spec) && needsHealthCheck(before);
  if (!isBoth || numberOf(spec, key) === numberOf(before, key)) return [];
  return [forbidden(SPEC.child(key), immutable())];
}

const IP_MODES = ["Proxy", "VIP"];

export function validateServiceStatus(service: JsonObject, old: JsonObject): FieldError[] {
  const path = newPath("status", "loadBalancer", "ingress");
  const [list, before] = [balancersOf(service), balancersOf(old)];
  if (list.length === 0) return [];
  if (objectOf(service, "spec")?.["type"] !== "LoadBalancer") {
    return [forbidden(path, messages.onlyLoadBalancerStatus())];
  }
  const known = new Set(before.map((each) => textOf(each, "ip")));
  return list.flatMap((ingress, index) => {
    const at = path.index(index);
    return [...balancerAddress(ingress, at, known), ...ipMode(ingress, at.child("ipMode"))];
  });
}

function balancersOf(object: JsonObject): JsonObject[] {
  return objectsOf(objectOf(objectOf(object, "status"), "loadBalancer"), "ingress");
}

/** Shared with ingresses. */
export function balancerAddress(ingress: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const [ip, name] = [textOf(ingress, "ip"), textOf(ingress, "hostname")];
  const isIp = name !== "" && parseIpSloppy(name) !== undefined;
  return [
    ...(ip === "" ? [] : legacyIp(ip, path.child("ip"), known)),
    ...(name === "" ? [] : subdomain(name, path.child("hostname"))),
    ...(isIp ? [invalid(path.child("hostname"), name, messages.notAnIp())] : []),
  ];
}

function ipMode(ingress: JsonObject, path: FieldPath): FieldError[] {
  const [mode, hasIp] = [textOf(ingress, "ipMode"), textOf(ingress, "ip") !== ""];
  if (!has(ingress, "ipMode")) return hasIp ? [required(path, messages.ipModeNeeded())] : [];
  if (!hasIp) return [forbidden(path, messages.ipModeAlone())];
  return IP_MODES.includes(mode) ? [] : [notSupported(path, mode, IP_MODES)];
}
