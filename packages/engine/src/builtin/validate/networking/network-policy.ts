/** Network policies. Follows pkg/apis/networking/validation. */

import { masked, prefixContains } from "@portcullis/gostd/netip";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { cidrWarnings, legacyCidr, parseCidrSloppy } from "../addresses.ts";
import { eachOf, portName, portNumber } from "../checks.ts";
import { validateSelector } from "../selector.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const PROTOCOLS = ["TCP", "UDP", "SCTP"];
const TYPES = ["Ingress", "Egress"];
const NO_CIDRS: ReadonlySet<string> = new Set();

export function validateNetworkPolicy(policy: JsonObject, known: ReadonlySet<string> = NO_CIDRS): FieldError[] {
  const spec = objectOf(policy, "spec") ?? {};
  return [
    ...validateSelector(objectOf(spec, "podSelector"), SPEC.child("podSelector")),
    ...eachOf(spec, "ingress", SPEC, (rule, path) => validateRule(rule, "from", path, known)),
    ...eachOf(spec, "egress", SPEC, (rule, path) => validateRule(rule, "to", path, known)),
    ...policyTypes(textsOf(spec, "policyTypes"), SPEC.child("policyTypes")),
  ];
}

/** CIDRs that were there before may stay. */
export function validateNetworkPolicyUpdate(policy: JsonObject, old: JsonObject): FieldError[] {
  return validateNetworkPolicy(
    policy,
    new Set(blocksOf(old).flatMap(([block]) => [textOf(block, "cidr"), ...textsOf(block, "except")])),
  );
}

function policyTypes(types: readonly string[], path: FieldPath): FieldError[] {
  if (types.length > TYPES.length) return [invalid(path, [...types], messages.twoPolicyTypes())];
  return types.flatMap((type, index) => (TYPES.includes(type) ? [] : [notSupported(path.index(index), type, TYPES)]));
}

function validateRule(rule: JsonObject, peers: string, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  return [
    ...eachOf(rule, "ports", path, validatePort),
    ...eachOf(rule, peers, path, (peer, at) => validatePeer(peer, at, known)),
  ];
}

function validatePort(port: JsonObject, path: FieldPath): FieldError[] {
  const protocol = textOf(port, "protocol");
  const isKnown = !has(port, "protocol") || PROTOCOLS.includes(protocol);
  return [...(isKnown ? [] : [notSupported(path.child("protocol"), protocol, PROTOCOLS)]), ...portRange(port, path)];
}

/** Up to 1.36 a wrong end of a range is reported with the value of its start. */
function portRange(port: JsonObject, path: FieldPath): FieldError[] {
  const [value, end] = [port["port"], numberOf(port, "endPort")];
  const at = path.child("endPort");
  const hasEnd = has(port, "endPort");
  if (value === undefined) return hasEnd ? [invalid(at, end, messages.endAlone())] : [];
  if (typeof value === "string") {
    return [...(hasEnd ? [invalid(at, end, messages.endForName())] : []), ...portName(value, path.child("port"))];
  }
  const start = numberOf(port, "port");
  const errors = portNumber(start, path.child("port"));
  if (!hasEnd) return errors;
  return [
    ...errors,
    ...(end < start ? [invalid(at, since("1.37") ? end : start, messages.endBeforePort())] : []),
    ...portNumber(end, at),
  ];
}

function validatePeer(peer: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const block = objectOf(peer, "ipBlock");
  const count = ["podSelector", "namespaceSelector", "ipBlock"].filter((key) => has(peer, key)).length;
  return [
    ...validateSelector(objectOf(peer, "podSelector"), path.child("podSelector")),
    ...validateSelector(objectOf(peer, "namespaceSelector"), path.child("namespaceSelector")),
    ...(block === undefined ? [] : validateBlock(block, path.child("ipBlock"), known)),
    ...(count === 0 ? [required(path, messages.peerNeeded())] : []),
    ...(count > 1 && block !== undefined ? [forbidden(path, messages.blockAlone())] : []),
  ];
}

function validateBlock(block: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const cidr = textOf(block, "cidr");
  if (cidr === "") return [required(path.child("cidr"))];
  const errors = legacyCidr(cidr, path.child("cidr"), known);
  const whole = parseCidrSloppy(cidr);
  if (whole === undefined) return errors;
  return [
    ...errors,
    ...textsOf(block, "except").flatMap((text, index) => {
      const at = path.child("except").index(index);
      const part = parseCidrSloppy(text);
      const isInside =
        part === undefined ||
        (prefixContains(masked(whole.network), part.network.addr) && whole.network.bits < part.network.bits);
      return [...legacyCidr(text, at, known), ...(isInside ? [] : [invalid(at, text, messages.strictSubset())])];
    }),
  ];
}

function blocksOf(policy: JsonObject): [block: JsonObject, path: FieldPath][] {
  const spec = objectOf(policy, "spec");
  const directions: [string, string][] = [
    ["ingress", "from"],
    ["egress", "to"],
  ];
  return directions.flatMap(([direction, peers]) =>
    objectsOf(spec, direction).flatMap((rule, index) =>
      objectsOf(rule, peers).flatMap((peer, place): [JsonObject, FieldPath][] => {
        const block = objectOf(peer, "ipBlock");
        const at = SPEC.child(direction).index(index).child(peers).index(place).child("ipBlock");
        return block === undefined ? [] : [[block, at]];
      }),
    ),
  );
}

export function networkPolicyWarnings(policy: JsonObject): string[] {
  return blocksOf(policy).flatMap(([block, path]) => [
    ...cidrWarnings(textOf(block, "cidr"), path.child("cidr")),
    ...textsOf(block, "except").flatMap((text, index) => cidrWarnings(text, path.child("except").index(index))),
  ]);
}
