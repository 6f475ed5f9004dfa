/** JSON that round-trips exactly: int64 and float64 keep their spelling. */
import { Float64, isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";

export function exactJson(value: JsonValue, indent = ""): string {
  if (value instanceof Float64) return floatText(value.value);
  if (typeof value === "bigint") return String(value);
  if (isArray(value))
    return block(
      "[",
      value.map((each) => exactJson(each, `${indent}  `)),
      "]",
      indent,
    );
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${exactJson(each, `${indent}  `)}`,
  );
  return block("{", members, "}", indent);
}

function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function block(open: string, lines: readonly string[], close: string, indent: string): string {
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${close}`;
}
