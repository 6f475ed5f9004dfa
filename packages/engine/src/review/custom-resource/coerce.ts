/**
 * What decoding does to a custom resource: prune, drop nulls, rewrite metadata, default.
 *
 * Follows unstructuredSchemaCoercer of apiextensions pkg/apiserver/customresource_handler.go. The same chain runs when an
 * object is read from storage and after a conversion, so old and new objects are always seen through today's schema.
 */

import { formatFieldError } from "../../field/format.ts";
import { goText, goTypeName } from "../../kubecel/go-data.ts";
import { applyDefaults, TooManyDefaults } from "../../schema/default.ts";
import { coerceEmbedded } from "../../schema/embedded.ts";
import { decodeMeta, decodeMetaLeniently } from "../../schema/meta-shape.ts";
import { dropNulls, mayHaveNullToDrop } from "../../schema/nulls.ts";
import { isPruned, prune } from "../../schema/prune.ts";
import { StatusError } from "../../status/error.ts";
import { HAS_NULL, survey, TOO_DEEP } from "../../value/depth.ts";
import { deepEqual } from "../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { Outline } from "../../value/outline.ts";
import { withMember } from "../../value/rewrite.ts";
import type { CustomResource } from "./custom-resource.ts";
import * as messages from "./messages.ts";

export interface CoerceMode {
  /** Drop metadata that does not decode instead of refusing it, and set a missing generation: for storage. */
  readonly fromStorage?: boolean;
  /** Whether to look for unknown fields at all. */
  readonly trackUnknown?: boolean;
  /** The outline that decoding made of the object: it spares walking what needs no change. */
  readonly outline?: Outline | undefined;
}

export interface CoercedResource {
  readonly object: JsonObject;
  /** Paths of unknown fields: those of metadata, those pruned, those of embedded metadata; each group sorted. */
  readonly unknown: readonly string[];
  readonly error?: undefined;
}

export type CoerceResult = CoercedResource | { readonly error: string };

/** Far beyond any object people write, and safe for the call stack wherever this runs. */
const MAX_DEPTH = 2_500;

/** Without defaulting. */
export function coerceResource(object: JsonObject, resource: CustomResource, mode: CoerceMode = {}): CoerceResult {
  // Only documents of moderate depth have an outline.
  const outline = mode.outline?.document === object ? mode.outline : undefined;
  const seen = outline === undefined ? survey(object, MAX_DEPTH) : 0;
  if ((seen & TOO_DEEP) !== 0) return { error: messages.tooDeep(MAX_DEPTH) };
  const typeError = textError(object, "kind") ?? textError(object, "apiVersion");
  if (typeError !== undefined) return { error: typeError };
  const apiVersion = typeof object["apiVersion"] === "string" ? object["apiVersion"] : "";
  const slash = apiVersion.indexOf("/");
  const meta = readMeta(object, mode);
  if (meta.error !== undefined) return meta;
  if (apiVersion.lastIndexOf("/") !== slash) return { error: messages.badGroupVersion(apiVersion) };
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const isOurs = group === resource.group && object["kind"] === resource.kind;
  const known = { outline, hasNulls: (seen & HAS_NULL) !== 0 };
  const body = isOurs ? coerceBody(object, resource, mode, known) : { object, unknown: [] };
  if (body.error !== undefined) return body;
  return {
    object:
      meta.value === undefined ? body.object : withMember(body.object, "metadata", fixGeneration(meta.value, mode)),
    unknown: [...meta.unknown, ...body.unknown],
  };
}

/** With defaulting: what a request body becomes. */
export function decodeResource(object: JsonObject, resource: CustomResource, mode: CoerceMode = {}): CoerceResult {
  const coerced = coerceResource(object, resource, mode);
  if (coerced.error !== undefined) return coerced;
  const defaulted = withDefaults(coerced.object, resource);
  return { object: isObject(defaulted) ? defaulted : coerced.object, unknown: coerced.unknown };
}

/** Where the object would be larger than a store takes, it is refused as a store refuses it. */
function withDefaults(object: JsonObject, { schema }: CustomResource): JsonValue {
  try {
    return applyDefaults(object, schema);
  } catch (error) {
    if (!(error instanceof TooManyDefaults)) throw error;
    throw new StatusError({ code: 500, reason: "", message: error.message });
  }
}

