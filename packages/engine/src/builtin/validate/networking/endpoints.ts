/** Endpoints and endpoint slices. Follows pkg/apis/{core,discovery}/validation. */

import { formatAddr, is4, parseAddr, unmap } from "@portcullis/gostd/netip";
import { duplicate, type FieldError, invalid, notSupported, required, tooMany } from "../../../field/error.ts";
import { checkDnsLabel, checkDnsSubdomain, checkLabelValue } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { validateLabels } from "../../../schema/object-meta.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { repeats } from "../../../value/repeated.ts";
import { since } from "../../../value/server-version.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { endpointIp, isIpv6, legacyIp, parseIpSloppy } from "../addresses.ts";
import {
  eachOf,
  immutable,
  labelName,
  oneOf,
  portNumber,
  qualifiedName,
  subdomain,
  supportedIfSet,
} from "../checks.ts";
import * as shared from "../messages.ts";
import * as messages from "./messages.ts";
import { PROTOCOLS } from "./protocols.ts";

export function validateEndpoints(endpoints: JsonObject): FieldError[] {
  return objectsOf(endpoints, "subsets").flatMap((subset, index) =>
    validateSubset(subset, newPath("subsets").index(index)),
  );
}

/** What is wrong may stay as long as nothing changes. */
export function validateEndpointsUpdate(endpoints: JsonObject, old: JsonObject): FieldError[] {
  const isKept = since("1.33") && semanticEqual(endpoints["subsets"], old["subsets"]);
  return isKept ? [] : validateEndpoints(endpoints);
}

function validateSubset(subset: JsonObject, path: FieldPath): FieldError[] {
  const lists = ["addresses", "notReadyAddresses"];
  const isEmpty = lists.every((key) => objectsOf(subset, key).length === 0);
  const isNameRequired = objectsOf(subset, "ports").length > 1;
  return [
    ...(isEmpty ? [required(path, messages.needAddresses())] : []),
    ...lists.flatMap((key) => eachOf(subset, key, path, validateAddress)),
    ...eachOf(subset, "ports", path, (port, at) => validateEndpointPort(port, isNameRequired, at)),
  ];
}

function validateAddress(address: JsonObject, path: FieldPath): FieldError[] {
  const [ip, hostname] = [textOf(address, "ip"), textOf(address, "hostname")];
  return [
    ...legacyIp(ip, path.child("ip")),
    ...(hostname === "" ? [] : labelName(hostname, path.child("hostname"))),
    ...(has(address, "nodeName") ? subdomain(textOf(address, "nodeName"), path.child("nodeName")) : []),
    ...endpointIp(ip, path.child("ip")),
  ];
}

function validateEndpointPort(port: JsonObject, isNameRequired: boolean, path: FieldPath): FieldError[] {
  const name = textOf(port, "name");
  const missing = isNameRequired ? [required(path.child("name"))] : [];
  return [
    ...(name === "" ? missing : labelName(name, path.child("name"))),
    ...portNumber(numberOf(port, "port"), path.child("port")),
    ...oneOf(port, "protocol", PROTOCOLS, path),
    ...appProtocol(port, path),
  ];
}

function appProtocol(port: JsonObject, path: FieldPath): FieldError[] {
  return has(port, "appProtocol") ? qualifiedName(textOf(port, "appProtocol"), path.child("appProtocol")) : [];
}

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const MAX_PORTS = 20_000;
const MAX_ENDPOINTS = 1000;

export function validateEndpointSlice(slice: JsonObject): FieldError[] {
  return [...validateAddressType(textOf(slice, "addressType")), ...slicePorts(slice), ...sliceEndpoints(slice)];
}

export function validateEndpointSliceUpdate(slice: JsonObject, old: JsonObject): FieldError[] {
  const isKept = since("1.33") && semanticEqual(slice["endpoints"], old["endpoints"]);
  return [
    ...validateAddressType(textOf(slice, "addressType")),
    ...slicePorts(slice),
    ...(isKept ? [] : sliceEndpoints(slice)),
    ...immutable(slice["addressType"], old["addressType"], newPath("addressType")),
  ];
}

function validateAddressType(type: string): FieldError[] {
  if (type === "") return [required(newPath("addressType"))];
  return ADDRESS_TYPES.includes(type) ? [] : [notSupported(newPath("addressType"), type, ADDRESS_TYPES)];
}

function slicePorts(slice: JsonObject): FieldError[] {
  const ports = objectsOf(slice, "ports");
  const path = newPath("ports");
  if (ports.length > MAX_PORTS) return [tooMany(path, ports.length, MAX_PORTS)];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const name = textOf(port, "name");
    const isRepeated = names.has(name);
    names.add(name);
    return [
      ...(name === "" ? [] : labelName(name, at.child("name"))),
      ...(isRepeated ? [duplicate(at.child("name"), name)] : []),
      ...supportedIfSet(port, "protocol", PROTOCOLS, at),
      ...appProtocol(port, at),
    ];
  });
}

