/** Numbers, bytes and times as Go decodes them. */
import { decodeBase64, encodeBase64 } from "@portcullis/gostd/base64";
import { parseRfc3339 } from "@portcullis/gostd/time";
import { floatValue, isInteger, type JsonNumber, type JsonValue } from "../value/json.ts";
import { asFloat } from "../value/number.ts";
import { jsonName, mismatch, placed, type State, stop, typeErrorText } from "./go-decode-state.ts";
import type { GoShape } from "./go-shape.ts";
import { formatTime } from "./go-time.ts";

export function fits(value: number | bigint, bits: 32 | 64): boolean {
  return bits === 64 || (value >= -(2 ** 31) && value < 2 ** 31);
}

/** A float64 field takes integers too; as floats, so that `1` and `1.0` are equal there. */
export function asFloatValue(value: JsonNumber): JsonValue {
  return floatValue(asFloat(value));
}

const BYTE: GoShape = { kind: "int", go: "uint8", bits: 32 };

/** Go takes bytes one by one as well, and complains of the first that is none. */
export function decodeByteList(items: readonly JsonValue[], state: State): JsonValue | undefined {
  const wrong = items.find((item) => !isByte(item));
  return wrong === undefined ? bytesOf(items) : mismatch(wrong, BYTE, state);
}

/** A null is a zero. */
function isByte(value: JsonValue): boolean {
  return value === null || (isInteger(value) && value >= 0 && value < 256);
}

function bytesOf(items: readonly JsonValue[]): string {
  return encodeBase64(Uint8Array.from(items, Number));
}

export function decodeBytes(text: string, state: State): JsonValue | undefined {
  const bytes = decodeBase64(text);
  if (bytes.error === undefined) return encodeBase64(bytes.value);
  state.error ??= bytes.error;
  return undefined;
}

/** The first second of the year 1 is Go's zero time, which is written as null. */
const ZERO_TIME = -62_135_596_800n;

export function decodeTime(value: JsonValue, digits: 0 | 6, state: State): JsonValue | undefined {
  if (typeof value !== "string") {
    const found = { found: jsonName(value), struct: undefined, fields: [], go: "string" };
    return stop(state, typeErrorText(placed(found, state)));
  }
  const time = parseRfc3339(value);
  if (time.error !== undefined) return stop(state, time.error);
  return time.value.seconds === ZERO_TIME ? null : formatTime(time.value, digits);
}
