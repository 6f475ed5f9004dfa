/**
 * Resources inside resources (`x-kubernetes-embedded-resource`): their kind, apiVersion and metadata are decoded and
 * checked like those of any resource.
 *
 * Follows apiextensions pkg/apiserver/schema/objectmeta. Nothing here is ever forgiven on an update.
 */
import { type FieldError, invalid, required } from "../field/error.ts";
import { checkDns1035Label } from "../field/names.ts";
import { type FieldPath, nilPath } from "../field/path.ts";
import { append } from "../value/append.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../value/json.ts";
import { rewriteItems, rewriteMembers, withMember } from "../value/rewrite.ts";
import * as messages from "./meta-messages.ts";
import { decodeMeta, decodeMetaLeniently } from "./meta-shape.ts";
import { pathSegmentName, validateMeta } from "./object-meta.ts";
import { memberSchema, type Structural } from "./structural.ts";

export interface CoerceOptions {
  /** The value is a resource itself. */
  readonly isResourceRoot: boolean;
  /** Drop what does not decode instead of refusing it: for objects read from storage. */
  readonly dropInvalid?: boolean;
  readonly onUnknown?: ((path: string) => void) | undefined;
  /** Where the value stands. */
  readonly path?: FieldPath;
}

export interface Coerced {
  readonly value: JsonValue;
  /** The first that could not be decoded; decoding stops there. */
  readonly error: FieldError | undefined;
}

/** Rewrites the metadata of embedded resources as Go would write it back; unknown metadata fields vanish. */
export function coerceEmbedded(value: JsonValue, schema: Structural | undefined, options: CoerceOptions): Coerced {
  if (!options.isResourceRoot && (schema === undefined || !hasEmbedded(schema))) return { value, error: undefined };
  const walk: Walk = { options, error: undefined };
  const coerced = coerce(value, schema, options.isResourceRoot, options.path ?? nilPath, walk);
  return { value: coerced, error: walk.error };
}

interface Walk {
  readonly options: CoerceOptions;
  error: FieldError | undefined;
}

function coerce(
  value: JsonValue,
  schema: Structural | undefined,
  isRoot: boolean,
  path: FieldPath,
  walk: Walk,
): JsonValue {
  if (walk.error !== undefined || (schema === undefined && !isRoot)) return value;
  if (isArray(value)) {
    return rewriteItems(value, (item, index) => coerce(item, schema?.items, false, path.index(index), walk));
  }
  if (!isObject(value)) return value;
  const isResource = isRoot || schema?.embeddedResource === true;
  const object = isResource ? coerceResource(value, path, walk) : value;
  if (schema === undefined) return object;
  return rewriteMembers(object, (member, key) => {
    const inner = memberSchema(schema, key);
    const at = schema.properties.has(key) ? path.child(key) : path.key(key);
    return coerce(member, inner, false, at, walk);
  });
}

function coerceResource(object: JsonObject, path: FieldPath, walk: Walk): JsonObject {
  const withTypes = rewriteMembers(object, (member, key) => {
    if ((key !== "apiVersion" && key !== "kind") || typeof member === "string") return member;
    if (walk.options.dropInvalid === true) return undefined;
    walk.error ??= invalid(path.child(key), member, messages.mustBeString(), "embedded");
    return member;
  });
  const metadata = withTypes["metadata"];
  if (metadata === undefined || walk.error !== undefined) return withTypes;
  return coerceMeta(withTypes, metadata, path, walk);
}

function coerceMeta(object: JsonObject, metadata: JsonValue, path: FieldPath, walk: Walk): JsonObject {
  const decoded = decodeMeta(metadata);
  const isLenient = walk.options.dropInvalid === true;
  const usable =
    decoded.error !== undefined && isLenient && isObject(metadata) ? decodeMetaLeniently(metadata) : decoded;
  if (usable.error !== undefined) {
    if (!isLenient) walk.error ??= invalid(path.child("metadata"), metadata, usable.error, "embedded");
    return object;
  }
  for (const unknown of usable.unknown) walk.options.onUnknown?.(`${path.child("metadata")}.${unknown}`);
  return withMember(object, "metadata", usable.value ?? newObject());
}

const embeddedBelow = new WeakMap<Structural, boolean>();

function hasEmbedded(schema: Structural): boolean {
  const known = embeddedBelow.get(schema);
  if (known !== undefined) return known;
  const inner = [schema.items, schema.additionalProperties?.schema, ...schema.properties.values()];
  const found = schema.embeddedResource || inner.some((each) => each !== undefined && hasEmbedded(each));
  embeddedBelow.set(schema, found);
  return found;
}

/** What is wrong with embedded resources; with `isResourceRoot` the value is one itself. */
export function validateEmbedded(
  value: JsonValue,
  schema: Structural | undefined,
  isResourceRoot: boolean,
  path: FieldPath = nilPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (isResourceRoot || (schema !== undefined && hasEmbedded(schema))) {
    validateAt(value, schema, isResourceRoot, path, errors);
  }
  return errors;
}

function validateAt(
  value: JsonValue,
  schema: Structural | undefined,
  isRoot: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (isArray(value)) {
    const items = schema?.items;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) validateAt(item, items, false, path.index(index), errors);
    return;
  }
  if (!isObject(value)) return;
  if (isRoot || schema?.embeddedResource === true) append(errors, validateResource(value, path));
  if (schema === undefined) return;
  for (const key of sortedKeys(value)) {
    const inner = memberSchema(schema, key);
    if (inner === undefined) continue;
    const at = schema.properties.has(key) ? path.child(key) : path.key(key);
    validateAt(value[key] as JsonValue, inner, false, at, errors);
  }
}

function validateResource(object: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (object["apiVersion"] === undefined)
    errors.push(required(path.child("apiVersion"), messages.typeMetaNeeded(), "embedded"));
  if (object["kind"] === undefined) errors.push(required(path.child("kind"), messages.typeMetaNeeded(), "embedded"));
  if (object["apiVersion"] !== undefined)
    append(errors, checkText(object["apiVersion"], path.child("apiVersion"), apiVersionProblem));
  if (object["kind"] !== undefined) append(errors, checkText(object["kind"], path.child("kind"), kindProblem));
  if (object["metadata"] !== undefined)
    append(errors, validateEmbeddedMeta(object["metadata"], path.child("metadata")));
  return errors;
}

function checkText(value: JsonValue, path: FieldPath, problemOf: (text: string) => string | undefined): FieldError[] {
  const problem =
    typeof value !== "string" ? messages.mustBeString() : value === "" ? messages.empty() : problemOf(value);
  return problem === undefined ? [] : [invalid(path, value, problem, "embedded")];
}

function apiVersionProblem(text: string): string | undefined {
  return text.split("/").length > 2 ? messages.badGroupVersion(text) : undefined;
}

function kindProblem(text: string): string | undefined {
  const problems = checkDns1035Label(text.toLowerCase());
  return problems.length === 0 ? undefined : messages.badKind(problems);
}

function validateEmbeddedMeta(metadata: JsonValue, path: FieldPath): FieldError[] {
  const decoded = decodeMeta(metadata);
  if (decoded.error !== undefined) return [invalid(path, metadata, decoded.error, "embedded")];
  if (!isObject(decoded.value)) return [];
  // An embedded resource need not have a name yet.
  const meta = decoded.value["name"] === undefined ? withMember(decoded.value, "name", "fakename") : decoded.value;
  return validateMeta(meta, { namespaced: meta["namespace"] !== undefined, checkName: pathSegmentName }, path);
}
