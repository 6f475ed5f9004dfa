/** Addresses and IP families of services. Follows ValidateServiceClusterIPsRelatedFields of core/validation. */
import { duplicate, type FieldError, invalid, notSupported, required } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { repeatedPlaces } from "../../repeats.ts";
import { isIpv6, legacyIp } from "../addresses.ts";
import { supportedIfSet } from "../checks.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const FAMILIES = ["IPv4", "IPv6"];
const FAMILY_POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

export function isHeadless(spec: JsonObject): boolean {
  const ips = textsOf(spec, "clusterIPs");
  return ips.length === 1 && ips[0] === "None";
}

/** What addresses are given out by: upstream looks at this before everything else, and stops where it is wrong. */
export function validateAddresses(service: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectOf(service, "spec") ?? {};
  if (spec["type"] === "ExternalName") return [];
  const before = old === undefined ? [] : textsOf(objectOf(old, "spec"), "clusterIPs");
  const errors = [
    ...sameClusterIp(spec),
    ...validateFamilies(textsOf(spec, "ipFamilies")),
    ...supportedIfSet(spec, "ipFamilyPolicy", FAMILY_POLICIES, SPEC),
  ];
  const { isBroken, wrong } = validateClusterIps(textsOf(spec, "clusterIPs"), before);
  const found = [...errors, ...wrong, ...(isBroken ? [] : validateStacks(spec))];
  if (found.length > 0) return found;
  const unfit = singleStack(spec);
  if (unfit.length > 0) return unfit;
  const missing = configured(spec);
  return missing.length > 0 ? missing : nodePorts(spec, objectOf(old, "spec"));
}

const [LEAST_PORT, LAST_PORT] = [30_000, 32_767];

/** Existing node ports are not allocated again. Only the first unavailable one is reported. */
function nodePorts(spec: JsonObject, before: JsonObject | undefined): FieldError[] {
  if (spec["type"] !== "NodePort" && spec["type"] !== "LoadBalancer") return [];
  const known = new Set(objectsOf(before, "ports").map((port) => numberOf(port, "nodePort")));
  const asked = objectsOf(spec, "ports").map((port) => numberOf(port, "nodePort"));
  const index = asked.findIndex((port) => port !== 0 && !known.has(port) && (port < LEAST_PORT || port > LAST_PORT));
  const port = asked[index];
  if (port === undefined) return [];
  return [
    invalid(SPEC.child("ports").index(index).child("nodePort"), port, messages.nodePortRange(LEAST_PORT, LAST_PORT)),
  ];
}

function singleStack(spec: JsonObject): FieldError[] {
  const policy = textOf(spec, "ipFamilyPolicy");
  if (policy !== "SingleStack") return [];
  const path = SPEC.child("ipFamilyPolicy");
  const counts = { "cluster IPs": textsOf(spec, "clusterIPs"), "IP families": textsOf(spec, "ipFamilies") };
  return Object.entries(counts).flatMap(([what, list]) =>
    list.length === 2 ? [invalid(path, policy, messages.manyStacks(what))] : [],
  );
}

function sameClusterIp(spec: JsonObject): FieldError[] {
  const [ip, ips] = [textOf(spec, "clusterIP"), textsOf(spec, "clusterIPs")];
  const path = SPEC.child("clusterIPs");
  if (ip === "") return ips.length === 0 ? [] : [invalid(path, ips, messages.clusterIpsWithoutIp())];
  if (ips.length === 0) return [required(path)];
  return ips[0] === ip ? [] : [invalid(path, ips, messages.firstClusterIp())];
}

function validateFamilies(families: readonly string[]): FieldError[] {
  const repeated = repeatedPlaces(families);
  return families.flatMap((family, index) => {
    const path = SPEC.child("ipFamilies").index(index);
    return [
      ...(FAMILIES.includes(family) ? [] : [notSupported(path, family, FAMILIES)]),
      ...(repeated.has(index) ? [duplicate(path, family)] : []),
    ];
  });
}

interface ClusterIps {
  readonly wrong: readonly FieldError[];
  /** At least one is not an address. */
  readonly isBroken: boolean;
}

function validateClusterIps(ips: readonly string[], before: readonly string[]): ClusterIps {
  const old = new Set(before);
  const path = SPEC.child("clusterIPs");
  const wrong = ips.flatMap((ip, index) => {
    if (ip === "None" && index === 0) return ips.length > 1 ? [invalid(path, [...ips], messages.noneAlone())] : [];
    return legacyIp(ip, path.index(index), old);
  });
  const isBroken = wrong.length > 0;
  return { isBroken, wrong: ips.length > 2 ? [...wrong, invalid(path, [...ips], messages.twoClusterIps())] : wrong };
}

/** One address of each family, in the order of the families. */
function validateStacks(spec: JsonObject): FieldError[] {
  const [ips, families] = [textsOf(spec, "clusterIPs"), textsOf(spec, "ipFamilies")];
  const path = SPEC.child("clusterIPs");
  const isDual = ips.length < 2 || new Set(ips.map(isIpv6)).size === 2;
  const odd = ips.flatMap((ip, index) => {
    const family = families[index];
    const isOdd = family !== undefined && ip !== "None" && (family === "IPv6") !== isIpv6(ip);
    return isOdd ? [invalid(path.index(index), ip, messages.otherFamily(family, index))] : [];
  });
  return isDual ? odd : [invalid(path, ips, messages.oneIpPerFamily()), ...odd];
}

/** Addresses are IPv4 here, and services without a selector may ask for more than there is. */
function configured(spec: JsonObject): FieldError[] {
  const isFree = isHeadless(spec) && objectOf(spec, "selector") === undefined;
  if (isFree) return [];
  const policy = textOf(spec, "ipFamilyPolicy");
  return [
    ...(policy === "RequireDualStack" ? [invalid(SPEC.child("ipFamilyPolicy"), policy, messages.noDualStack())] : []),
    ...textsOf(spec, "ipFamilies").flatMap((family, index) =>
      family === "IPv4" ? [] : [invalid(SPEC.child("ipFamilies").index(index), family, messages.notConfigured())],
    ),
  ];
}
