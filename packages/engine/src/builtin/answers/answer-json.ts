/**
 * The JSON of answers: members of kinds with a Go type in the order of the struct, those of custom resources sorted.
 * Clients that compare text rely on that.
 */
import { jsonString } from "@portcullis/gostd/json-text";
import type { GoShape, GoStruct } from "../../field/go-shape.ts";
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { answerShape, ROW_OBJECT } from "./answer-shapes.ts";

/** Types nest deeper than this in hostile documents only; there the order does not matter. */
const MAX_DEPTH = 100;

/** Without a line break at the end. */
export function answerJson(value: JsonValue): string {
  const shape = isObject(value) ? answerShape(value) : undefined;
  return shape === undefined ? canonicalJson(value, { escapeHtml: false }) : writeAnswer(value, shape, MAX_DEPTH);
}

/** An item of a list, or a row of a table, which does not have to name its kind. */
export function answerItemJson(item: JsonValue, list: JsonObject, member: "items" | "rows" = "items"): string {
  const items = answerShape(list)?.fields().get(member)?.shape;
  return items?.kind === "list" ? writeAnswer(item, items.of, MAX_DEPTH) : answerJson(item);
}

function writeAnswer(value: JsonValue, shape: GoShape, depth: number): string {
  if (depth === 0) return canonicalJson(value);
  if (shape.kind === "struct" && isObject(value)) return writeStruct(value, shape, depth - 1);
  if (shape.kind === "list" && isArray(value)) {
    return `[${value.map((item) => writeAnswer(item, shape.of, depth - 1)).join(",")}]`;
  }
  if (shape.kind === "map" && isObject(value)) {
    return writeMembers(sortedKeys(value), (key) => writeAnswer(value[key] ?? null, shape.of, depth - 1));
  }
  return shape === ROW_OBJECT ? answerJson(value) : canonicalJson(value);
}

/** Members that the struct does not have come last. */
function writeStruct(value: JsonObject, shape: GoStruct, depth: number): string {
  const fields = shape.fields();
  const names: string[] = [];
  for (const name of fields.keys()) if (value[name] !== undefined) names.push(name);
  if (names.length < Object.keys(value).length) {
    for (const name of sortedKeys(value)) if (!fields.has(name)) names.push(name);
  }
  return writeMembers(names, (name) => {
    const field = fields.get(name);
    const member = value[name] ?? null;
    return field === undefined ? canonicalJson(member) : writeAnswer(member, field.shape, depth);
  });
}

function writeMembers(names: readonly string[], text: (name: string) => string): string {
  return `{${names.map((name) => `${jsonString(name, { escapeHtml: true })}:${text(name)}`).join(",")}}`;
}
