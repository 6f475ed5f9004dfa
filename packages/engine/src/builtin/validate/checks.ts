/** Checks that several kinds share. */

import { parseIp } from "@portcullis/gostd/net";
import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified } from "@portcullis/gostd/netip";
import { type FieldError, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { checkDnsLabel, checkDnsSubdomain, checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonObject, JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, numberOf, textOf } from "../object.ts";
import * as messages from "./messages.ts";

export function notNegative(object: JsonObject, key: string, path: FieldPath): FieldError[] {
  const value = numberOf(object, key);
  return value < 0 ? [invalid(path.child(key), value, messages.notNegative(), "minimum")] : [];
}

/** Those of several members that are set. */
export function allNotNegative(object: JsonObject, keys: readonly string[], path: FieldPath): FieldError[] {
  return keys.filter((key) => has(object, key)).flatMap((key) => notNegative(object, key, path));
}

export function oneOf(object: JsonObject, key: string, supported: readonly string[], path: FieldPath): FieldError[] {
  const value = textOf(object, key);
  if (value === "") return [required(path.child(key))];
  if (supported.includes(value)) return [];
  // A named string type, which Go shows as JSON.
  return [notSupported(path.child(key), new GoJson(canonicalJson(value)), supported)];
}

/** Nothing where the member is absent. */
export function oneOfIfSet(
  object: JsonObject,
  key: string,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  return has(object, key) ? oneOf(object, key, supported, path) : [];
}

export function labelName(name: string, path: FieldPath): FieldError[] {
  return checkDnsLabel(name).map((problem) => invalid(path, name, problem, "format=k8s-short-name"));
}

export function subdomain(name: string, path: FieldPath): FieldError[] {
  return checkDnsSubdomain(name).map((problem) => invalid(path, name, problem, "format=k8s-long-name"));
}

export function qualifiedName(name: string, path: FieldPath): FieldError[] {
  return checkQualifiedName(name).map((problem) => invalid(path, name, problem, "format=qualified-name"));
}

export function requiredText(object: JsonObject, key: string, path: FieldPath): FieldError[] {
  return textOf(object, key) === "" ? [required(path.child(key))] : [];
}

const MAX_PORT = 65_535;

export function portNumber(value: number, path: FieldPath): FieldError[] {
  return value >= 1 && value <= MAX_PORT ? [] : [invalid(path, value, messages.between(1, MAX_PORT), "port")];
}

export function portNumberOrName(value: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (typeof value === "number" || value === undefined) return portNumber(value ?? 0, path);
  return typeof value === "string" ? portName(value, path) : [];
}

const PORT_NAME_CHARS = /^[-a-z0-9]+$/;
const MAX_PORT_NAME = 15;

export function portName(name: string, path: FieldPath): FieldError[] {
  return portNameProblems(name).map((problem) => invalid(path, name, problem, "port"));
}

function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > MAX_PORT_NAME) problems.push(messages.portNameTooLong());
  if (!PORT_NAME_CHARS.test(name)) problems.push(messages.portNameChars());
  if (!/[a-z]/.test(name)) problems.push(messages.portNameLetter());
  if (name.includes("--")) problems.push(messages.portNameHyphens());
  if (name.startsWith("-") || name.endsWith("-")) problems.push(messages.portNameEnds());
  return problems;
}

/** Addresses of endpoints are those of other machines. */
export function endpointIp(text: string, path: FieldPath): FieldError[] {
  const ip = parseIp(text);
  if (ip === undefined) return [invalid(path, text, messages.badIpShort(), "ip")];
  const errors: FieldError[] = [];
  if (isUnspecified(ip)) errors.push(invalid(path, text, messages.unspecified(text), "ip"));
  if (isLoopback(ip)) errors.push(invalid(path, text, messages.loopback(), "ip"));
  if (isLinkLocalUnicast(ip)) errors.push(invalid(path, text, messages.linkLocal(), "ip"));
  if (isLinkLocalMulticast(ip)) errors.push(invalid(path, text, messages.linkLocalMulticast(), "ip"));
  return errors;
}

export function immutable(value: JsonValue | undefined, old: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (deepEqual(value ?? null, old ?? null)) return [];
  return [invalid(path, value ?? null, messages.immutable(), "immutable")];
}
