/** Endpoints and endpoint slices. Follows pkg/apis/{core,discovery}/validation. */
import { parseIp } from "@portcullis/gostd/net";
import { is4, unmap } from "@portcullis/gostd/netip";
import { type FieldError, invalid, notSupported, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { has, numberOf, objectsOf, textOf, textsOf } from "../object.ts";
import { endpointIp, immutable, labelName, oneOf, oneOfIfSet, portNumber, subdomain } from "./checks.ts";
import * as messages from "./messages.ts";
import { PROTOCOLS } from "./service.ts";

export function validateEndpoints(endpoints: JsonObject): FieldError[] {
  return objectsOf(endpoints, "subsets").flatMap((subset, index) =>
    validateSubset(subset, newPath("subsets").index(index)),
  );
}

function validateSubset(subset: JsonObject, path: FieldPath): FieldError[] {
  const lists = ["addresses", "notReadyAddresses"];
  const errors = lists.some((key) => objectsOf(subset, key).length > 0)
    ? []
    : [required(path, messages.needAddresses())];
  const ports = objectsOf(subset, "ports");
  return [
    ...errors,
    ...lists.flatMap((key) =>
      objectsOf(subset, key).flatMap((each, index) => validateAddress(each, path.child(key).index(index))),
    ),
    ...ports.flatMap((port, index) => validateEndpointPort(port, ports.length > 1, path.child("ports").index(index))),
  ];
}

function validateAddress(address: JsonObject, path: FieldPath): FieldError[] {
  const ip = textOf(address, "ip");
  const at = path.child("ip");
  const hostname = textOf(address, "hostname");
  return [
    ...(parseIp(ip) === undefined ? [invalid(at, ip, messages.badIp(), "ip")] : []),
    ...(hostname === "" ? [] : labelName(hostname, path.child("hostname"))),
    ...endpointIp(ip, at),
  ];
}

function validateEndpointPort(port: JsonObject, isNameRequired: boolean, path: FieldPath): FieldError[] {
  const name = textOf(port, "name");
  const named =
    name === "" ? (isNameRequired ? [required(path.child("name"))] : []) : labelName(name, path.child("name"));
  return [
    ...named,
    ...portNumber(numberOf(port, "port"), path.child("port")),
    ...oneOf(port, "protocol", PROTOCOLS, path),
  ];
}

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];

export function validateEndpointSlice(slice: JsonObject): FieldError[] {
  const type = textOf(slice, "addressType");
  return [
    ...validateAddressType(type),
    ...objectsOf(slice, "endpoints").flatMap((each, index) =>
      validateEndpoint(each, type, newPath("endpoints").index(index)),
    ),
    ...objectsOf(slice, "ports").flatMap((each, index) => validateSlicePort(each, newPath("ports").index(index))),
  ];
}

export function validateEndpointSliceUpdate(slice: JsonObject, old: JsonObject): FieldError[] {
  const kept = immutable(slice["addressType"], old["addressType"], newPath("addressType"));
  return [...validateEndpointSlice(slice), ...kept];
}

function validateAddressType(type: string): FieldError[] {
  if (type === "") return [required(newPath("addressType"))];
  return ADDRESS_TYPES.includes(type) ? [] : [notSupported(newPath("addressType"), type, ADDRESS_TYPES)];
}

function validateEndpoint(endpoint: JsonObject, type: string, path: FieldPath): FieldError[] {
  const at = path.child("addresses");
  const addresses = textsOf(endpoint, "addresses");
  const [node, host] = [textOf(endpoint, "nodeName"), textOf(endpoint, "hostname")];
  const names = [
    ...(node === "" ? [] : subdomain(node, path.child("nodeName"))),
    ...(host === "" ? [] : labelName(host, path.child("hostname"))),
  ];
  if (addresses.length === 0) return [required(at, messages.needOneAddress()), ...names];
  return [...addresses.flatMap((address, index) => validateSliceAddress(address, type, at, index)), ...names];
}

function validateSliceAddress(address: string, type: string, path: FieldPath, index: number): FieldError[] {
  if (type === "FQDN") return subdomain(address, path.index(index));
  if (type !== "IPv4" && type !== "IPv6") return [];
  const ip = parseIp(address);
  if (ip === undefined) return [invalid(path.index(index), address, messages.badIp(), "ip")];
  const isIpv4 = is4(unmap(ip));
  const wrong =
    type === "IPv4" ? (isIpv4 ? undefined : messages.mustBeIpv4()) : isIpv4 ? messages.mustBeIpv6() : undefined;
  // Upstream leaves the index out of this one.
  return [
    ...(wrong === undefined ? [] : [invalid(path, address, wrong, "ip")]),
    ...endpointIp(address, path.index(index)),
  ];
}

function validateSlicePort(port: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...(has(port, "port") && numberOf(port, "port") !== 0
      ? portNumber(numberOf(port, "port"), path.child("port"))
      : []),
    ...oneOfIfSet(port, "protocol", PROTOCOLS, path),
  ];
}
