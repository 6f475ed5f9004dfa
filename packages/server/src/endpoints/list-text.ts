/** The text of a list, item by item, so that others are served while a long one is written. */
import { answerItemJson } from "@portcullis/engine/internal/builtin/answers/answer-json";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ApiResponse } from "../http/exchange.ts";
import type { Output } from "./negotiate.ts";
import { encode, respondObject, respondWhole } from "./respond.ts";

type Pause = () => Promise<void> | undefined;

/** Whether lists are written in this form item by item. */
export function isSliced({ format, isPretty, convert }: Output): boolean {
  return format !== "protobuf" && !isPretty && convert === undefined;
}

/** What `respondObject` answers, in slices where that can be done. */
export async function respondList(result: JsonObject, output: Output, pause: Pause): Promise<ApiResponse> {
  const { items } = result;
  if (output.format === "protobuf" || output.isPretty || !isArray(items) || items.length === 0) {
    return respondObject(200, result, output);
  }
  return respondWhole(200, await listText(result, items, output, pause), output);
}

/** So much text is turned into bytes at once. */
const PIECE = 256 * 1024;

/** INVARIANT: the same text as that of the whole list at once. Long texts are bytes, piece by piece. */
async function listText(
  list: JsonObject,
  items: readonly JsonValue[],
  output: Output,
  pause: Pause,
): Promise<string | Uint8Array> {
  const { start, end, comma } = frameOf(list, output);
  const pieces: Uint8Array[] = [];
  let text = start;
  for (let i = 0; i < items.length; i++) {
    const pausing = pause();
    if (pausing !== undefined) await pausing;
    text += (i === 0 ? "" : comma) + itemText(items[i] ?? null, list, output);
    if (text.length < PIECE) continue;
    pieces.push(utf8.encode(text));
    text = "";
  }
  text += end;
  if (pieces.length === 0) return text;
  await pause();
  return joined([...pieces, utf8.encode(text)]);
}

const utf8 = new TextEncoder();

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

interface Frame {
  readonly start: string;
  readonly comma: string;
  readonly end: string;
}

/** What comes before, between and behind the items. No text of JSON has unescaped quotes in it, so the mark is found. */
function frameOf(list: JsonObject, output: Output): Frame {
  const mark = output.format === "yaml" ? "items: []\n" : '"items":[]';
  const text = encode(objectOf({ ...list, items: [] }), output);
  const at = output.format === "yaml" ? lineStart(text, mark) : text.indexOf(mark);
  const [before, behind] = [text.slice(0, at), text.slice(at + mark.length)];
  if (output.format === "yaml") return { start: `${before}items:\n`, comma: "", end: behind };
  return { start: `${before}"items":[`, comma: ",", end: `]${behind}` };
}

/** Lines of members begin at the margin; those of texts do not. */
function lineStart(text: string, mark: string): number {
  return text.startsWith(mark) ? 0 : text.indexOf(`\n${mark}`) + 1;
}

const YAML_HEAD = "items:\n";

function itemText(item: JsonValue, list: JsonObject, output: Output): string {
  if (output.format === "yaml") return encode(objectOf({ items: [item] }), output).slice(YAML_HEAD.length);
  return answerItemJson(isObject(item) ? item : objectOf({}), list);
}
