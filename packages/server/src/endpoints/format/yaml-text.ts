/** JSON values as YAML, as sigs.k8s.io/yaml writes them: two spaces, lists not indented under their key. */
import { isArray, isNumber, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { formatFloat } from "@portcullis/gostd/strconv";
import { compareKeys } from "./yaml-keys.ts";
import { yamlLine, yamlScalar } from "./yaml-scalar.ts";

export function yamlText(value: JsonValue): string {
  if (isObject(value) && Object.keys(value).length > 0) return objectLines(value, "");
  if (isArray(value) && value.length > 0) return listLines(value, "");
  return scalarLine(value, "", 0);
}

function objectLines(value: { readonly [key: string]: JsonValue }, indent: string): string {
  return Object.keys(value)
    .sort(compareKeys)
    .map((key) => {
      const head = `${indent}${yamlScalar(key, { column: indent.length, indent, isKey: true })}:`;
      return head + afterKey(value[key] ?? null, indent, [...head].length + 1);
    })
    .join("");
}

/** `column` is where a scalar would begin. */
function afterKey(value: JsonValue, indent: string, column: number): string {
  if (isObject(value) && Object.keys(value).length > 0) return `\n${objectLines(value, `${indent}  `)}`;
  if (isArray(value) && value.length > 0) return `\n${listLines(value, indent)}`;
  return ` ${scalarLine(value, `${indent}  `, column)}`;
}

function listLines(items: readonly JsonValue[], indent: string): string {
  return items.map((item) => `${indent}- ${afterDash(item, `${indent}  `)}`).join("");
}

/** The first line of a nested structure stands behind the dash. */
function afterDash(item: JsonValue, indent: string): string {
  if (isObject(item) && Object.keys(item).length > 0) return objectLines(item, indent).slice(indent.length);
  if (isArray(item) && item.length > 0) return listLines(item, indent).slice(indent.length);
  return scalarLine(item, indent, indent.length);
}

function scalarLine(value: JsonValue, indent: string, column: number): string {
  if (typeof value === "string") return yamlLine(value, { column, indent, isKey: false });
  const text = canonicalJson(value);
  // Floats have an exponent sooner than in JSON.
  return `${isNumber(value) && /[.e]/.test(text) ? formatFloat(Number(text), "g", -1, 64) : text}\n`;
}
