/** One device of a slice: its attributes, its capacities, what it takes from others and where it can be reached. */
import { byteLength } from "@portcullis/gostd/utf8";
import {
  type FieldError,
  forbidden,
  GoJson,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, isSet, objectOf, textOf } from "../../object.ts";
import { labelName, qualifiedName } from "../checks.ts";
import { validateNodeSelector } from "../pod/affinity.ts";
import { validateBindingConditions } from "./binding.ts";
import { validateRequestPolicy } from "./capacity.ts";
import { deviceEffects } from "./claims.ts";
import { eachEntry, sized, type UniqueItems, unique } from "./lists.ts";
import * as messages from "./messages.ts";
import { attributeName, labelValue, named } from "./names.ts";
import { nodeName } from "./node-name.ts";

const MAX_ATTRIBUTES = 32;
const MAX_VALUES = 48;
const MAX_TAINTS = 16;
/** The length is that of a domain, a slash and an identifier. */
const ATTRIBUTE_NAMES = { shownLength: 96, checkKey: attributeName };
const CONSUMPTIONS: UniqueItems = {
  max: 2,
  check: validateConsumption,
  identify: (each) => textOf(each, "counterSet"),
  keyName: "counterSet",
  place: "resource.k8s.io/v1/ResourceSlice spec.devices.consumesCounters",
};

export function validateDevice(
  device: JsonObject,
  path: FieldPath,
  perDevice: boolean,
  old: JsonObject | undefined,
): FieldError[] {
  const isSame = old !== undefined && semanticEqual(old["taints"], device["taints"]);
  const checkCapacity = isSet(device, "allowMultipleAllocations") ? sharedCapacity : ownCapacity;
  return [
    ...labelName(textOf(device, "name"), path.child("name")),
    ...validateCounts(device, path),
    ...eachEntry(device, "attributes", path, { ...ATTRIBUTE_NAMES, checkValue: validateAttribute }),
    ...eachEntry(device, "capacity", path, { ...ATTRIBUTE_NAMES, checkValue: checkCapacity }),
    ...(isSame ? [] : sized(device, "taints", path, MAX_TAINTS, validateTaint)),
    ...unique(device, "consumesCounters", path, CONSUMPTIONS),
    ...(perDevice ? validateNodes(device, path) : withoutNodes(device, path)),
    ...validateBindingConditions(device, path),
  ];
}

function validateCounts(device: JsonObject, path: FieldPath): FieldError[] {
  const [attributes, capacities] = ["attributes", "capacity"].map((key) => countOf(device, key));
  const all = (attributes ?? 0) + (capacities ?? 0);
  return [
    ...(all > MAX_ATTRIBUTES ? [invalid(path, all, messages.manyAttributes(MAX_ATTRIBUTES))] : []),
    ...((attributes ?? 0) > MAX_VALUES && since("1.36")
      ? [invalid(path, attributes ?? 0, messages.manyValues(MAX_VALUES))]
      : []),
  ];
}

function countOf(object: JsonObject, key: string): number {
  return Object.keys(objectOf(object, key) ?? {}).length;
}

