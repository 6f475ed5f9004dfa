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
import { decodeUtf8, encodeUtf8, isValidUtf8 } from "@portcullis/gostd/utf8";
import type { JsonValue } from "../value/json.ts";
import type { Outline } from "../value/outline.ts";
import { canonicalJson, type JsonTextOptions } from "../value/text.ts";
import { SyntaxFailure } from "./json-lexer.ts";
import { JsonParser } from "./json-parser.ts";
import { QuickParser } from "./json-quick.ts";
import { invalidCharacter } from "./messages.ts";
import type { DuplicateKey, SourceNode } from "./position.ts";

/** What decoding looks for beside the value. */
export interface JsonDecodeOptions {
  /** Report duplicate keys. Off, the last one silently wins. */
  readonly duplicates?: boolean;
  /** Record where every key and value stands. */
  readonly positions?: boolean;
  /** Default 10,000, as Go has it. */
  readonly maxDepth?: number;
  /** Take a number too large for a float64 as an infinity. Off, it is an error. */
  readonly hugeNumbers?: boolean;
}

/** Why a text could not be decoded. */
export interface DecodeFailure {
  readonly error: string;
  /** Where decoding stopped, in UTF-16 units, where that is known. */
  readonly offset?: number;
}

/** A decoded text with what strict decoding found. */
export interface Decoded {
  readonly error?: undefined;
  readonly value: JsonValue;
  /** One message a finding, in document order, such as `duplicate field "spec.a"`. At most 100. */
  readonly strictErrors: readonly string[];
  /** The same with their places, where there are any. At most 100. */
  readonly duplicates?: readonly DuplicateKey[];
  readonly source?: SourceNode;
  /** Only of documents of moderate depth and variety. */
  readonly outline?: Outline;
}

/**
 * Decodes one document; anything but space after it is an error.
 * @example decodeJson('{"a": 1, "a": 2}', { duplicates: true }).error // undefined
 */
export function decodeJson(input: string | Uint8Array, options: JsonDecodeOptions = {}): Decoded | DecodeFailure {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (options.positions !== true && options.maxDepth === undefined && options.hugeNumbers !== true) {
    const decoded = decodeQuickly(text, options.duplicates === true);
    if (decoded !== undefined) return decoded;
  }
  const parser = new JsonParser(text, options);
  return guard(input, text, () => finish(parser, parser.parseDocument(), options.hugeNumbers));
}

/** Undefined if the document is not plain enough. */
function decodeQuickly(text: string, duplicates: boolean): Decoded | DecodeFailure | undefined {
  const parser = new QuickParser(text, duplicates);
  try {
    const value = parser.parseDocument();
    return parser.rangeError ?? { value, strictErrors: [], outline: parser.outline };
  } catch (failure) {
    if (failure instanceof SyntaxFailure) return undefined;
    throw failure;
  }
}

export interface StreamedDocument {
  readonly document: Decoded | DecodeFailure;
  readonly offset: number;
}

/** Decodes documents that follow one another, such as `{}{}`, up to the first that fails. */
export function decodeJsonStream(text: string, options: JsonDecodeOptions = {}): StreamedDocument[] {
  const documents: StreamedDocument[] = [];
  for (let start = 0; ; ) {
    const parser = new JsonParser(text, { ...options, start });
    if (!parser.hasMore()) return documents;
    const { offset } = parser;
    const document = guard(text, text, () => finish(parser, parser.parseNext()));
    documents.push({ document, offset });
    if (document.error !== undefined) return documents;
    start = parser.offset;
  }
}

function finish(parser: JsonParser, value: JsonValue, hugeNumbers = false): Decoded | DecodeFailure {
  if (parser.rangeError !== undefined && !hugeNumbers) return parser.rangeError;
  const source = parser.source === undefined ? {} : { source: parser.source };
  const { strictErrors, duplicates } = parser;
  return { value, strictErrors, ...(duplicates.length > 0 && { duplicates }), ...source };
}

function guard(
  input: string | Uint8Array,
  text: string,
  decode: () => Decoded | DecodeFailure,
): Decoded | DecodeFailure {
  try {
    return decode();
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure)) throw failure;
    return { error: describeFailure(failure, input, text), offset: failure.offset };
  }
}

function describeFailure(failure: SyntaxFailure, input: string | Uint8Array, text: string): string {
  if (failure.context === undefined) return failure.message;
  return invalidCharacter(offendingByte(failure, input, text), failure.context);
}

// Go names the byte it stumbled on: the first of the character, or the raw one where the input was not valid UTF-8.
function offendingByte(failure: SyntaxFailure, input: string | Uint8Array, text: string): number {
  const unit = failure.unit ?? text.charCodeAt(failure.offset);
  if (unit < 0x80) return unit;
  if (unit === 0xfffd && typeof input !== "string") return rawByteAt(input, failure.offset);
  return encodeUtf8(text.slice(failure.offset, failure.offset + 2))[0] ?? unit;
}

// Walks characters from the start, since an invalid byte and a replacement character in the input look alike.
function rawByteAt(bytes: Uint8Array, offset: number): number {
  let at = 0;
  for (let units = 0; units < offset && at < bytes.length; ) {
    const width = (bytes[at] ?? 0) < 0x80 ? 1 : wellFormedWidth(bytes, at);
    units += width === 4 ? 2 : 1;
    at += width;
  }
  return bytes[at] ?? 0;
}

function wellFormedWidth(bytes: Uint8Array, at: number): number {
  return [2, 3, 4].find((width) => isValidUtf8(bytes.subarray(at, at + width))) ?? 1;
}

/**
 * Go's encoding/json: sorted keys, no spaces.
 * @example encodeJson(["a", 1]) // "[\"a\",1]"
 */
export function encodeJson(value: JsonValue, options: JsonTextOptions = {}): string {
  return canonicalJson(value, options);
}
