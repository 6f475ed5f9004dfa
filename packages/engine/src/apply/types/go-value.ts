/** Values as the messages of the merge library show them: Go's `%v`, `%#v` and `%T` of decoded JSON. */
import { quote } from "@portcullis/gostd/quote";
import { isArray, isNumber, isObject, type JsonValue, sortedKeys } from "../../value/json.ts";
import { formatNumber, isFloat } from "../../value/number.ts";

/** `%v`. */
export function goPlain(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (isNumber(value)) return formatNumber(value);
  if (isArray(value)) return `[${value.map(goPlain).join(" ")}]`;
  if (!isObject(value)) return String(value);
  const members = sortedKeys(value).map((key) => `${key}:${goPlain(value[key] ?? null)}`);
  return `map[${members.join(" ")}]`;
}

/** `%#v`. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quote(value);
  if (isNumber(value)) return formatNumber(value);
  if (isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isObject(value)) return String(value);
  const members = sortedKeys(value).map((key) => `${quote(key)}:${goSyntax(value[key] ?? null)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}

/** `%T`. */
export function goType(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return isFloat(value) ? "float64" : "int64";
  return isArray(value) ? "[]interface {}" : "map[string]interface {}";
}
