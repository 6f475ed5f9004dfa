/** Formats a value for printing: strings in quotes, errors with their message. */
import { displayText, isError, type Value } from "@portcullis/cel";

export function showValue(value: Value): string {
  if (isError(value)) return `error: ${value.message}`;
  return typeof value === "string" ? JSON.stringify(value) : displayText(value);
}
