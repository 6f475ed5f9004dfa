/** Claims to volumes, and templates of them. Follows ValidatePersistentVolumeClaim of core/validation. */

import { type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject } from "../../../value/json.ts";
import { compareQuantities, type Quantity, signOf } from "../../../value/quantity.ts";
import { since } from "../../../value/server-version.ts";
import { internalDifference } from "../../internal/difference.ts";
import { has, metaOf, objectFrom, objectOf, textOf, textsOf } from "../../object.ts";
import { immutable, labelName, qualifiedName, requiredText, subdomain, subdomainIfSet } from "../checks.ts";
import { unquoted } from "../go-values.ts";
import * as shared from "../messages.ts";
import { amountsOf, positiveQuantity, quantityOf, wholeValue } from "../quantities.ts";
import { validateSelector } from "../selector.ts";
import { validateTemplateMeta } from "../template-meta.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
export const VOLUME_MODES = ["Block", "Filesystem"];

export function validateClaim(claim: JsonObject): FieldError[] {
  return validateClaimSpec(objectOf(claim, "spec") ?? {}, SPEC);
}

export function validateClaimTemplate(template: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...validateTemplateMeta(metaOf(template), path.child("metadata")),
    ...validateClaimSpec(objectOf(template, "spec") ?? {}, path.child("spec")),
  ];
}

/** `keepsGroups` where the API groups of data sources were there before. */
export function validateClaimSpec(spec: JsonObject, path: FieldPath, keepsGroups = false): FieldError[] {
  const mode = textOf(spec, "volumeMode");
  const isMode = !has(spec, "volumeMode") || VOLUME_MODES.includes(mode);
  return [
    ...(textsOf(spec, "accessModes").length === 0
      ? [required(path.child("accessModes"), messages.accessModeNeeded())]
      : []),
    ...validateSelector(objectOf(spec, "selector"), path.child("selector")),
    ...accessModes(spec, path.child("accessModes")),
    ...requestedStorage(spec, path.child("resources").key("storage")),
    ...subdomainIfSet(spec, "storageClassName", path),
    ...(isMode ? [] : [notSupported(path.child("volumeMode"), mode, VOLUME_MODES)]),
    ...dataSources(spec, path, keepsGroups),
    ...subdomainIfSet(spec, "volumeAttributesClassName", path),
  ];
}

/** What is wrong with single modes, and with their company. */
export function accessModes(spec: JsonObject, path: FieldPath): FieldError[] {
  const modes = textsOf(spec, "accessModes");
  const unknown = modes.filter((mode) => !ACCESS_MODES.includes(mode));
  const isMixed =
    modes.includes("ReadWriteOncePod") &&
    modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode));
  return [
    ...unknown.map((mode) => notSupported(path, mode, ACCESS_MODES)),
    ...(isMixed ? [forbidden(path, messages.oncePodAlone())] : []),
  ];
}

function requestedStorage(spec: JsonObject, path: FieldPath): FieldError[] {
  const storage = quantityOf(objectOf(objectOf(spec, "resources"), "requests"), "storage");
  return storage === undefined ? [required(path)] : positiveQuantity(storage, path);
}

function dataSources(spec: JsonObject, path: FieldPath, keepsGroups: boolean): FieldError[] {
  const [source, reference] = [objectOf(spec, "dataSource"), objectOf(spec, "dataSourceRef")];
  return [
    ...(source === undefined ? [] : dataSource(source, path.child("dataSource"), keepsGroups)),
    ...(reference === undefined ? [] : dataSourceRef(reference, path.child("dataSourceRef"), keepsGroups)),
    ...(source === undefined || reference === undefined ? [] : dataSourcesAgree(source, reference, path)),
  ];
}

function dataSource(source: JsonObject, path: FieldPath, keepsGroup: boolean): FieldError[] {
  const [kind, group] = [textOf(source, "kind"), textOf(source, "apiGroup")];
  const isOther = group === "" && kind !== "PersistentVolumeClaim";
  return [
    ...requiredText(source, "name", path),
    ...requiredText(source, "kind", path),
    ...(isOther ? [invalid(path, kind, messages.defaultGroupClaim())] : []),
    ...(group === "" || keepsGroup ? [] : subdomain(group, path.child("apiGroup"))),
  ];
}

