/**
 * Object metadata: its shape, and its validation on create and on update.
 *
 * Follows apimachinery pkg/api/validation/objectmeta.go and pkg/apis/meta/v1/validation.
 */

import { isPrint } from "@portcullis/gostd/quote";
import { byteLength } from "@portcullis/gostd/utf8";
import {
  type BadValue,
  type FieldError,
  forbidden,
  GoJson,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../field/error.ts";
import { goTime } from "../field/format.ts";
import { checkDnsLabel, checkLabelValue, checkPathSegment, checkQualifiedName } from "../field/names.ts";
import type { FieldPath } from "../field/path.ts";
import { append } from "../value/append.ts";
import { deepEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { since } from "../value/server-version.ts";
import * as messages from "./meta-messages.ts";
import { ownersText, ownerText } from "./owner-text.ts";

const MAX_ANNOTATION_BYTES = 256 * 1024;

/** Complaints about a name; `isPrefix` for a generateName. */
export type NameCheck = (name: string, isPrefix: boolean) => string[];

export interface MetaRules {
  readonly namespaced: boolean;
  readonly checkName: NameCheck;
}

/** `meta` is metadata that has been decoded: its members have the right types. */
export function validateMeta(meta: JsonObject, rules: MetaRules, path: FieldPath): FieldError[] {
  return [
    ...validateName(meta, rules.checkName, path),
    ...validateNamespace(meta, rules.namespaced, path),
    ...validateParts(meta, path, true),
  ];
}

/** What an update may not change, and the parts that are checked again. */
export function validateMetaUpdate(meta: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (old["deletionTimestamp"] !== undefined) append(errors, checkNewFinalizers(meta, old, path));
  if (text(meta["resourceVersion"]) === "") {
    errors.push(invalid(path.child("resourceVersion"), "", messages.resourceVersionRequired(), "resourceVersion"));
  }
  if (since("1.37")) append(errors, validateGeneration(meta["generation"], path.child("generation")));
  if (integer(meta["generation"]) < integer(old["generation"])) {
    errors.push(
      invalid(path.child("generation"), integer(meta["generation"]), messages.generationDecremented(), "generation"),
    );
  }
  for (const name of IMMUTABLE) {
    const [value, before] = [meta[name] ?? ZERO_VALUES.get(name) ?? null, old[name] ?? ZERO_VALUES.get(name) ?? null];
    if (!deepEqual(value, before))
      errors.push(invalid(path.child(name), shownMeta(name, value), messages.immutable(), "immutable"));
  }
  return [...errors, ...validateParts(meta, path, false)];
}

const IMMUTABLE = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;
/** Up to 1.33 times were shown as Go prints them. */
function shownMeta(name: string, value: JsonValue): BadValue {
  if (since("1.34") || !name.endsWith("Timestamp") || typeof value !== "string") return value;
  return new GoJson(goTime(value));
}

/** Strings are "" where absent; times and pointers are null. */
const ZERO_VALUES: ReadonlyMap<string, JsonValue> = new Map([
  ["name", ""],
  ["namespace", ""],
  ["uid", ""],
]);

/** For embedded resources and generic checks: any valid URL path segment. */
export const pathSegmentName: NameCheck = checkPathSegment;

function validateName(meta: JsonObject, checkName: NameCheck, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const [generateName, name] = [text(meta["generateName"]), text(meta["name"])];
  if (generateName !== "") {
    for (const problem of checkName(generateName, true))
      errors.push(invalid(path.child("generateName"), generateName, problem, "name"));
  }
  if (name === "") return [...errors, required(path.child("name"), messages.nameRequired(), "name")];
  for (const problem of checkName(name, false)) errors.push(invalid(path.child("name"), name, problem, "name"));
  return errors;
}

function validateNamespace(meta: JsonObject, namespaced: boolean, path: FieldPath): FieldError[] {
  const namespace = text(meta["namespace"]);
  const at = path.child("namespace");
  if (!namespaced) return namespace === "" ? [] : [forbidden(at, messages.namespaceNotAllowed(), "namespace")];
  if (namespace === "") return [required(at, "", "namespace")];
  return checkDnsLabel(namespace).map((problem) => invalid(at, namespace, problem, "namespace"));
}

/** Joined in one list: an object of the greatest size has more problems than a call takes arguments. */
function validateParts(meta: JsonObject, path: FieldPath, isCreate: boolean): FieldError[] {
  return [
    ...(isCreate ? validateGeneration(meta["generation"], path.child("generation")) : []),
    ...validateLabels(meta["labels"], path.child("labels")),
    ...validateAnnotations(meta["annotations"], path.child("annotations")),
    ...validateOwners(meta["ownerReferences"], path.child("ownerReferences")),
    ...(isCreate ? validateFinalizers(meta["finalizers"], path.child("finalizers")) : []),
    ...validateManagedFields(meta["managedFields"], path.child("managedFields")),
  ];
}

function validateGeneration(value: JsonValue | undefined, path: FieldPath): FieldError[] {
  const generation = integer(value);
  return generation < 0 ? [invalid(path, generation, messages.notNegative(), "generation")] : [];
}

export function validateLabels(labels: JsonValue | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!isObject(labels)) return errors;
  for (const key of sortedKeys(labels)) {
    const value = text(labels[key]);
    for (const problem of checkQualifiedName(key)) errors.push(invalid(path, key, problem, "format=k8s-label-key"));
    for (const problem of checkLabelValue(value)) errors.push(invalid(path, value, problem, "format=k8s-label-value"));
  }
  return errors;
}

export function validateAnnotations(annotations: JsonValue | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!isObject(annotations)) return errors;
  let bytes = 0;
  for (const key of sortedKeys(annotations)) {
    for (const problem of checkQualifiedName(key.toLowerCase()))
      errors.push(invalid(path, key, problem, "format=k8s-label-key"));
    bytes += byteLength(key) + byteLength(text(annotations[key]));
  }
  if (bytes > MAX_ANNOTATION_BYTES) errors.push(tooLong(path, MAX_ANNOTATION_BYTES, "maxBytes"));
  return errors;
}