const MAX_VALUE = 64;
/** In the order of the Go type. */
const UNION = ["int", "bool", "string", "version"];
const NUMBER = "(0|[1-9]\\d*)";
const PRERELEASE = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const BUILD = "[0-9a-zA-Z-]+";
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PRERELEASE}(\\.${PRERELEASE})*)?(\\+${BUILD}(\\.${BUILD})*)?$`,
);

function validateAttribute(attribute: JsonObject, path: FieldPath, whole: FieldPath): FieldError[] {
  const set = UNION.filter((key) => has(attribute, key));
  const version = textOf(attribute, "version");
  const isVersion = !has(attribute, "version") || VERSION.test(version);
  const errors = [
    ...shortText(attribute, "string", path),
    ...(isVersion ? [] : [invalid(path.child("version"), version, messages.badVersion())]),
    ...shortText(attribute, "version", path),
  ];
  if (set.length === 1) return errors;
  if (set.length === 0 && !since("1.35")) return [...errors, required(path, messages.oneValue())];
  const shown = set.length === 0 ? "" : internalJson("resource.DeviceAttribute", attribute);
  const written = invalid(path, shown, messages.oneValue());
  if (!since("1.37")) return [...errors, written];
  // The declared error replaces the other one only if the path of that was not shortened.
  const declared = invalid(whole, set.length === 0 ? "" : `{${set.join(", ")}}`, unionText(set), "union");
  return [...errors, ...(path.toString() === whole.toString() ? [] : [written]), declared];
}

/** Since 1.37 the union is validated declaratively. */
function unionText(set: readonly string[]): string {
  const members = [...UNION, ...UNION.map((name) => `${name}s`)];
  return set.length === 0 ? messages.oneMember(members) : messages.exactlyOneMember(members);
}

function shortText(attribute: JsonObject, key: string, path: FieldPath): FieldError[] {
  return byteLength(textOf(attribute, key)) > MAX_VALUE ? [tooLong(path.child(key), MAX_VALUE)] : [];
}

function sharedCapacity(capacity: JsonObject, path: FieldPath): FieldError[] {
  return validateRequestPolicy(capacity, path.child("requestPolicy"));
}

function ownCapacity(capacity: JsonObject, path: FieldPath): FieldError[] {
  return has(capacity, "requestPolicy") ? [forbidden(path.child("requestPolicy"), messages.allocatedOnce())] : [];
}

export function validateTaint(taint: JsonObject, path: FieldPath): FieldError[] {
  const effect = textOf(taint, "effect");
  const at = path.child("effect");
  const errors = [
    ...qualifiedName(textOf(taint, "key"), path.child("key")),
    ...labelValue(textOf(taint, "value"), path.child("value")),
  ];
  if (effect === "") return [...errors, required(at)];
  return deviceEffects().includes(effect) ? errors : [...errors, notSupported(at, named(effect), deviceEffects())];
}

function validateConsumption(consumption: JsonObject, path: FieldPath): FieldError[] {
  const set = textOf(consumption, "counterSet");
  const at = path.child("counterSet");
  return [...(set === "" ? [required(at)] : labelName(set, at)), ...validateCounters(consumption, path)];
}

const MAX_COUNTERS = 32;
const MAX_LABEL = 63;

export function validateCounters(object: JsonObject, path: FieldPath): FieldError[] {
  const count = countOf(object, "counters");
  if (count === 0) return [required(path.child("counters"))];
  if (count > MAX_COUNTERS) return [tooMany(path.child("counters"), count, MAX_COUNTERS)];
  return eachEntry(object, "counters", path, { shownLength: MAX_LABEL, checkKey: labelName });
}

function validateNodes(device: JsonObject, path: FieldPath): FieldError[] {
  const selector = objectOf(device, "nodeSelector");
  const name = textOf(device, "nodeName");
  const set = [
    ...(name === "" ? [] : ["`nodeName`"]),
    ...(selector === undefined ? [] : ["`nodeSelector`"]),
    ...(isSet(device, "allNodes") ? ["`allNodes`"] : []),
  ];
  return [
    ...(has(device, "nodeName") ? nodeName(name, path.child("nodeName"), messages.mustNotBeEmpty()) : []),
    ...(selector === undefined ? [] : validateNodeSelector(selector, path.child("nodeSelector"))),
    ...(device["allNodes"] === false ? [invalid(path.child("allNodes"), false, messages.unsetOrTrue())] : []),
    ...(set.length === 0 ? [required(path, messages.oneDeviceSelection())] : []),
    ...(set.length > 1 ? [invalid(path, `{${set.join(", ")}}`, messages.oneDeviceSelection())] : []),
  ];
}

function withoutNodes(device: JsonObject, path: FieldPath): FieldError[] {
  const hasPlace = ["nodeName", "nodeSelector", "allNodes"].some((key) => has(device, key));
  return hasPlace ? [invalid(path, new GoJson("null"), messages.noDeviceSelection())] : [];
}
