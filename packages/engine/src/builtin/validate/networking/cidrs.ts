/** Ranges that services get addresses from, and the objects of those addresses. Follows pkg/apis/networking/validation. */
import { formatPrefix, is4 } from "@portcullis/gostd/netip";
import { type FieldError, GoJson, invalid, required } from "../../../field/error.ts";
import { checkPathSegment } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, objectOf, textOf, textsOf } from "../../object.ts";
import { parseCidrSloppy, strictCidr } from "../addresses.ts";
import { eachTextOf, subdomainIfSet } from "../checks.ts";
import * as shared from "../messages.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const CIDRS = SPEC.child("cidrs");

export function validateServiceCidr(object: JsonObject): FieldError[] {
  const spec = objectOf(object, "spec") ?? {};
  const cidrs = textsOf(spec, "cidrs");
  if (cidrs.length === 0) return [required(CIDRS, messages.needCidr())];
  if (cidrs.length > 2) return [invalid(CIDRS, internalJson("networking.ServiceCIDRSpec", spec), messages.twoCidrs())];
  return [
    ...eachTextOf(spec, "cidrs", SPEC, validateCidr),
    ...(isOneFamily(cidrs) ? [invalid(CIDRS, cidrs, messages.oneCidrAFamily())] : []),
  ];
}

function validateCidr(text: string, path: FieldPath): FieldError[] {
  const errors = strictCidr(text, path);
  const cidr = parseCidrSloppy(text);
  if (errors.length > 0 || cidr === undefined) return errors;
  const canonical = formatPrefix(cidr.network);
  return canonical === text ? [] : [invalid(path, text, shared.canonicalIp(canonical))];
}

function isOneFamily(cidrs: readonly string[]): boolean {
  const [first, second] = cidrs.map(parseCidrSloppy);
  if (first === undefined || second === undefined) return false;
  return is4(first.network.addr) === is4(second.network.addr);
}

/** A second range may be added; nothing else may change. */
export function validateServiceCidrUpdate(object: JsonObject, old: JsonObject): FieldError[] {
  const [cidrs, before] = [object, old].map((each) => textsOf(objectOf(each, "spec"), "cidrs"));
  if (cidrs === undefined || before === undefined) return [];
  const kept = before.flatMap((cidr, index) =>
    cidrs[index] === cidr ? [] : [invalid(CIDRS.index(index), cidrs[index] ?? "", shared.immutable())],
  );
  if (cidrs.length === before.length) return kept;
  if (before.length === 1 && cidrs.length === 2) return [...kept, ...validateServiceCidr(object)];
  const isGone = !has(objectOf(object, "spec"), "cidrs");
  return [invalid(CIDRS, isGone ? new GoJson("null") : cidrs, shared.immutable())];
}

const PARENT = SPEC.child("parentRef");

export function validateIpAddress(address: JsonObject): FieldError[] {
  const parent = objectOf(objectOf(address, "spec"), "parentRef");
  if (parent === undefined) return [required(PARENT)];
  return [
    ...subdomainIfSet(parent, "group", PARENT),
    ...["resource", "name"].flatMap((key) =>
      textOf(parent, key) === "" ? [required(PARENT.child(key))] : segment(parent, key),
    ),
    ...segment(parent, "namespace"),
  ];
}

function segment(parent: JsonObject, key: string): FieldError[] {
  const name = textOf(parent, key);
  return checkPathSegment(name, false).map((problem) => invalid(PARENT.child(key), name, problem));
}

export function validateIpAddressUpdate(address: JsonObject, old: JsonObject): FieldError[] {
  const [parent, before] = [address, old].map((each) => objectOf(objectOf(each, "spec"), "parentRef"));
  const errors = validateIpAddress(address);
  if (semanticEqual(parent, before)) return errors;
  const shown = parent === undefined ? new GoJson("null") : internalJson("networking.ParentReference", parent);
  return [...errors, invalid(PARENT, shown, shared.immutable(), "immutable")];
}
