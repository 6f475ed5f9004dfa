/** Claims to devices, templates of them and classes of devices. Follows pkg/apis/resource/validation. */
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, GoJson, invalid, notSupported, required, tooLong } from "../../../field/error.ts";
import { checkQualifiedName } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import type { ExpressionMode } from "../../../kubecel/environment.ts";
import { semanticEqual } from "../../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { eachOf, labelName, qualifiedName, subdomain } from "../checks.ts";
import { aboveZero, immutable } from "../messages.ts";
import { isExtended } from "../quantities.ts";
import { declaredDriverName } from "../storage/csi-name.ts";
import { validateTemplateMeta } from "../template-meta.ts";
import { validateDeviceExpression } from "./device-cel.ts";
import { distinct, distinctTexts, sized } from "./lists.ts";
import * as messages from "./messages.ts";
import { declaredAttributeName, labelValue, named } from "./names.ts";

const SPEC = newPath("spec");
const REQUESTS = "resource.k8s.io/v1/ResourceClaim spec.devices.requests";
const MAX_REQUESTS = 32;
const MAX_SUBREQUESTS = 8;
const MAX_CONSTRAINTS = 32;
const MAX_CONFIGURATIONS = 32;
const MAX_SELECTORS = 32;
const MAX_LENGTH = 10 * 1024;

export function validateResourceClaim(claim: JsonObject): FieldError[] {
  return validateClaimSpec(objectOf(claim, "spec") ?? {}, SPEC);
}

export function validateResourceClaimUpdate(claim: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...keptSpec(claim, old, "resource.ResourceClaimSpec"),
    ...(since("1.35") ? [] : validateResourceClaim(claim)),
  ];
}

function keptSpec(object: JsonObject, old: JsonObject, type: string): FieldError[] {
  const { spec } = object;
  if (semanticEqual(spec, old["spec"])) return [];
  return [invalid(SPEC, internalJson(type, spec), immutable(), "immutable")];
}

export function validateClaimTemplate(template: JsonObject): FieldError[] {
  const spec = objectOf(template, "spec") ?? {};
  return [
    ...validateTemplateMeta(metaOf(spec), SPEC.child("metadata")),
    ...validateClaimSpec(objectOf(spec, "spec") ?? {}, SPEC.child("spec")),
  ];
}

export function validateClaimTemplateUpdate(template: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...validateClaimTemplate(template),
    ...keptSpec(template, old, "resource.ResourceClaimTemplateSpec"),
    ...(since("1.35") ? [] : validateClaimTemplate(template)),
  ];
}

function validateClaimSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const devices = objectOf(spec, "devices") ?? {};
  const at = path.child("devices");
  const known = requestNames(devices);
  return [
    ...distinct(devices, "requests", at, { max: MAX_REQUESTS, check: validateRequest, place: REQUESTS }),
    ...sized(devices, "constraints", at, MAX_CONSTRAINTS, (each, place) => validateConstraint(each, place, known)),
    ...sized(devices, "config", at, MAX_CONFIGURATIONS, (each, place) => [
      ...requestReferences(each, place, known),
      ...validateConfiguration(each, place),
    ]),
  ];
}

/** Requests by name, and parts of them as `request/part`. */
export function requestNames(devices: JsonObject): Set<string> {
  return new Set(
    objectsOf(devices, "requests").flatMap((request) => {
      const name = textOf(request, "name");
      const parts = objectsOf(request, "firstAvailable").map((part) => `${name}/${textOf(part, "name")}`);
      return [name, ...parts];
    }),
  );
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
    ...distinct(request, "firstAvailable", path, {
      max: MAX_SUBREQUESTS,
      check: (part, at) => [...labelName(textOf(part, "name"), at.child("name")), ...validateDevices(part, at)],
      place: `${REQUESTS}.firstAvailable`,
    }),
  ];
}

function validateDevices(request: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(request, "deviceClassName");
  const at = path.child("deviceClassName");
  return [
    ...(name === "" ? [required(at)] : subdomain(name, at)),
    ...sized(request, "selectors", path, MAX_SELECTORS, (each, place) => validateDeviceSelector(each, place, "new")),
    ...allocation(request, path),
    ...eachOf(request, "tolerations", path, validateToleration),
  ];
}

const MODES = ["All", "ExactCount"];

function allocation(request: JsonObject, path: FieldPath): FieldError[] {
  const [mode, count] = [textOf(request, "allocationMode"), numberOf(request, "count")];
  if (!MODES.includes(mode)) return [notSupported(path.child("allocationMode"), named(mode), MODES)];
  if (mode === "All") return count === 0 ? [] : [invalid(path.child("count"), count, messages.countWithAll())];
  return count > 0 ? [] : [invalid(path.child("count"), count, aboveZero())];
}

function validateDeviceSelector(selector: JsonObject, path: FieldPath, mode: ExpressionMode): FieldError[] {
  const cel = objectOf(selector, "cel");
  if (cel === undefined) return [required(path.child("cel"))];
  return validateDeviceExpression(textOf(cel, "expression"), path.child("cel", "expression"), mode);
}

