/**
 * JSON text to values and back.
 *
 * Decoding follows sigs.k8s.io/json as the API server uses it: an integer literal is an int64 where it fits and a
 * float64 beyond, duplicate keys are reported and the last one wins, invalid UTF-8 and lone surrogate escapes become
 * U+FFFD, nesting ends at 10,000 levels, and the errors are those of Go's scanner. A number too large for a float64
 * is reported only if the syntax is right throughout.
 *
 * The decoder keeps its own stack, so depth costs memory in proportion to the input and nothing more.
 */
import { decodeUtf8, encodeUtf8 } from "@portcullis/gostd/utf8";
import type { JsonValue } from "../value/json.ts";
import { canonicalJson, type JsonTextOptions } from "../value/text.ts";
import { SyntaxFailure } from "./json-lexer.ts";
import { JsonParser } from "./json-parser.ts";
import { invalidCharacter } from "./messages.ts";
import type { SourceNode } from "./position.ts";

export interface JsonDecodeOptions {
  /** Report duplicate keys. Off, the last one silently wins. */
  readonly duplicates?: boolean;
  /** Record where every key and value stands. */
  readonly positions?: boolean;
  /** Default 10,000, as Go has it. */
  readonly maxDepth?: number;
}

export interface DecodeFailure {
  readonly error: string;
  /** Where decoding stopped, in UTF-16 units, where that is known. */
  readonly offset?: number;
}

export interface Decoded {
  readonly error?: undefined;
  readonly value: JsonValue;
  /** One message a finding, in document order, such as `duplicate field "spec.a"`. At most 100. */
  readonly strictErrors: readonly string[];
  readonly source?: SourceNode;
}

/** Decodes one document; anything but space after it is an error. */
export function decodeJson(input: string | Uint8Array, options: JsonDecodeOptions = {}): Decoded | DecodeFailure {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  const parser = new JsonParser(text, options);
  try {
    const value = parser.parseDocument();
    if (parser.rangeError !== undefined) return parser.rangeError;
    const source = parser.source === undefined ? {} : { source: parser.source };
    return { value, strictErrors: parser.strictErrors, ...source };
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure)) throw failure;
    return { error: describeFailure(failure, input, text), offset: failure.offset };
  }
}

function describeFailure(failure: SyntaxFailure, input: string | Uint8Array, text: string): string {
  if (failure.context === undefined) return failure.message;
  return invalidCharacter(offendingByte(failure, input, text), failure.context);
}

// Go names the byte it stumbled on. Past ASCII that is the first byte of the character, or the raw byte where the
// input was not valid UTF-8.
function offendingByte(failure: SyntaxFailure, input: string | Uint8Array, text: string): number {
  const unit = failure.unit ?? text.charCodeAt(failure.offset);
  if (unit < 0x80) return unit;
  const before = encodeUtf8(text.slice(0, failure.offset));
  if (unit === 0xfffd && typeof input !== "string") return rawByteAt(input, text.slice(0, failure.offset));
  return encodeUtf8(text.slice(0, failure.offset + 2))[before.length] ?? unit;
}

// Each invalid byte was decoded to one U+FFFD, so the offset is found by decoding ever longer prefixes by halves.
function rawByteAt(bytes: Uint8Array, before: string): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (decodeUtf8(bytes.subarray(0, middle)).length < before.length) low = middle + 1;
    else high = middle;
  }
  return bytes[low] ?? 0;
}

/** Go's encoding/json: sorted keys, no spaces. */
export function encodeJson(value: JsonValue, options: JsonTextOptions = {}): string {
  return canonicalJson(value, options);
}
