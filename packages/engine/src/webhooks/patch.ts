/**
 * The patch of a mutating webhook, decoded and applied to the JSON of the object.
 *
 * A patch that cannot be decoded is a failed call; one that cannot be applied is a server error, regardless of the
 * failurePolicy. Follows callAttrMutatingHook of apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go.
 */
import { Panic } from "@portcullis/cel/internal";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { jsonName } from "../builtin/messages.ts";
import { decodeJson } from "../codec/json.ts";
import { type Operation, patchDocument, readOperations } from "../patch/json-patch.ts";
import { writeNode } from "../patch/lazy-json.ts";
import { crashed, notAnOperation, notAPatch } from "../patch/messages.ts";
import type { GroupVersionKind } from "../policy/attributes.ts";
import { internalError, StatusError } from "../status/error.ts";
import { isArray, isObject, type JsonObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";

export type DecodedPatch =
  | { readonly operations: readonly Operation[]; readonly error?: undefined }
  | { readonly error: string };

export function decodePatch(bytes: Uint8Array): DecodedPatch {
  const text = decodeUtf8(bytes);
  const decoded = decodeJson(text);
  if (decoded.error !== undefined) return { error: decoded.error };
  const { value } = decoded;
  if (value === null) return { operations: [] };
  if (!isArray(value)) return { error: notAPatch(jsonName(value)) };
  const wrong = value.find((item) => item !== null && !isObject(item));
  return wrong === undefined ? { operations: readOperations(text) } : { error: notAnOperation(jsonName(wrong)) };
}

/** The operations as JSON, each with sorted members and its values unchanged. */
export function patchText(operations: readonly Operation[]): string {
  return `[${operations.map((operation) => (operation === undefined ? "null" : writeNode(operation))).join(",")}]`;
}

/** How the result of a patch is decoded. */
export interface PatchedKind {
  /** Built-in kinds are decoded into their Go type; the error is the reason if that fails. */
  decode(text: string, kind: GroupVersionKind): PatchedObject;
  /** An object as JSON shows it: without the empty lists and maps that Go keeps, if the kind has a Go type. */
  written?(object: JsonObject, kind: GroupVersionKind): JsonObject;
  /** Where what is decoded is not yet the object of the request: a text says why it cannot become one. */
  complete?(object: JsonObject): JsonObject | string;
}

export type PatchedObject =
  | {
      /** With defaults. */
      readonly object: JsonObject;
      /** Without defaults. */
      readonly undefaulted: JsonObject;
      readonly error?: undefined;
    }
  /** A raw error has no prefix of the server. */
  | { readonly error: string; readonly isRaw?: boolean };

export function applyPatch(
  object: JsonObject,
  operations: readonly Operation[],
  kind: GroupVersionKind,
  patched: PatchedKind,
): Exclude<PatchedObject, { readonly error: string }> | StatusError {
  const result = patchedText(object, operations);
  if (result instanceof StatusError) return result;
  const decoded = patched.decode(result, kind);
  if (decoded.error === undefined) return decoded;
  return decoded.isRaw === true ? rawError(decoded.error) : internalError(decoded.error);
}

function patchedText(object: JsonObject, operations: readonly Operation[]): string | StatusError {
  try {
    const { text, failure } = patchDocument(canonicalJson(object), operations);
    return failure === undefined ? text : internalError(failure.message);
  } catch (error) {
    if (!(error instanceof Panic)) throw error;
    return rawError(crashed());
  }
}

/** An error without reason and details, as upstream returns it. */
export function rawError(message: string): StatusError {
  return new StatusError({ code: 500, reason: "", message });
}
