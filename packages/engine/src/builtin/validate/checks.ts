/** Checks that several kinds share. */

import { type FieldError, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { checkDnsLabel, checkDnsSubdomain, checkPathSegment, checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { semanticEqual } from "../../value/equal.ts";
import { percentOf } from "../../value/int-or-string.ts";
import type { JsonObject, JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, numberOf, objectsOf, textOf, textsOf } from "../object.ts";
import { intOrString } from "./go-values.ts";
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

/** Nothing if the member is absent. */
export function oneOfIfSet(
  object: JsonObject,
  key: string,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  return has(object, key) ? oneOf(object, key, supported, path) : [];
}

/** The same for enums whose empty text is nothing special. */
export function supportedIfSet(
  object: JsonObject,
  key: string,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  const value = textOf(object, key);
  if (!has(object, key) || supported.includes(value)) return [];
  return [notSupported(path.child(key), new GoJson(canonicalJson(value)), supported)];
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

/** A name that may be part of a URL. */
function pathSegment(name: string, path: FieldPath): FieldError[] {
  return checkPathSegment(name, false).map((problem) => invalid(path, name, problem));
}

/** A required member that may be part of a URL. */
export function requiredSegment(object: JsonObject, key: string, path: FieldPath): FieldError[] {
  const name = textOf(object, key);
  return name === "" ? [required(path.child(key))] : pathSegment(name, path.child(key));
}

/** A member that is left out, or a DNS subdomain. */
export function subdomainIfSet(object: JsonObject, key: string, path: FieldPath): FieldError[] {
  const name = textOf(object, key);
  return name === "" ? [] : subdomain(name, path.child(key));
}

/** What is wrong with each item of a list of objects. */
export function eachOf(
  object: JsonObject | undefined,
  key: string,
  path: FieldPath,
  check: (item: JsonObject, path: FieldPath, index: number) => FieldError[],
): FieldError[] {
  const items = objectsOf(object, key);
  if (items.length === 0) return [];
  const at = path.child(key);
  return items.flatMap((item, index) => check(item, at.index(index), index));
}

/** The same for a list of texts. */
export function eachTextOf(
  object: JsonObject | undefined,
  key: string,
  path: FieldPath,
  check: (text: string, path: FieldPath, index: number) => FieldError[],
): FieldError[] {
  const items = textsOf(object, key);
  if (items.length === 0) return [];
  const at = path.child(key);
  return items.flatMap((item, index) => check(item, at.index(index), index));
}

/** A whole number or a percentage of at least nothing. */
export function intOrPercent(value: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (typeof value === "string")
    return /^[0-9]+%$/.test(value) ? [] : [invalid(path, intOrString(value), messages.badPercent())];
  return typeof value === "number" && value < 0 ? [invalid(path, value, messages.notNegative(), "minimum")] : [];
}

export function atMost100Percent(value: JsonValue | undefined, path: FieldPath): FieldError[] {
  const percent = typeof value === "string" ? (percentOf(value) ?? 0) : 0;
  return percent > 100 ? [invalid(path, intOrString(value ?? null), messages.above100())] : [];
}

/** A text that is a plain number counts as that number, though it is refused for its form. */
export function isZeroAmount(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return !/^([+-]?0*[1-9][0-9]*|0*[1-9][0-9]*%)$/.test(value);
  return typeof value !== "number" || value === 0;
}

/** Members that stay as they were. */
export function keptMembers(
  object: JsonObject,
  old: JsonObject,
  keys: readonly string[],
  path: FieldPath,
): FieldError[] {
  return keys.flatMap((key) => immutable(object[key], old[key], path.child(key)));
}

export function immutable(value: JsonValue | undefined, old: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (semanticEqual(value, old)) return [];
  return [invalid(path, value ?? null, messages.immutable(), "immutable")];
}
