/**
 * The JSON inside a path element. Upstream reads all its numbers as float64, integers too, which is what makes
 * `JSON.parse` the right reader here and nowhere else.
 */
import type { Result } from "@portcullis/gostd/result";
import { floatValue, type JsonValue, newObject } from "../value/json.ts";
import { since } from "../value/server-version.ts";
import * as messages from "./messages.ts";

export function parseKeyValue(text: string): Result<JsonValue> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(since("1.37") ? text : firstValue(text));
  } catch (error) {
    if (error instanceof SyntaxError) return { error: messages.badJson(text) };
    throw error;
  }
  return { value: withFloats(parsed) };
}

const SCALAR = /^\s*(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/;

/** Up to 1.36, with structured-merge-diff 6.3, what follows a value is ignored. */
function firstValue(text: string): string {
  const [scalar] = SCALAR.exec(text) ?? [];
  if (scalar !== undefined) return scalar;
  let [depth, isQuoted] = [0, false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isQuoted) {
      if (char === "\\") i++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return text.slice(0, i + 1);
  }
  return text;
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