const OPERATORS = ["Equal", "Exists"];
/** Of taints of devices. */
export function deviceEffects(): readonly string[] {
  return since("1.35") ? EFFECTS : EFFECTS_BEFORE;
}

const EFFECTS_BEFORE = ["NoExecute", "NoSchedule"];
const EFFECTS = [...EFFECTS_BEFORE, "None"];

export function validateToleration(toleration: JsonObject, path: FieldPath): FieldError[] {
  const [key, operator, value] = [
    textOf(toleration, "key"),
    textOf(toleration, "operator"),
    textOf(toleration, "value"),
  ];
  const effect = textOf(toleration, "effect");
  const errors = key === "" ? [] : qualifiedName(key, path.child("key"));
  if (operator === "") errors.push(required(path.child("operator")));
  else if (!OPERATORS.includes(operator)) errors.push(notSupported(path.child("operator"), named(operator), OPERATORS));
  else if (operator === "Equal") errors.push(...labelValue(value, path.child("value")));
  else if (value !== "") errors.push(invalid(path.child("value"), value, messages.emptyForExists()));
  if (effect !== "" && !deviceEffects().includes(effect))
    errors.push(notSupported(path.child("effect"), named(effect), deviceEffects()));
  return errors;
}

function attributeNeeded(path: FieldPath): FieldError {
  return since("1.36") ? required(path, messages.attributeNeeded()) : required(path.child("matchAttribute"));
}

function validateConstraint(constraint: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const keys = ["matchAttribute", "distinctAttribute"].filter((each) => has(constraint, each));
  // Declarative validation looks at both.
  const checked = since("1.37") ? keys : keys.slice(0, 1);
  return [
    ...requestReferences(constraint, path, known),
    ...(keys.length === 0 ? [attributeNeeded(path)] : []),
    ...checked.flatMap((key) => declaredAttributeName(textOf(constraint, key), path.child(key))),
  ];
}

export function requestReferences(object: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  return distinctTexts(object, "requests", path, MAX_REQUESTS, (name, at) => requestReference(name, at, known));
}

/** A request, or a part of one after a slash. */
export function requestReference(name: string, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const parts = name.split("/");
  const unknown = known.has(name) ? [] : [invalid(path, name, messages.noSuchRequest())];
  return parts.length > 2 ? unknown : [...parts.flatMap((part) => labelName(part, path)), ...unknown];
}

/** What was stored before there was a limit may stay. */
export function validateConfiguration(config: JsonObject, path: FieldPath, isStored = false): FieldError[] {
  const opaque = objectOf(config, "opaque");
  const at = path.child("opaque");
  if (opaque === undefined) return [required(at)];
  return [
    ...declaredDriverName(textOf(opaque, "driver"), at.child("driver")),
    ...rawObject(opaque["parameters"], at.child("parameters"), isStored),
  ];
}

export function rawObject(value: JsonValue | undefined, path: FieldPath, isStored = false): FieldError[] {
  if (value === undefined || value === null) return [required(path)];
  if (!isStored && byteLength(canonicalJson(value)) > MAX_LENGTH) return [tooLong(path, MAX_LENGTH)];
  return isObject(value) ? [] : [invalid(path, messages.omitted(), messages.jsonObject())];
}

/** Expressions and configurations that are as they were are those of storage. */
export function validateDeviceClass(deviceClass: JsonObject, old?: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(deviceClass, "spec") ?? {}, objectOf(old, "spec")];
  const isKept = (key: string): boolean => before !== undefined && semanticEqual(spec[key], before[key]);
  const mode = isKept("selectors") ? "stored" : "new";
  const isStored = isKept("config");
  const name = textOf(spec, "extendedResourceName");
  const isName = !has(spec, "extendedResourceName") || isExtended(name);
  return [
    ...sized(spec, "selectors", SPEC, MAX_SELECTORS, (each, at) => validateDeviceSelector(each, at, mode)),
    ...sized(spec, "config", SPEC, MAX_CONFIGURATIONS, (each, at) => validateConfiguration(each, at, isStored)),
    ...(isName ? [] : extendedNameErrors(name, SPEC.child("extendedResourceName"))),
  ];
}

const KUBERNETES_DOMAIN = "kubernetes.io/";
const QUOTA_PREFIX = "requests.";

/** Since 1.37 each rule that a name breaks has its own error. */
function extendedNameErrors(name: string, path: FieldPath): FieldError[] {
  if (!since("1.37")) return [invalid(path, name, messages.extendedName())];
  const problems = [
    ...(name.includes("/") ? [] : [messages.domainPath()]),
    ...(name.includes(KUBERNETES_DOMAIN) ? [messages.noDomain(KUBERNETES_DOMAIN)] : []),
    ...(name.startsWith(QUOTA_PREFIX) ? [messages.noPrefix(QUOTA_PREFIX)] : []),
    ...checkQualifiedName(`${QUOTA_PREFIX}${name}`),
  ];
  return problems.map((problem) => invalid(path, name, problem, "format"));
}
