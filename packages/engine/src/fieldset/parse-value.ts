/**
 * The JSON inside a path element. Upstream reads all its numbers as float64, integers too, which is what makes
 * `JSON.parse` the right reader here and nowhere else.
 */
import type { Result } from "@portcullis/gostd/result";
import { floatValue, type JsonValue, newObject } from "../value/json.ts";
import * as messages from "./messages.ts";

export function parseKeyValue(text: string): Result<JsonValue> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { error: messages.badJson(text) };
    throw error;
  }
  return { value: withFloats(parsed) };
}

function withFloats(parsed: unknown): JsonValue {
  if (typeof parsed === "number") return floatValue(parsed);
  if (typeof parsed === "string" || typeof parsed === "boolean") return parsed;
  if (Array.isArray(parsed)) return parsed.map(withFloats);
  if (typeof parsed !== "object" || parsed === null) return null;
  const object = newObject();
  for (const [key, member] of Object.entries(parsed)) object[key] = withFloats(member);
  return object;
}
