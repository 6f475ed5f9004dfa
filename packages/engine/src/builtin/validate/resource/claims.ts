/**
 * Claims to devices, templates of them and classes of devices. Follows pkg/apis/resource/validation. Expressions that select
 * devices are only measured: their environment is not there.
 */
import { byteLength } from "@portcullis/gostd/utf8";
import {
  duplicate,
  type FieldError,
  GoJson,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { validateAnnotations, validateLabels } from "../../../schema/object-meta.ts";
import { deepEqual } from "../../../value/equal.ts";
import { isObject, type JsonObject } from "../../../value/json.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalJson } from "../../internal.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { eachOf, labelName, qualifiedName, subdomain } from "../checks.ts";
import { aboveZero, immutable } from "../messages.ts";
import { isExtended } from "../quantities.ts";
import { csiDriverName } from "../storage/csi-name.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const MAX_REQUESTS = 32;
const MAX_SUBREQUESTS = 8;
const MAX_LENGTH = 10 * 1024;

export function validateResourceClaim(claim: JsonObject): FieldError[] {
  return validateClaimSpec(objectOf(claim, "spec") ?? {}, SPEC);
}

export function validateResourceClaimUpdate(claim: JsonObject, old: JsonObject): FieldError[] {
  return keptSpec(claim, old, "resource.ResourceClaimSpec");
}

function keptSpec(object: JsonObject, old: JsonObject, type: string): FieldError[] {
  const { spec } = object;
  if (deepEqual(spec ?? null, old["spec"] ?? null)) return [];
  return [invalid(SPEC, internalJson(type, spec), immutable(), "immutable")];
}

export function validateClaimTemplate(template: JsonObject): FieldError[] {
  const spec = objectOf(template, "spec") ?? {};
  const [meta, at] = [metaOf(spec), SPEC.child("metadata")];
  return [
    ...validateAnnotations(meta["annotations"], at.child("annotations")),
    ...validateLabels(meta["labels"], at.child("labels")),
    ...validateClaimSpec(objectOf(spec, "spec") ?? {}, SPEC.child("spec")),
  ];
}

export function validateClaimTemplateUpdate(template: JsonObject, old: JsonObject): FieldError[] {
  return [...validateClaimTemplate(template), ...keptSpec(template, old, "resource.ResourceClaimTemplateSpec")];
}

function validateClaimSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const devices = objectOf(spec, "devices") ?? {};
  const at = path.child("devices");
  const known = requestNames(devices);
  return [
    ...namedSet(devices, "requests", at, MAX_REQUESTS, validateRequest),
    ...sized(devices, "constraints", at, (each, place) => validateConstraint(each, place, known)),
    ...sized(devices, "config", at, (each, place) => [
      ...requestReferences(each, place, known),
      ...validateConfiguration(each, place),
    ]),
  ];
}

/** Requests by name, and parts of them as `request/part`. */
function requestNames(devices: JsonObject): Set<string> {
  return new Set(
    objectsOf(devices, "requests").flatMap((request) => {
      const name = textOf(request, "name");
      const parts = objectsOf(request, "firstAvailable").map((part) => `${name}/${textOf(part, "name")}`);
      return [name, ...parts];
    }),
  );
}

type ItemCheck = (item: JsonObject, path: FieldPath) => FieldError[];

function sized(object: JsonObject, key: string, path: FieldPath, check: ItemCheck, max = MAX_REQUESTS): FieldError[] {
  const count = objectsOf(object, key).length;
  return count > max ? [tooMany(path.child(key), count, max)] : eachOf(object, key, path, check);
}

function namedSet(object: JsonObject, key: string, path: FieldPath, max: number, check: ItemCheck): FieldError[] {
  const names = objectsOf(object, key).map((item) => textOf(item, "name"));
  if (names.length > max) return [tooMany(path.child(key), names.length, max)];
  return [
    ...eachOf(object, key, path, check),
    ...names.flatMap((name, index) =>
      names.indexOf(name) < index ? [duplicate(path.child(key).index(index), name)] : [],
    ),
  ];
}

function validateRequest(request: JsonObject, path: FieldPath): FieldError[] {
  const errors = labelName(textOf(request, "name"), path.child("name"));
  const exactly = objectOf(request, "exactly");
  const hasParts = objectsOf(request, "firstAvailable").length > 0;
  if (exactly === undefined && !hasParts) return [...errors, required(path, messages.oneRequestKind())];
  if (exactly !== undefined && hasParts)
    return [...errors, invalid(path, new GoJson("null"), messages.manyRequestKinds())];
  if (exactly !== undefined) return [...errors, ...validateDevices(exactly, path.child("exactly"))];
  return [
    ...errors,
    ...namedSet(request, "firstAvailable", path, MAX_SUBREQUESTS, (part, at) => [
      ...labelName(textOf(part, "name"), at.child("name")),
      ...validateDevices(part, at),
    ]),
  ];
}