function dataSourceRef(source: JsonObject, path: FieldPath, keepsGroup: boolean): FieldError[] {
  const namespace = textOf(source, "namespace");
  return [
    ...dataSource(source, path, keepsGroup),
    ...(namespace === "" ? [] : labelName(namespace, path.child("namespace"))),
  ];
}

/** The value that is shown is the path itself: upstream passes it by mistake. */
function dataSourcesAgree(source: JsonObject, reference: JsonObject, path: FieldPath): FieldError[] {
  const shown = objectFrom({});
  if (textOf(reference, "namespace") !== "") return [invalid(path, shown, messages.noDataSource())];
  const isSame = ["apiGroup", "kind", "name"].every((key) => source[key] === reference[key]);
  return isSame ? [] : [invalid(path, shown, messages.sameDataSource())];
}

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

export function validateClaimUpdate(claim: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(claim, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  const keepsGroups = ["dataSource", "dataSourceRef"].some((key) => has(objectOf(before, key), "apiGroup"));
  const [now, then] = comparable(claim, old);
  const isKept = semanticEqual(now, then);
  const diff = isKept ? "" : internalDifference("core.PersistentVolumeClaimSpec", then, now);
  return [
    ...validateClaimSpec(spec, SPEC, keepsGroups),
    ...(isClassTaken(claim, old) ? [] : keptAnnotation(claim, old)),
    ...(isKept ? [] : [forbidden(SPEC, messages.claimKept(diff))]),
    ...notShrunk(claim, old),
    ...immutable(spec["volumeMode"], before["volumeMode"], newPath("volumeMode")),
    ...keptAttributesClass(claim, old),
  ];
}

/** Both specs without what may change: the volume once, the class once, and the size of a bound claim. */
function comparable(claim: JsonObject, old: JsonObject): [now: JsonObject, then: JsonObject] {
  const [now, then] = [{ ...objectOf(claim, "spec") }, { ...objectOf(old, "spec") }];
  if (!has(then, "volumeName")) take(then, now, "volumeName");
  if (isClassTaken(claim, old)) delete now["storageClassName"];
  else if (isClassNew(claim, old)) take(now, then, "storageClassName");
  if (textOf(objectOf(claim, "status"), "phase") !== "Bound") return [now, then];
  take(now, then, "volumeAttributesClassName");
  const [resources, oldResources] = [objectOf(now, "resources"), objectOf(then, "resources")];
  const requests = objectOf(resources, "requests");
  const storage = objectOf(oldResources, "requests")?.["storage"];
  if (requests !== undefined) now["resources"] = { ...resources, requests: objectFrom({ ...requests, storage }) };
  return [now, then];
}

function take(to: JsonObject, from: JsonObject, key: string): void {
  const value = from[key];
  if (value === undefined) delete to[key];
  else to[key] = value;
}

/** The class that the annotation named becomes a field. */
function isClassTaken(claim: JsonObject, old: JsonObject): boolean {
  const [annotations, before] = [annotationsOf(claim), annotationsOf(old)];
  const name = before[CLASS_ANNOTATION];
  return (
    name !== undefined &&
    !has(objectOf(old, "spec"), "storageClassName") &&
    objectOf(claim, "spec")?.["storageClassName"] === name &&
    (annotations[CLASS_ANNOTATION] === undefined || annotations[CLASS_ANNOTATION] === name)
  );
}

function isClassNew(claim: JsonObject, old: JsonObject): boolean {
  const name = objectOf(claim, "spec")?.["storageClassName"];
  const annotated = annotationsOf(old)[CLASS_ANNOTATION];
  return (
    name !== undefined &&
    !has(objectOf(old, "spec"), "storageClassName") &&
    (annotated === undefined || annotated === name)
  );
}

function annotationsOf(object: JsonObject): JsonObject {
  return objectOf(metaOf(object), "annotations") ?? {};
}

function keptAnnotation(claim: JsonObject, old: JsonObject): FieldError[] {
  const name = textOf(annotationsOf(claim), CLASS_ANNOTATION);
  if (name === textOf(annotationsOf(old), CLASS_ANNOTATION)) return [];
  return [invalid(newPath("metadata", "annotations", CLASS_ANNOTATION), name, shared.immutable())];
}

/** A claim whose expansion failed may ask for less, but not for less than it has. */
function notShrunk(claim: JsonObject, old: JsonObject): FieldError[] {
  const [size, before] = [sizeOf(claim), sizeOf(old)];
  const capacity = quantityOf(objectOf(objectOf(old, "status"), "capacity"), "storage");
  const isEnough = compareSizes(size, before) >= 0 || compareSizes(size, capacity) > 0;
  return isEnough ? [] : [forbidden(SPEC.child("resources", "requests", "storage"), messages.belowCapacity())];
}

function sizeOf(claim: JsonObject): ReturnType<typeof quantityOf> {
  return quantityOf(objectOf(objectOf(objectOf(claim, "spec"), "resources"), "requests"), "storage");
}

/** What was left out is nothing. */
function compareSizes(left: Quantity | undefined, right: Quantity | undefined): number {
  if (left !== undefined && right !== undefined) return compareQuantities(left, right);
  return (left === undefined ? 0 : signOf(left)) - (right === undefined ? 0 : signOf(right));
}

function keptAttributesClass(claim: JsonObject, old: JsonObject): FieldError[] {
  const key = "volumeAttributesClassName";
  const spec = objectOf(claim, "spec");
  const isSame = semanticEqual(spec?.[key], objectOf(old, "spec")?.[key]);
  if (isSame || !has(objectOf(old, "status"), "currentVolumeAttributesClassName")) return [];
  if (!has(spec, key)) return [forbidden(SPEC.child(key), messages.claimClassToNil())];
  return textOf(spec, key) === "" ? [forbidden(SPEC.child(key), messages.claimClassToEmpty())] : [];
}

const RESIZE_STATUSES = [
  ...["ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible"],
  "NodeResizePending",
].sort();

export function validateClaimStatus(claim: JsonObject): FieldError[] {
  const status = objectOf(claim, "status") ?? {};
  const statuses = objectOf(status, "allocatedResourceStatuses") ?? {};
  const at = newPath("status", since("1.34") ? "allocatedResourceStatuses" : "allocatedResourceStatus");
  const errors = capacity(objectOf(status, "capacity"), newPath("status", "capacity"));
  if (!isEnabled("RecoverVolumeExpansionFailure")) return errors;
  return [
    ...errors,
    ...Object.keys(statuses)
      .sort()
      .flatMap((name) => [
        ...claimResource(name, at),
        ...(RESIZE_STATUSES.includes(textOf(statuses, name))
          ? []
          : [notSupported(at, unquoted(name), RESIZE_STATUSES)]),
      ]),
    ...amountsOf(objectOf(status, "allocatedResources")).flatMap(([name, quantity]) => {
      const path = newPath("status", "allocatedResources");
      const unknown = claimResource(name, path);
      return unknown.length > 0 ? unknown : oneCapacity(name, quantity, path);
    }),
  ];
}

export function capacity(list: JsonObject | undefined, path: FieldPath): FieldError[] {
  return amountsOf(list).flatMap(([name, quantity]) => oneCapacity(name, quantity, path));
}

function oneCapacity(name: string, quantity: Quantity, path: FieldPath): FieldError[] {
  const value = wholeValue(quantity);
  return value < 0n ? [invalid(path.key(name), Number(value), messages.validQuantity())] : [];
}

/** Of native resources only storage. */
function claimResource(name: string, path: FieldPath): FieldError[] {
  const errors = qualifiedName(name, path);
  if (errors.length > 0) return errors;
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  return isNative && name !== "storage" ? [notSupported(path, name, ["storage"])] : [];
}
