/** A value as text that distinguishes `i1` (int64) from `f1` (float64), to compare with recordings from Go. */
import { isArray, isInteger, isNumber, isObject, type JsonValue, sortedKeys } from "./json.ts";
import { formatNumber } from "./number.ts";
import { canonicalJson } from "./text.ts";

export function typedText(value: JsonValue): string {
  if (isNumber(value)) return `${isInteger(value) ? "i" : "f"}${formatNumber(value)}`;
  if (isArray(value)) return `[${value.map(typedText).join(",")}]`;
  if (!isObject(value)) return canonicalJson(value);
  const fields = sortedKeys(value).map((key) => `${canonicalJson(key)}:${typedText(value[key] ?? null)}`);
  return `{${fields.join(",")}}`;
}
