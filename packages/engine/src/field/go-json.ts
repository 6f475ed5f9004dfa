/** JSON text of a value of a Go type, as encoding/json writes it: members in the order of the struct. */
import { jsonString } from "@portcullis/gostd/json-text";
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import type { GoShape, GoStruct } from "./go-shape.ts";

/** Members that the struct does not have come last, sorted. */
export function goJsonText(value: JsonValue, shape: GoShape): string {
  switch (shape.kind) {
    case "struct":
      return isObject(value) ? structText(value, shape) : canonicalJson(value);
    case "list":
      return isArray(value) ? `[${value.map((item) => goJsonText(item, shape.of)).join(",")}]` : canonicalJson(value);
    case "map":
      return isObject(value)
        ? membersText(sortedKeys(value), (key) => goJsonText(value[key] ?? null, shape.of))
        : canonicalJson(value);
    case "raw":
      return rawText(value);
    default:
      return canonicalJson(value);
  }
}

/** Any JSON keeps the order of its members. */
function rawText(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(rawText).join(",")}]`;
  return isObject(value) ? membersText(Object.keys(value), (key) => rawText(value[key] ?? null)) : canonicalJson(value);
}

function structText(value: JsonObject, shape: GoStruct): string {
  const fields = shape.fields();
  const known = [...fields.keys()].filter((name) => value[name] !== undefined);
  const others = sortedKeys(value).filter((name) => !fields.has(name));
  return membersText([...known, ...others], (name) => {
    const field = fields.get(name);
    const member = value[name] ?? null;
    return field === undefined ? canonicalJson(member) : goJsonText(member, field.shape);
  });
}

function membersText(names: readonly string[], text: (name: string) => string): string {
  return `{${names.map((name) => `${jsonString(name, { escapeHtml: true })}:${text(name)}`).join(",")}}`;
}
