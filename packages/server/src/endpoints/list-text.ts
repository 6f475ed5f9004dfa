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

/** INVARIANT: the same text as that of the whole list at once. */
async function listText(list: JsonObject, items: readonly JsonValue[], output: Output, pause: Pause): Promise<string> {
  const { start, end, comma } = frameOf(list, output);
  const parts: string[] = [];
  for (const item of items) {
    const pausing = pause();
    if (pausing !== undefined) await pausing;
    parts.push(itemText(item, list, output));
  }
  return start + parts.join(comma) + end;
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