function validateOwners(owners: JsonValue | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let controller = "";
  // Printed once, for every further controller has the whole list in its message.
  let shown: GoJson | undefined;
  for (const [index, owner] of objects(owners).entries()) {
    append(errors, since("1.37") ? validateOwner(owner, path.index(index)) : validateOwnerLoosely(owner, path));
    if (owner["controller"] !== true) continue;
    const name = `${text(owner["kind"])}/${text(owner["name"])}`;
    if (controller === "") {
      controller = name;
      continue;
    }
    shown ??= ownersText(objects(owners));
    errors.push(invalid(path, shown, messages.twoControllers(controller, name), "controller"));
  }
  return errors;
}

function validateOwner(owner: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = text(owner["apiVersion"]);
  if (apiVersion === "") errors.push(required(path.child("apiVersion"), messages.empty(), "owner"));
  else if (versionOf(apiVersion) === "")
    errors.push(invalid(path.child("apiVersion"), apiVersion, messages.badApiVersion(), "owner"));
  for (const name of ["kind", "name", "uid"]) {
    if (text(owner[name]) === "") errors.push(required(path.child(name), messages.empty(), "owner"));
  }
  return [...errors, ...bannedOwner(owner, path)];
}

/** Up to 1.36 every owner has the path of the list. */
function validateOwnerLoosely(owner: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = text(owner["apiVersion"]);
  const version = versionOf(apiVersion);
  if (version === "") errors.push(invalid(path.child("apiVersion"), apiVersion, messages.versionEmpty(), "owner"));
  for (const name of ["kind", "name", "uid"]) {
    if (text(owner[name]) === "") errors.push(invalid(path.child(name), "", messages.emptyOwner(name), "owner"));
  }
  return [...errors, ...bannedOwner(owner, path)];
}

function bannedOwner(owner: JsonObject, path: FieldPath): FieldError[] {
  if (owner["apiVersion"] !== "v1" || owner["kind"] !== "Event") return [];
  return [invalid(path, new GoJson(ownerText(owner)), messages.eventOwner(), "owner")];
}

/** The version of an apiVersion; "" where it has none or cannot be read. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split("/");
  return parts.length > 2 ? "" : (parts.at(-1) ?? "");
}

function validateFinalizers(finalizers: JsonValue | undefined, path: FieldPath): FieldError[] {
  // Upstream reads a list with anything else in it as no list. Only a webhook can leave one.
  if (!isArray(finalizers) || !finalizers.every((each) => typeof each === "string")) return [];
  const names = finalizers.map(text);
  const errors = names.flatMap((name) =>
    checkQualifiedName(name).map((problem) => invalid(path, name, problem, "finalizer")),
  );
  if (names.includes("orphan") && names.includes("foregroundDeletion")) {
    errors.push(invalid(path, finalizers, messages.conflictingFinalizers(), "finalizer"));
  }
  return errors;
}

function checkNewFinalizers(meta: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const before = new Set(isArray(old["finalizers"]) ? old["finalizers"].map(text) : []);
  const after = isArray(meta["finalizers"]) ? meta["finalizers"].map(text) : [];
  const extra = [...new Set(after.filter((name) => !before.has(name)))].sort();
  return extra.length === 0 ? [] : [forbidden(path.child("finalizers"), messages.newFinalizers(extra), "finalizer")];
}

function validateManagedFields(entries: JsonValue | undefined, path: FieldPath): FieldError[] {
  return objects(entries).flatMap((entry, index) => validateManagedEntry(entry, path.index(index)));
}

const OPERATIONS = ["Apply", "Update"];
const MAX_MANAGER_LENGTH = 128;
const MAX_SUBRESOURCE_LENGTH = 256;

function validateManagedEntry(entry: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const operation = text(entry["operation"]);
  if (!OPERATIONS.includes(operation)) errors.push(badOperation(operation, path.child("operation")));
  const fieldsType = text(entry["fieldsType"]);
  if (fieldsType !== "" && fieldsType !== "FieldsV1") {
    errors.push(invalid(path.child("fieldsType"), fieldsType, messages.badFieldsType(), "fieldsType"));
  }
  append(errors, validateManager(text(entry["manager"]), path.child("manager")));
  const subresource = text(entry["subresource"]);
  if (byteLength(subresource) > MAX_SUBRESOURCE_LENGTH)
    errors.push(tooLong(path.child("subresource"), MAX_SUBRESOURCE_LENGTH));
  return errors;
}

function badOperation(operation: string, path: FieldPath): FieldError {
  if (!since("1.37")) return invalid(path, operation, messages.badOperation(), "operation");
  return operation === "" ? required(path, messages.empty(), "operation") : notSupported(path, operation, OPERATIONS);
}

/** The name of a field manager: not too long, and printable. */
export function validateManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > MAX_MANAGER_LENGTH) errors.push(tooLong(path, MAX_MANAGER_LENGTH));
  let position = 0;
  for (const char of manager) {
    const code = char.codePointAt(0) ?? 0;
    if (!isPrint(code)) errors.push(invalid(path, manager, messages.unprintable(code, position), "manager"));
    position += byteLength(char);
  }
  return errors;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function integer(value: JsonValue | undefined): number | bigint {
  return typeof value === "number" || typeof value === "bigint" ? value : 0;
}