/** Whether an object of the stored version would come out of storage as it went in. */
export function staysSame(object: JsonObject, resource: CustomResource): boolean {
  const decoded = decodeResource(object, resource, { fromStorage: true });
  if (decoded.error !== undefined) return false;
  // Passes share what they do not change, except for the metadata, which is always a new object.
  const isSame = (key: string): boolean =>
    key === "metadata"
      ? deepEqual(decoded.object[key] ?? null, object[key] ?? null)
      : decoded.object[key] === object[key];
  return Object.keys(object).every(isSame) && Object.keys(decoded.object).every((key) => key in object);
}

/** What is known of an object before it is walked. */
interface Known {
  readonly outline: Outline | undefined;
  /** Without any there is nothing to drop; where there is an outline, it knows better. */
  readonly hasNulls: boolean;
}

function coerceBody(object: JsonObject, resource: CustomResource, mode: CoerceMode, known: Known): CoerceResult {
  const { schema } = resource;
  const pruned: string[] = [];
  const embedded: string[] = [];
  let value: JsonValue = object;
  if (!resource.preserveUnknownFields) {
    const onUnknown = mode.trackUnknown === true ? collectInto(pruned) : undefined;
    if (!needsNoPruning(resource, known)) value = prune(value, schema, { isResourceRoot: true, onUnknown });
    if (mayHaveNulls(resource, known)) value = dropNulls(value, schema);
  }
  const coerced = coerceEmbedded(value, schema, {
    isResourceRoot: false,
    dropInvalid: mode.fromStorage === true,
    onUnknown: mode.trackUnknown === true ? collectInto(embedded) : undefined,
  });
  if (coerced.error !== undefined) return { error: formatFieldError(coerced.error) };
  if (!isObject(coerced.value)) return { object, unknown: [] };
  return { object: coerced.value, unknown: [...pruned.sort(compareBytes), ...embedded.sort(compareBytes)] };
}

/** Ours: upstream reports hundreds of thousands of them. */
const MAX_UNKNOWN = 10_000;

function collectInto(paths: string[]): (path: string) => void {
  return (path) => {
    if (paths.length < MAX_UNKNOWN) paths.push(path);
  };
}

function needsNoPruning({ schema }: CustomResource, { outline }: Known): boolean {
  return outline !== undefined && isPruned(outline, schema, true);
}

function mayHaveNulls({ schema }: CustomResource, { outline, hasNulls }: Known): boolean {
  return outline === undefined ? hasNulls : mayHaveNullToDrop(outline, schema);
}

interface ReadMeta {
  readonly value: JsonObject | undefined;
  readonly unknown: readonly string[];
  readonly error?: undefined;
}

function readMeta(object: JsonObject, mode: CoerceMode): ReadMeta | { readonly error: string } {
  const metadata = object["metadata"];
  if (metadata === undefined) return { value: undefined, unknown: [] };
  let decoded = decodeMeta(metadata);
  if (decoded.error !== undefined && mode.fromStorage === true) {
    if (!isObject(metadata)) return { error: messages.metadataNotAnObject(goTypeName(metadata)) };
    decoded = decodeMetaLeniently(metadata);
  }
  if (decoded.error !== undefined) return { error: decoded.error };
  const unknown = mode.trackUnknown === true ? decoded.unknown.map((path) => `metadata.${path}`) : [];
  return { value: isObject(decoded.value) ? decoded.value : newObject(), unknown };
}

function fixGeneration(meta: JsonObject, mode: CoerceMode): JsonObject {
  return mode.fromStorage === true && meta["generation"] === undefined ? withMember(meta, "generation", 1) : meta;
}

function textError(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  if (value === undefined || typeof value === "string") return undefined;
  return messages.accessorError(`.${key}`, goText(value), goTypeName(value), "string");
}

/** Go sorts strings by their bytes; for well-formed text that is the order of code points. */
function compareBytes(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i]?.codePointAt(0) ?? 0) - (b[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
