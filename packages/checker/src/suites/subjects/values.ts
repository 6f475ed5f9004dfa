/** CEL values as JSON, to compare them with what a test expects. */
import { Double, displayText, ListValue, MapValue, OptionalValue, Uint, type Value } from "@portcullis/cel";
import { floatValue, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";

/** Values that JSON lacks, such as durations, become the text that is printed for them. */
export function celToJson(value: Value): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint) return value.value;
  if (value instanceof Double) return floatValue(value.value);
  if (value instanceof ListValue) return Array.from({ length: value.size }, (_, index) => celToJson(value.at(index)));
  if (value instanceof MapValue) return mapToJson(value);
  if (value instanceof OptionalValue) return value.value === undefined ? null : celToJson(value.value);
  return displayText(value);
}

function mapToJson(map: MapValue): JsonObject {
  const made = newObject();
  for (const key of map.keys()) {
    const value = map.get(key);
    if (value !== undefined) made[typeof key === "string" ? key : displayText(key)] = celToJson(value);
  }
  return made;
}
