/** Storage classes, classes of volume attributes and capacities. Follows pkg/apis/storage/validation. */

import { byteLength } from "@portcullis/gostd/utf8";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { deepEqual, semanticEqual } from "../../../value/equal.ts";
import { type JsonObject, sortedKeys } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { repeatedPlaces } from "../../repeats.ts";
import { immutable, qualifiedName, subdomain } from "../checks.ts";
import { immutable as immutableText } from "../messages.ts";
import { nonNegativeQuantity, quantityOf } from "../quantities.ts";
import { selectorJson, validateSelector } from "../selector.ts";
import * as messages from "./messages.ts";

const RECLAIM_POLICIES = ["Delete", "Retain"];
const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];

export function validateStorageClass(storageClass: JsonObject): FieldError[] {
  const [policy, mode] = [textOf(storageClass, "reclaimPolicy"), textOf(storageClass, "volumeBindingMode")];
  const isPolicy = policy === "" || RECLAIM_POLICIES.includes(policy);
  return [
    ...provisioner(textOf(storageClass, "provisioner"), newPath("provisioner")),
    ...parameters(objectOf(storageClass, "parameters"), newPath("parameters"), true),
    ...(isPolicy ? [] : [notSupported(newPath("reclaimPolicy"), policy, RECLAIM_POLICIES)]),
    ...(BINDING_MODES.includes(mode) ? [] : [notSupported(newPath("volumeBindingMode"), mode, BINDING_MODES)]),
    ...topologies(objectsOf(storageClass, "allowedTopologies"), newPath("allowedTopologies")),
  ];
}

function keptMember(object: JsonObject, old: JsonObject, key: string): FieldError[] {
  const errors = immutable(object[key], old[key], newPath(key));
  return since("1.36") ? errors : errors.map(({ path }) => forbidden(path, messages.noUpdates(key)));
}

export function validateStorageClassUpdate(storageClass: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...validateStorageClass(storageClass),
    ...["parameters", "provisioner", "reclaimPolicy"].flatMap((key) => keptMember(storageClass, old, key)),
    ...immutable(storageClass["volumeBindingMode"], old["volumeBindingMode"], newPath("volumeBindingMode")),
  ];
}

function provisioner(name: string, path: FieldPath): FieldError[] {
  return name === "" ? [required(path)] : qualifiedName(name.toLowerCase(), path);
}

const MAX_PARAMETERS = 512;
const MAX_PARAMETERS_SIZE = 256 * 1024;

function parameters(map: JsonObject | undefined, path: FieldPath, isOptional: boolean): FieldError[] {
  const keys = sortedKeys(map ?? {});
  if (keys.length > MAX_PARAMETERS) return [tooLong(path, MAX_PARAMETERS)];
  const size = keys.reduce((sum, key) => sum + byteLength(key) + byteLength(textOf(map, key)), 0);
  return [
    ...(keys.includes("") ? [invalid(path, "", messages.emptyKey())] : []),
    ...(size > MAX_PARAMETERS_SIZE ? [tooLong(path, MAX_PARAMETERS_SIZE)] : []),
    ...(!isOptional && keys.length === 0 ? [required(path, messages.parametersNeeded())] : []),
  ];
}

/** Upstream reports a term once for each equal one before it. Of so many nobody reads more. */
const MAX_REPEATED = 2_000;

/** Upstream starts with as many empty terms as there are terms, so that an empty one is always there already. */
function topologies(terms: readonly JsonObject[], path: FieldPath): FieldError[] {
  const seen = new Map([["[]", terms.length]]);
  let left = MAX_REPEATED;
  return terms.flatMap((term, index) => {
    const at = path.index(index);
    const identity = JSON.stringify(
      objectsOf(term, "matchLabelExpressions")
        .map((each) => [textOf(each, "key"), ...textsOf(each, "values").sort()])
        .sort(),
    );
    const before = seen.get(identity) ?? 0;
    seen.set(identity, before + 1);
    const reported = Math.min(before, left);
    left -= reported;
    return [
      ...topologyTerm(term, at.child("matchLabelExpressions")),
      ...Array.from({ length: reported }, () => duplicate(at.child("matchLabelExpressions"), "")),
    ];
  });
}

function topologyTerm(term: JsonObject, path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return objectsOf(term, "matchLabelExpressions").flatMap((expression, index) => {
    const at = path.index(index);
    const [key, values] = [textOf(expression, "key"), textsOf(expression, "values")];
    const isRepeated = keys.has(key);
    keys.add(key);
    const repeated = repeatedPlaces(values);
    return [
      ...(values.length === 0 ? [required(at.child("values"))] : []),
      ...values.flatMap((value, place) =>
        repeated.has(place) ? [duplicate(at.child("values").index(place), value)] : [],
      ),
      ...qualifiedName(key, at.child("key")),
      ...(isRepeated ? [duplicate(at.child("key"), key)] : []),
    ];
  });
}

export function validateAttributesClass(attributesClass: JsonObject): FieldError[] {
  return [
    ...provisioner(textOf(attributesClass, "driverName"), newPath("driverName")),
    ...parameters(objectOf(attributesClass, "parameters"), newPath("parameters"), false),
  ];
}

export function validateAttributesClassUpdate(attributesClass: JsonObject, old: JsonObject): FieldError[] {
  const isSame = deepEqual(attributesClass["parameters"] ?? null, old["parameters"] ?? null);
  return [
    ...(textOf(attributesClass, "driverName") === textOf(old, "driverName")
      ? []
      : [forbidden(newPath("driverName"), messages.noDriverUpdate())]),
    ...(isSame ? [] : [forbidden(newPath("parameters"), messages.noParameterUpdate())]),
    ...validateAttributesClass(attributesClass),
  ];
}

export function validateCapacity(capacity: JsonObject): FieldError[] {
  const amount = quantityOf(capacity, "capacity");
  return [
    ...validateSelector(objectOf(capacity, "nodeTopology"), newPath("nodeTopology")),
    ...subdomain(textOf(capacity, "storageClassName"), newPath("storageClassName")),
    ...(amount === undefined ? [] : nonNegativeQuantity(amount, newPath("capacity"))),
  ];
}

export function validateCapacityUpdate(capacity: JsonObject, old: JsonObject): FieldError[] {
  const isSame = semanticEqual(capacity["nodeTopology"], old["nodeTopology"]);
  const name = textOf(capacity, "storageClassName");
  return [
    ...validateCapacity(capacity),
    ...(isSame ? [] : [invalid(newPath("nodeTopology"), selectorJson(capacity["nodeTopology"]), immutableText())]),
    ...(name === textOf(old, "storageClassName") ? [] : [invalid(newPath("storageClassName"), name, immutableText())]),
  ];
}
