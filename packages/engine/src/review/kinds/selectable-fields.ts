/** The fields of a custom resource that selectors may ask for, named by simple paths such as `.spec.color`. */
import { isInteger, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { NO_FIELDS, type SelectableFields } from "../kind.ts";

export function customFields(paths: readonly string[]): SelectableFields {
  if (paths.length === 0) return NO_FIELDS;
  const names = new Set(paths.map((path) => path.replace(/^\./, "")));
  return { has: (field) => names.has(field), read: readField };
}

/** Text of a scalar; "" where there is none. */
function readField(object: JsonObject, field: string): string {
  let value: JsonValue | undefined = object;
  for (const part of field.split(".")) value = isObject(value) ? value[part] : undefined;
  if (typeof value === "string") return value;
  return typeof value === "boolean" || isInteger(value) ? String(value) : "";
}
