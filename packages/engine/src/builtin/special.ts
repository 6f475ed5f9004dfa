/**
 * The types that decode themselves: they look at raw JSON, so nothing strict is found below them, and each has its own
 * idea of what it takes and how it is written.
 */
import { parseRfc3339 } from "@portcullis/gostd/time";
import { type GoDecoded, type GoShape, goTime } from "../field/go-shape.ts";
import { formatTime } from "../field/go-time.ts";
import { isInteger, isNumber, type JsonValue } from "../value/json.ts";
import { formatNumber } from "../value/number.ts";
import { formatQuantity, parseQuantity } from "../value/quantity.ts";
import * as messages from "./messages.ts";

export function specialShape(go: string): GoShape {
  return SPECIAL[go] ?? { kind: "raw", go };
}

const decoded = (value: JsonValue): GoDecoded => ({ value, unknown: [], error: undefined });
const failed = (error: string): GoDecoded => ({ value: null, unknown: [], error });

function mismatch(found: string, go: string): GoDecoded {
  const typeError = { found, struct: undefined, fields: [], go };
  return { value: null, unknown: [], error: messages.wrongType(found, go), typeError };
}

/** Any number or text is taken, quotes or not; what is kept is the canonical text. */
function decodeQuantity(value: JsonValue): GoDecoded {
  if (value === null) return decoded("0");
  const text = typeof value === "string" ? value : isNumber(value) ? formatNumber(value) : "";
  const quantity = parseQuantity(text.trim());
  if (quantity.error !== undefined) return failed(text === "" ? messages.badQuantity() : quantity.error);
  return decoded(formatQuantity(quantity.value));
}

const INT32 = 2 ** 31;

function decodeIntOrString(value: JsonValue): GoDecoded {
  if (typeof value === "string") return decoded(value);
  if (value === null) return decoded(0);
  if (!isNumber(value)) return mismatch(messages.jsonName(value), "int32");
  if (isInteger(value) && value >= -INT32 && value < INT32) return decoded(value);
  return mismatch(`number ${formatNumber(value)}`, "int32");
}

const MICRO_DIGITS = /\.\d{6}(Z|[+-]\d\d:\d\d)$/;

/** Six digits of a second, neither fewer nor more. */
function decodeMicroTime(value: JsonValue): GoDecoded {
  if (value === null) return decoded(null);
  if (typeof value !== "string") return mismatch(messages.jsonName(value), "string");
  const time = parseRfc3339(value);
  if (time.error !== undefined) return failed(messages.badMicroTime(value, time.error));
  if (!MICRO_DIGITS.test(value)) return failed(messages.microDigits(value));
  return decoded(formatTime(time.value, 6));
}

const SPECIAL: Readonly<Record<string, GoShape>> = {
  "v1.Time": goTime,
  "v1.MicroTime": { kind: "custom", go: "v1.MicroTime", decode: decodeMicroTime },
  "resource.Quantity": { kind: "custom", go: "resource.Quantity", decode: decodeQuantity, zero: "0" },
  "intstr.IntOrString": { kind: "custom", go: "intstr.IntOrString", decode: decodeIntOrString, zero: 0 },
};
