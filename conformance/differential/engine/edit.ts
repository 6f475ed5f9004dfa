/** Random edits of a value: what an update might do to it, from nothing at all to a new value. */
import {
  Float64,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
} from "@portcullis/engine/internal/value/json";
import type { Random } from "../apply/random.ts";
import { randomValue } from "./generate-value.ts";

export function randomEdit(random: Random, value: JsonValue, schema: JsonValue | undefined): JsonValue {
  if (random.bool(0.15)) return value;
  let edited = value;
  for (let left = 1 + random.below(2); left > 0; left--) edited = editSomewhere(random, edited, schema);
  return edited;
}

function editSomewhere(random: Random, value: JsonValue, schema: JsonValue | undefined): JsonValue {
  if (isArray(value) && value.length > 0 && random.bool(0.85)) return editList(random, value, schema);
  if (isObject(value) && random.bool(0.9)) return editObject(random, value, schema);
  if (typeof value === "number" && Number.isInteger(value) && random.bool(0.2)) return new Float64(value);
  return randomValue(random, schema, 0.1);
}

function editList(random: Random, items: JsonValue[], schema: JsonValue | undefined): JsonValue {
  const itemSchema = isObject(schema) ? schema["items"] : undefined;
  const index = random.below(items.length);
  const item = items[index] ?? null;
  switch (random.below(5)) {
    case 0:
      return items.toReversed();
    case 1:
      return [...items, item];
    case 2:
      return items.toSpliced(index, 1);
    case 3:
      return [...items, randomValue(random, itemSchema, 0.1)];
    default:
      return items.with(index, editSomewhere(random, item, itemSchema));
  }
}

function editObject(random: Random, object: JsonObject, schema: JsonValue | undefined): JsonValue {
  const names = isObject(schema) && isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const name = random.pick([...names, ...Object.keys(object), "a"]);
  const inner = memberSchema(schema, name);
  const copy = Object.assign(newObject(), object);
  if (random.bool(0.15)) delete copy[name];
  else
    copy[name] = name in object ? editSomewhere(random, object[name] ?? null, inner) : randomValue(random, inner, 0.1);
  return copy;
}

function memberSchema(schema: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isObject(schema)) return undefined;
  const properties = schema["properties"];
  return isObject(properties) && properties[name] !== undefined ? properties[name] : schema["additionalProperties"];
}
