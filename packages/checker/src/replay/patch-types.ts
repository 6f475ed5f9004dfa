/** How the body of a PATCH may be meant: its content type is not in the event. */
import { isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import type { PatchType } from "./reconstruct.ts";
import type { WriteEvent } from "./write-event.ts";

/** Several only if they lead to different results. */
export function patchTypesOf(body: JsonValue, { query, target }: WriteEvent): readonly PatchType[] {
  if (isArray(body)) return ["json"];
  if (!isObject(body)) return ["merge"];
  const isApply = query.has("fieldManager") && textOf(body["kind"]) !== "" && textOf(body["apiVersion"]) !== "";
  if (isApply) return ["apply"];
  if (target.type?.isCustom !== false) return ["merge"];
  // Other than a merge patch, most are strategic: of two that lead to a result both count.
  if (hasDirective(body)) return ["strategic", "merge"];
  return hasList(body) ? ["merge", "strategic"] : ["merge"];
}

function hasDirective(value: JsonValue): boolean {
  if (isArray(value)) return value.some(hasDirective);
  return isObject(value) && Object.entries(value).some(([key, member]) => key.startsWith("$") || hasDirective(member));
}

function hasList(value: JsonValue): boolean {
  return isArray(value) || (isObject(value) && Object.values(value).some(hasList));
}
