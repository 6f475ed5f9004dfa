/** Slices of the devices that a driver offers. Follows pkg/apis/resource/validation. */
import { type FieldError, invalid, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { internalListJson } from "../../internal/internal.ts";
import { has, isSet, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { keptMembers, labelName } from "../checks.ts";
import * as shared from "../messages.ts";
import { validateNodeSelector } from "../pod/affinity.ts";
import { csiDriverName } from "../storage/csi-name.ts";
import { validateCounters, validateDevice } from "./device.ts";
import { distinct } from "./lists.ts";
import * as messages from "./messages.ts";
import { poolName } from "./names.ts";
import { nodeName } from "./node-name.ts";

const SPEC = newPath("spec");
const MAX_DEVICES = 128;
/** Where devices have taints or use shared counters. */
const MAX_ADVANCED_DEVICES = 64;
const MAX_COUNTER_SETS = 8;

export function validateResourceSlice(slice: JsonObject, old?: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(slice, "spec") ?? {}, objectOf(old, "spec")];
  const isBoth = has(spec, "sharedCounters") && has(spec, "devices");
  return [
    ...csiDriverName(textOf(spec, "driver"), SPEC.child("driver")),
    ...validatePool(objectOf(spec, "pool") ?? {}, SPEC.child("pool")),
    ...(before === undefined ? [] : kept(spec, before)),
    ...validateNodes(spec),
    ...(isBoth ? [invalid(SPEC, "", messages.countersOrDevices())] : []),
    ...validateDevices(spec, before),
    ...distinct(spec, "sharedCounters", SPEC, {
      max: MAX_COUNTER_SETS,
      check: validateCounterSet,
      place: "resource.k8s.io/v1/ResourceSlice spec.sharedCounters",
    }),
  ];
}

function validatePool(pool: JsonObject, path: FieldPath): FieldError[] {
  const [count, generation] = [numberOf(pool, "resourceSliceCount"), numberOf(pool, "generation")];
  return [
    ...poolName(textOf(pool, "name"), path.child("name")),
    ...(count > 0 ? [] : [invalid(path.child("resourceSliceCount"), count, shared.aboveZero())]),
    ...(generation < 0 ? [invalid(path.child("generation"), generation, shared.atLeastZero())] : []),
  ];
}

function kept(spec: JsonObject, before: JsonObject): FieldError[] {
  return [
    ...keptMembers(objectOf(spec, "pool") ?? {}, objectOf(before, "pool") ?? {}, ["name"], SPEC.child("pool")),
    ...keptMembers(spec, before, ["driver", "nodeName"], SPEC),
  ];
}

/** From which nodes the devices can be reached is said in one of four ways. */
function validateNodes(spec: JsonObject): FieldError[] {
  const selector = objectOf(spec, "nodeSelector");
  const name = textOf(spec, "nodeName");
  const set = [
    ...(name === "" ? [] : ["`nodeName`"]),
    ...(selector === undefined ? [] : ["`nodeSelector`"]),
    ...["allNodes", "perDeviceNodeSelection"].filter((key) => isSet(spec, key)).map((key) => `\`${key}\``),
  ];
  return [
    ...(has(spec, "nodeName") ? nodeName(name, SPEC.child("nodeName"), messages.unsetOrText()) : []),
    ...(selector === undefined ? [] : validateSelector(selector, SPEC.child("nodeSelector"))),
    ...["allNodes", "perDeviceNodeSelection"].flatMap((key) =>
      spec[key] === false ? [invalid(SPEC.child(key), false, messages.unsetOrTrue())] : [],
    ),
    ...(set.length === 0 ? [required(SPEC, messages.oneSelection())] : []),
    ...(set.length > 1 ? [invalid(SPEC, `{${set.join(", ")}}`, messages.manySelections())] : []),
  ];
}

/** Selectors of several slices can be merged when each has one term. */
function validateSelector(selector: JsonObject, path: FieldPath): FieldError[] {
  const errors = validateNodeSelector(selector, path);
  if (objectsOf(selector, "nodeSelectorTerms").length === 1) return errors;
  const shown = internalListJson("core.NodeSelectorTerm", selector["nodeSelectorTerms"]);
  return [...errors, invalid(path.child("nodeSelectorTerms"), shown, messages.oneTerm())];
}

function validateDevices(spec: JsonObject, before: JsonObject | undefined): FieldError[] {
  const devices = objectsOf(spec, "devices");
  const isAdvanced = devices.some((device) =>
    ["taints", "consumesCounters"].some((key) => objectsOf(device, key).length > 0),
  );
  const perDevice = isSet(spec, "perDeviceNodeSelection");
  const old = new Map(objectsOf(before, "devices").map((device) => [textOf(device, "name"), device]));
  return distinct(spec, "devices", SPEC, {
    max: isAdvanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES,
    check: (device, path) => validateDevice(device, path, perDevice, old.get(textOf(device, "name"))),
  });
}

function validateCounterSet(set: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(set, "name");
  return [
    ...(name === "" ? [required(path.child("name"))] : labelName(name, path.child("name"))),
    ...validateCounters(set, path),
  ];
}