function validateDevices(request: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(request, "deviceClassName");
  const at = path.child("deviceClassName");
  return [
    ...(name === "" ? [required(at)] : subdomain(name, at)),
    ...sized(request, "selectors", path, validateDeviceSelector),
    ...allocation(request, path),
    ...eachOf(request, "tolerations", path, validateToleration),
  ];
}

const MODES = ["All", "ExactCount"];

function allocation(request: JsonObject, path: FieldPath): FieldError[] {
  const [mode, count] = [textOf(request, "allocationMode"), numberOf(request, "count")];
  if (!MODES.includes(mode)) return [notSupported(path.child("allocationMode"), mode, MODES)];
  if (mode === "All") return count === 0 ? [] : [invalid(path.child("count"), count, messages.countWithAll())];
  return count > 0 ? [] : [invalid(path.child("count"), count, aboveZero())];
}

function validateDeviceSelector(selector: JsonObject, path: FieldPath): FieldError[] {
  const cel = objectOf(selector, "cel");
  if (cel === undefined) return [required(path.child("cel"))];
  const isLong = byteLength(textOf(cel, "expression")) > MAX_LENGTH;
  return isLong ? [tooLong(path.child("cel", "expression"), MAX_LENGTH)] : [];
}

const OPERATORS = ["Equal", "Exists"];
const EFFECTS = ["NoExecute", "NoSchedule", "None"];

function validateToleration(toleration: JsonObject, path: FieldPath): FieldError[] {
  const [key, operator, value] = [
    textOf(toleration, "key"),
    textOf(toleration, "operator"),
    textOf(toleration, "value"),
  ];
  const effect = textOf(toleration, "effect");
  const errors = key === "" ? [] : qualifiedName(key, path.child("key"));
  if (operator === "") errors.push(required(path.child("operator")));
  else if (!OPERATORS.includes(operator)) errors.push(notSupported(path.child("operator"), operator, OPERATORS));
  else if (operator === "Exists" && value !== "")
    errors.push(invalid(path.child("value"), value, messages.emptyForExists()));
  if (effect !== "" && !EFFECTS.includes(effect)) errors.push(notSupported(path.child("effect"), effect, EFFECTS));
  return errors;
}

function validateConstraint(constraint: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const key = ["matchAttribute", "distinctAttribute"].find((each) => has(constraint, each));
  return [
    ...requestReferences(constraint, path, known),
    ...(key === undefined
      ? [required(path, messages.attributeNeeded())]
      : attributeName(textOf(constraint, key), path.child(key))),
  ];
}

/** A domain and an identifier; the parts themselves are not looked at further. */
function attributeName(name: string, path: FieldPath): FieldError[] {
  return name.includes("/") ? [] : [invalid(path, name, messages.fullName())];
}

function requestReferences(object: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const names = textsOf(object, "requests");
  const at = path.child("requests");
  return [
    ...names.flatMap((name, index) => {
      const place = at.index(index);
      const parts = name.split("/");
      const unknown = known.has(name) ? [] : [invalid(place, name, messages.noSuchRequest())];
      return parts.length > 2 ? unknown : [...parts.flatMap((part) => labelName(part, place)), ...unknown];
    }),
    ...names.flatMap((name, index) => (names.indexOf(name) < index ? [duplicate(at.index(index), name)] : [])),
  ];
}

function validateConfiguration(config: JsonObject, path: FieldPath): FieldError[] {
  const opaque = objectOf(config, "opaque");
  const at = path.child("opaque");
  if (opaque === undefined) return [required(at)];
  const { parameters } = opaque;
  const place = at.child("parameters");
  const errors = csiDriverName(textOf(opaque, "driver"), at.child("driver"));
  if (parameters === undefined || parameters === null) return [...errors, required(place)];
  if (byteLength(canonicalJson(parameters)) > MAX_LENGTH) return [...errors, tooLong(place, MAX_LENGTH)];
  return isObject(parameters) ? errors : [...errors, invalid(place, messages.omitted(), messages.jsonObject())];
}

export function validateDeviceClass(deviceClass: JsonObject): FieldError[] {
  const spec = objectOf(deviceClass, "spec") ?? {};
  const name = textOf(spec, "extendedResourceName");
  const isName = !has(spec, "extendedResourceName") || isExtended(name);
  return [
    ...sized(spec, "selectors", SPEC, validateDeviceSelector),
    ...sized(spec, "config", SPEC, validateConfiguration),
    ...(isName ? [] : [invalid(SPEC.child("extendedResourceName"), name, messages.extendedName())]),
  ];
}
