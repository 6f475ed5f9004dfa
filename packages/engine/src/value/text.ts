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
  /** Write a float64 without a fraction as `1.0`, so that reading the text gives a float64 again. Default false. */
  readonly keepFloats?: boolean;
}

interface WriteOptions extends JsonStringOptions {
  readonly keepFloats?: boolean;
}

const WITH_HTML: WriteOptions = { escapeHtml: true };
const WITHOUT_HTML: WriteOptions = { escapeHtml: false };
const EXACT: WriteOptions = { escapeHtml: false, keepFloats: true };

/** Values nest deeper than the stack in hostile documents only: below this, frames are kept by hand. */
const RECURSION = 100;

export function canonicalJson(value: JsonValue, options: JsonTextOptions = {}): string {
  if (options.keepFloats === true) return write(value, EXACT, RECURSION);
  return write(value, options.escapeHtml === false ? WITHOUT_HTML : WITH_HTML, RECURSION);
}

/** One member of an object, as it stands between its commas. */
export function canonicalMember(key: string, value: JsonValue, options: JsonTextOptions = {}): string {
  const strings = options.escapeHtml === false ? WITHOUT_HTML : WITH_HTML;
  return `${jsonString(key, strings)}:${write(value, strings, RECURSION)}`;
}

function write(value: JsonValue, strings: WriteOptions, depth: number): string {
  if (typeof value !== "object" || value === null || value instanceof Float64) return writeScalar(value, strings);
  if (depth === 0) return writeDeep(value, strings);
  return Array.isArray(value) ? writeItems(value, strings, depth) : writeMembers(value, strings, depth);
}

function writeScalar(value: Exclude<JsonValue, JsonObject | JsonValue[]>, strings: WriteOptions): string {
  switch (typeof value) {
    case "string":
      return jsonString(value, strings);
    case "number":
      return Number.isInteger(value) ? String(value) : jsonFloat(value);
    case "boolean":
    case "bigint":
      return String(value);
    default:
      return value === null ? "null" : floatText(value.value, strings);
  }
}

function floatText(value: number, { keepFloats }: WriteOptions): string {
  const text = jsonFloat(value);
  return keepFloats === true && /^-?[0-9]+$/.test(text) ? `${text}.0` : text;
}

function writeItems(items: readonly JsonValue[], strings: WriteOptions, depth: number): string {
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ",";
    text += write(items[index] as JsonValue, strings, depth - 1);
  }
  return `${text}]`;
}

function writeMembers(object: JsonObject, strings: WriteOptions, depth: number): string {
  let text = "{";
  for (const key of sortedKeys(object)) {
    if (text.length > 1) text += ",";
    text += `${jsonString(key, strings)}:${write(object[key] as JsonValue, strings, depth - 1)}`;
  }
  return `${text}}`;
}

/** A container being written: a list's items, or an object's sorted keys beside the object. */
interface Frame {
  readonly items: readonly JsonValue[];
  readonly keys: readonly string[];
  readonly object: JsonObject | undefined;
  next: number;
}

function writeDeep(value: JsonObject | JsonValue[], strings: WriteOptions): string {
  const frames: Frame[] = [];
  let text = open(value, frames, strings);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    text +=
      frame.object === undefined ? nextItem(frame, frames, strings) : nextField(frame, frame.object, frames, strings);
  }
  return text;
}

function nextItem(frame: Frame, frames: Frame[], strings: WriteOptions): string {
  const index = frame.next++;
  const item = frame.items[index];
  if (item === undefined) return close(frames, "]");
  return index === 0 ? open(item, frames, strings) : `,${open(item, frames, strings)}`;
}

function nextField(frame: Frame, object: JsonObject, frames: Frame[], strings: WriteOptions): string {
  const index = frame.next++;
  const key = frame.keys[index];
  if (key === undefined) return close(frames, "}");
  return `${index === 0 ? "" : ","}${jsonString(key, strings)}:${open(object[key] ?? null, frames, strings)}`;
}

function open(value: JsonValue, frames: Frame[], strings: WriteOptions): string {
  if (typeof value !== "object" || value === null || value instanceof Float64) return writeScalar(value, strings);
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
