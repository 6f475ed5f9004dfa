/**
 * JSON text as Go's encoding/json writes it: sorted keys, no spaces, Go's float format, `<`, `>` and `&` escaped
 * unless asked otherwise. It doubles as the canonical text of a value, since equal values have equal text.
 *
 * A float64 without a fraction is written without one (`1.0` becomes `1`), as Go does.
 */
import { type JsonStringOptions, jsonFloat, jsonString } from "@portcullis/gostd/json-text";
import { Float64, type JsonObject, type JsonValue, sortedKeys } from "./json.ts";

export interface JsonTextOptions {
  /** Default true, as json.Marshal has it. */
  readonly escapeHtml?: boolean;
}

/** A container being written: a list's items, or an object's sorted keys beside the object. */
interface Frame {
  readonly items: readonly JsonValue[];
  readonly keys: readonly string[];
  readonly object: JsonObject | undefined;
  next: number;
}

export function canonicalJson(value: JsonValue, options: JsonTextOptions = {}): string {
  const strings = { escapeHtml: options.escapeHtml ?? true };
  const frames: Frame[] = [];
  let text = open(value, frames, strings);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    text +=
      frame.object === undefined ? nextItem(frame, frames, strings) : nextField(frame, frame.object, frames, strings);
  }
  return text;
}

function nextItem(frame: Frame, frames: Frame[], strings: JsonStringOptions): string {
  const index = frame.next++;
  const item = frame.items[index];
  if (item === undefined) return close(frames, "]");
  return index === 0 ? open(item, frames, strings) : `,${open(item, frames, strings)}`;
}

function nextField(frame: Frame, object: JsonObject, frames: Frame[], strings: JsonStringOptions): string {
  const index = frame.next++;
  const key = frame.keys[index];
  if (key === undefined) return close(frames, "}");
  return `${index === 0 ? "" : ","}${jsonString(key, strings)}:${open(object[key] ?? null, frames, strings)}`;
}

function open(value: JsonValue, frames: Frame[], strings: JsonStringOptions): string {
  switch (typeof value) {
    case "string":
      return jsonString(value, strings);
    case "number":
      return Number.isInteger(value) ? String(value) : jsonFloat(value);
    case "boolean":
    case "bigint":
      return String(value);
    default:
      if (value === null) return "null";
      return value instanceof Float64 ? jsonFloat(value.value) : openContainer(value, frames);
  }
}

function openContainer(value: JsonObject | JsonValue[], frames: Frame[]): string {
  if (Array.isArray(value)) {
    frames.push({ items: value, keys: [], object: undefined, next: 0 });
    return "[";
  }
  frames.push({ items: [], keys: sortedKeys(value), object: value, next: 0 });
  return "{";
}

function close(frames: Frame[], bracket: string): string {
  frames.pop();
  return bracket;
}
