/** A value as it is printed: texts in quotes, errors as such. */
import { displayText, isError, type Value } from "@portcullis/cel";

export function showValue(value: Value): string {
  if (isError(value)) return `error: ${value.message}`;
  return typeof value === "string" ? JSON.stringify(value) : displayText(value);
}
