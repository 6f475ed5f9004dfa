/** The largest value that a schema allows: for rules that add up or compare sizes. */
import type { Structural } from "../../schema/structural.ts";
import { type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { Sampler } from "./sample.ts";

const MAX_DEPTH = 4;
const MAX_SIZE = 64;
const MAX_LENGTH = 300;

/** Bounds beyond a limit are ignored, and what the schema refuses is an ordinary value instead. */
export function largestValue(schema: Structural, sampler: Sampler, depth = 0): JsonValue | undefined {
  const value = depth > MAX_DEPTH ? undefined : largestOfType(schema, sampler, depth);
  return value !== undefined && sampler.check.accepts(schema, value) ? value : sampler.first(schema);
}

function largestOfType(schema: Structural, sampler: Sampler, depth: number): JsonValue | undefined {
  const { type, maximum, exclusiveMaximum, maxLength = 0 } = schema;
  switch (type) {
    case "integer":
      return maximum === undefined ? undefined : Math.floor(maximum) - (exclusiveMaximum ? 1 : 0);
    case "number":
      return maximum;
    case "string":
      return maxLength > 0 && maxLength <= MAX_LENGTH ? "a".repeat(maxLength) : undefined;
    case "array":
      return largestList(schema, sampler, depth);
    case "object":
      return largestObject(schema, sampler, depth);
    default:
      return undefined;
  }
}

function largestList(schema: Structural, sampler: Sampler, depth: number): JsonValue[] | undefined {
  const { items, maxItems = 0, listType } = schema;
  if (items === undefined || maxItems > MAX_SIZE) return undefined;
  if (listType === "set" || listType === "map") return sampler.distinctItems(schema, [items], maxItems);
  const item = largestValue(items, sampler, depth + 1);
  return item === undefined ? undefined : Array.from({ length: maxItems }, () => item);
}

function largestObject(schema: Structural, sampler: Sampler, depth: number): JsonObject {
  const object = newObject();
  const put = (key: string, inner: Structural): void => {
    const value = largestValue(inner, sampler, depth + 1);
    if (value !== undefined) object[key] = value;
  };
  for (const [name, property] of schema.properties) put(name, property);
  const values = schema.additionalProperties?.schema;
  const { maxProperties = 0 } = schema;
  if (values === undefined || maxProperties > MAX_SIZE) return object;
  for (const key of sampler.freshKeys([schema], maxProperties)) put(key, values);
  return object;
}