function sliceEndpoints(slice: JsonObject): FieldError[] {
  const endpoints = objectsOf(slice, "endpoints");
  const path = newPath("endpoints");
  if (endpoints.length > MAX_ENDPOINTS) return [tooMany(path, endpoints.length, MAX_ENDPOINTS)];
  const type = textOf(slice, "addressType");
  return endpoints.flatMap((endpoint, index) => validateEndpoint(endpoint, type, path.index(index)));
}

const MAX_ADDRESSES = 100;
const MAX_TOPOLOGY = 16;

function validateEndpoint(endpoint: JsonObject, type: string, path: FieldPath): FieldError[] {
  const at = path.child("addresses");
  const addresses = textsOf(endpoint, "addresses");
  const topology = objectOf(endpoint, "deprecatedTopology") ?? {};
  const count = Object.keys(topology).length;
  const hints = objectOf(endpoint, "hints");
  return [
    ...(addresses.length === 0 ? [required(at, messages.needOneAddress())] : []),
    ...(addresses.length > MAX_ADDRESSES ? [tooMany(at, addresses.length, MAX_ADDRESSES)] : []),
    ...addresses.flatMap((address, index) => sliceAddress(address, type, at, index)),
    ...(has(endpoint, "nodeName") ? subdomain(textOf(endpoint, "nodeName"), path.child("nodeName")) : []),
    ...(count > MAX_TOPOLOGY ? [tooMany(path.child("deprecatedTopology"), count, MAX_TOPOLOGY)] : []),
    ...validateLabels(topology, path.child("deprecatedTopology")),
    ...(has(endpoint, "hostname") ? labelName(textOf(endpoint, "hostname"), path.child("hostname")) : []),
    ...(hints === undefined ? [] : validateHints(hints, path.child("hints"))),
  ];
}

/** Upstream leaves the index out where the family is wrong. */
function sliceAddress(address: string, type: string, path: FieldPath, index: number): FieldError[] {
  const at = path.index(index);
  if (type === "FQDN") return domainName(address, at);
  if (type !== "IPv4" && type !== "IPv6") return [];
  if (!since("1.33")) return plainAddress(address, type, at);
  const errors = type === "IPv4" ? legacyIp(address, at) : canonicalIp(address, at);
  if (errors.length > 0) return errors;
  if (type === "IPv4" && isIpv6(address)) errors.push(invalid(path, address, messages.mustBeIpv4(), "ip"));
  if (type === "IPv6" && !isIpv6(address)) errors.push(invalid(path, address, messages.mustBeIpv6(), "ip"));
  return [...errors, ...endpointIp(address, at)];
}

/** Up to 1.32. */
function plainAddress(address: string, type: "IPv4" | "IPv6", path: FieldPath): FieldError[] {
  const isAddress = parseIpSloppy(address) !== undefined;
  const isRight = isAddress && isIpv6(address) === (type === "IPv6");
  return [
    ...(isRight ? [] : [invalid(path, address, messages.validAddress(type))]),
    ...(isAddress ? endpointIp(address, path) : [invalid(path, address, messages.validAddress("IP"))]),
  ];
}

function canonicalIp(text: string, path: FieldPath): FieldError[] {
  const errors = legacyIp(text, path);
  const address = parseAddr(text);
  if (errors.length > 0 || address.error !== undefined) return errors;
  const canonical = formatAddr(address.value);
  const isOdd = !is4(unmap(address.value)) && canonical !== text;
  return isOdd ? [invalid(path, text, shared.canonicalIp(canonical), "ip")] : [];
}

function domainName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  const domain = name.replace(/\.$/, "");
  const problems = checkDnsSubdomain(domain);
  if (problems.length > 0) return [invalid(path, domain, problems.join(","))];
  const labels = domain.split(".");
  if (labels.length < 2) return [invalid(path, domain, messages.domainSegments())];
  const bad = labels.find((label) => checkDnsLabel(label).length > 0);
  return bad === undefined ? [] : [invalid(path, bad, checkDnsLabel(bad).join(","))];
}

const MAX_HINTS = 8;

function validateHints(hints: JsonObject, path: FieldPath): FieldError[] {
  const zones = namedHints(hints, "forZones", path, checkLabelValue);
  if (zones.isMany) return zones.errors;
  const nodes = namedHints(hints, "forNodes", path, checkDnsSubdomain);
  return [...zones.errors, ...nodes.errors];
}

function namedHints(
  hints: JsonObject,
  key: string,
  path: FieldPath,
  check: (name: string) => string[],
): { errors: FieldError[]; isMany: boolean } {
  const names = objectsOf(hints, key).map((hint) => textOf(hint, "name"));
  const at = path.child(key);
  if (names.length > MAX_HINTS) return { errors: [tooMany(at, names.length, MAX_HINTS)], isMany: true };
  const isRepeated = repeats(names);
  const errors = names.flatMap((name, index) => {
    const place = at.index(index).child("name");
    const repeated = isRepeated(index) ? [duplicate(place, name)] : [];
    return [...repeated, ...check(name).map((problem) => invalid(place, name, problem))];
  });
  return { errors, isMany: false };
}
