/**
 * What a mutation's value does to an object.
 *
 * A configuration is merged; a JSON patch is applied to the object's text, and one of which a test does not hold changes
 * nothing. What comes out is decoded and defaulted again. Follows apiserver
 * pkg/admission/plugin/policy/mutating/patch.
 */
import { isLargerThan, ListValue, Panic, type Value } from "@portcullis/cel/internal";
import { quote } from "@portcullis/gostd/quote";
import { badItem, scalarInKeyedList } from "../../apply/messages.ts";
import { overlay } from "../../apply/overlay.ts";
import { resolveForm } from "../../apply/types/form.ts";
import type { ListType, MergeType } from "../../apply/types/types.ts";
import type { TypeFinding } from "../../apply/validate.ts";
import { decodeJson } from "../../codec/json.ts";
import { type Operation, patchDocument } from "../../patch/json-patch.ts";
import { type Child, LazyNode } from "../../patch/lazy-json.ts";
import { crashed } from "../../patch/messages.ts";
import { internalError, StatusError } from "../../status/error.ts";
import type { JsonObject } from "../../value/json.ts";
import { literalData, misnamedTypes, type NonJsonMember, type NonJsonValue, toConfiguration } from "./configuration.ts";
import { jsonOf } from "./json-value.ts";
import type { MutableKind } from "./kinds.ts";
import * as messages from "./messages.ts";
import { JsonPatchLiteral, ObjectLiteral } from "./types.ts";

/** A refusal ends the request whatever the failure policy; an error is handled by the failure policy. */
export type Patched =
  | {
      readonly object: JsonObject;
      /** The object with the empty lists and maps that JSON does not show; undefined if nothing was changed. */
      readonly kept?: JsonObject;
      readonly error?: undefined;
      readonly refusal?: undefined;
    }
  | { readonly error: string; readonly object?: undefined; readonly refusal?: undefined }
  | { readonly refusal: StatusError; readonly object?: undefined; readonly error?: undefined };

/** More than an object has that may be stored. */
const MAX_ELEMENTS = 1 << 20;

export function applyConfiguration(value: Value, object: JsonObject, kind: MutableKind): Patched {
  if (!(value instanceof ObjectLiteral)) throw new Error("the compiler lets nothing but an Object pass");
  if (isLargerThan(value, MAX_ELEMENTS)) return { error: messages.tooLarge() };
  const misnamed = misnamedTypes(value);
  if (misnamed.length > 0) return { error: messages.typeMismatch(misnamed) };
  const data = literalData(value);
  if (typeof data === "string") return { error: messages.invalidReturnType() };
  for (const key of ["apiVersion", "kind"]) data.set(key, String(object[key] ?? ""));
  const { object: configuration, nonJson } = toConfiguration(data);
  const findings = (type: MergeType): TypeFinding[] => nonJson.flatMap((each) => nonJsonFinding(type, each));
  const result = overlay(kind.types, object, configuration, { findings });
  switch (result.outcome) {
    case "atomic":
      return { error: messages.applyFailed(messages.mutatesAtomics(result.paths)) };
    case "unfit": {
      const described = result.which === "object" ? messages.originalNotTyped : messages.patchNotTyped;
      return { error: messages.applyFailed(described(result.reason)) };
    }
    default: {
      const { object: completed, error } = kind.complete(result.object);
      return error === undefined ? changedTo(completed, kind) : { error };
    }
  }
}

/** What the merge library says of a value that is no JSON; where any scalar will do it says nothing. */
function nonJsonFinding(root: MergeType, { path, value }: NonJsonMember): TypeFinding[] {
  let type: MergeType | undefined = root;
  let shown = "";
  for (const part of path) {
    if (typeof part === "string") {
      type = memberOf(type, part);
      shown += `.${part}`;
      continue;
    }
    const list: ListType | undefined = type?.list;
    const isItem = part === path.at(-1) && list?.relationship === "associative";
    if (isItem && list.keys.length > 0) return [{ path: shown, message: badItem(part, scalarInKeyedList()) }];
    type = list?.element;
    shown += isItem ? "[={{undefined}}]" : `[${part}]`;
  }
  const message = type && complaint(type, value);
  return message === undefined ? [] : [{ path: shown, message }];
}

function memberOf(type: MergeType | undefined, name: string): MergeType | undefined {
  return type?.map?.fields.get(name)?.type ?? type?.map?.element;
}

function complaint(type: MergeType, { goType, plain, syntax }: NonJsonValue): string | undefined {
  switch (resolveForm(type, "any")) {
    case "map":
      return `expected map, got &{${plain}}`;
    case "list":
      return `expected list, got &{${plain}}`;
    default:
      break;
  }
  if (type.scalar === "numeric") return `expected numeric (int or float), got ${goType}`;
  if (type.scalar === "string") return `expected string, got &value.valueUnstructured{Value:${syntax}}`;
  return type.scalar === "boolean" ? `expected boolean, got &{${plain}}` : undefined;
}

export function applyPatches(value: Value, object: JsonObject, kind: MutableKind): Patched {
  if (!(value instanceof ListValue)) throw new Error("the compiler lets nothing but a list pass");
  if (isLargerThan(value, MAX_ELEMENTS)) return { error: messages.tooLarge() };
  try {
    return patchObject(value, object, kind);
  } catch (error) {
    if (!(error instanceof Panic)) throw error;
    return { refusal: new StatusError({ code: 500, reason: "", message: crashed() }) };
  }
}

function patchObject(list: ListValue, object: JsonObject, kind: MutableKind): Patched {
  const operations: Operation[] = [];
  for (let index = 0; index < list.size; index++) {
    const literal = list.at(index);
    if (!(literal instanceof JsonPatchLiteral)) throw new Error("the compiler lets nothing but a JSONPatch pass");
    const operation = operationOf(literal);
    if (typeof operation === "string") return { error: operation };
    operations.push(operation);
  }
  const { text, failure } = patchDocument(kind.encode(object), operations);
  if (failure?.isTest === true) return { object };
  if (failure !== undefined) return { error: messages.patchFailed(failure.message) };
  const decoded = kind.decode(text);
  return decoded.error === undefined ? changedTo(decoded.object, kind) : { refusal: internalError(decoded.error) };
}

function changedTo(kept: JsonObject, kind: MutableKind): Patched {
  return { object: kind.written(kept), kept };
}

/** A text says why there is none. */
function operationOf({ op, path, from, value }: JsonPatchLiteral): Map<string, Child> | string {
  const operation = new Map<string, Child>([
    ["op", quotedNode(op)],
    ["path", quotedNode(path)],
  ]);
  if (from !== "") operation.set("from", quotedNode(from));
  if (value === undefined) return operation;
  const json = jsonOf(value);
  if (json.error !== undefined) return json.error;
  return operation.set("value", LazyNode.of(json.text));
}

/** Upstream quotes like Go, which is not JSON for every character. Undefined if it is none. */
function quotedNode(text: string): Child {
  const quoted = quote(text);
  return decodeJson(quoted).error === undefined ? LazyNode.of(quoted) : undefined;
}
