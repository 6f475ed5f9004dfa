/**
 * Paths and their text, such as `.spec.containers[name="nginx"].image`.
 *
 * The text is for people and for the messages of conflicts; nothing reads it back. A number that came from managed
 * fields prints as Go prints a float64, so a port of 1000000 shows as `1e+06`.
 */
import { quote } from "@portcullis/gostd/quote";
import { isArray, isNumber, type JsonValue, sortedKeys } from "../value/json.ts";
import { formatNumber } from "../value/number.ts";
import { fieldElement, indexElement, type PathElement } from "./element.ts";

export type Path = readonly PathElement[];

/** From names, indices and ready elements. */
export function makePath(...parts: (string | number | PathElement)[]): Path {
  return parts.map((part) => {
    if (typeof part === "string") return fieldElement(part);
    return typeof part === "number" ? indexElement(part) : part;
  });
}

export function formatPath(path: Path): string {
  return path.map(formatElement).join("");
}

export function formatElement(element: PathElement): string {
  switch (element.kind) {
    case "field":
      return `.${element.name}`;
    case "key":
      return `[${element.fields.map(({ name, value }) => `${name}=${formatValue(value)}`).join(",")}]`;
    case "value":
      return `[=${formatValue(element.value)}]`;
    default:
      return `[${element.index}]`;
  }
}

/** Upstream joins the members of a map with nothing between them. */
function formatValue(value: JsonValue): string {
  if (typeof value === "string") return quote(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isNumber(value)) return formatNumber(value);
  if (isArray(value)) return `[${value.map(formatValue).join(",")}]`;
  return sortedKeys(value)
    .map((key) => `${key}=${formatValue(value[key] ?? null)}`)
    .join("");
}
