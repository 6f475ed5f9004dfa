/**
 * Reading members of JSON that decoding has given the right types. Anything else counts as absent, so that objects
 * which skipped decoding are read as far as they can be.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "./json.ts";

export function objectOf(json: JsonValue | undefined): JsonObject {
  return isObject(json) ? json : newObject();
}

export function objectsOf(json: JsonValue | undefined): JsonObject[] {
  return isArray(json) ? json.filter(isObject) : [];
}

export function textOf(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}

export function textsOf(json: JsonValue | undefined): string[] {
  return isArray(json) ? json.map(textOf) : [];
}

/** Undefined if the pointer is nil; "" is a value. */
export function optionalText(json: JsonValue | undefined): string | undefined {
  return typeof json === "string" ? json : undefined;
}

/** A map of texts, such as labels. */
export function labelsOf(json: JsonValue | undefined): Record<string, string> {
  const labels: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(objectOf(json))) labels[key] = textOf(value);
  return labels;
}

/** The labels of an object; none if it has no metadata. */
export function objectLabels(object: JsonObject): Record<string, string> {
  return labelsOf(objectOf(object["metadata"])["labels"]);
}
