/** JSON with two spaces a level, as Go's Indent writes it: empty objects and lists stay on one line. */
import { isArray, isObject, type JsonValue, sortedKeys } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export function prettyJson(value: JsonValue, indent = ""): string {
  const inner = `${indent}  `;
  if (isArray(value) && value.length > 0) {
    return `[\n${value.map((item) => inner + prettyJson(item, inner)).join(",\n")}\n${indent}]`;
  }
  if (isObject(value)) {
    const keys = sortedKeys(value);
    if (keys.length === 0) return "{}";
    const members = keys.map((key) => `${inner}${text(key)}: ${prettyJson(value[key] ?? null, inner)}`);
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  return text(value);
}

function text(value: JsonValue): string {
  return canonicalJson(value, { escapeHtml: false });
}
