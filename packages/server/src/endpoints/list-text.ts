/**
 * The text of a list, item by item: others are served while a long one is written, and no more of it is in memory than
 * its client is about to take. Follows apiserver pkg/runtime/serializer/json/collections.go.
 */
import { answerItemJson } from "@portcullis/engine/internal/builtin/answers/answer-json";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ApiResponse, StreamBody, StreamSink } from "../http/exchange.ts";
import type { Call } from "./call.ts";
import { prettyJson } from "./format/pretty.ts";
import type { Output } from "./negotiate.ts";
import { encode, respondEncoded, respondObject } from "./respond.ts";

/** A list as the client wants it, whose items are made when they are written. */
export interface ShownList {
  /** Without items. */
  readonly frame: JsonObject;
  readonly member: "items" | "rows";
  readonly count: number;
  readonly itemAt: (index: number) => JsonValue;
}

/** How the answer is sent. */
export type Sending = Pick<Call, "pause" | "deadline" | "now" | "takesStreams">;

/** Whether lists are written in this form item by item. */
export function isSliced({ format }: Output): boolean {
  return format !== "protobuf";
}

/** INVARIANT: the same text as that of the whole list at once. */
export async function respondList(list: ShownList, output: Output, sending: Sending): Promise<ApiResponse> {
  if (list.count === 0) return respondObject(200, list.frame, output);
  const text = new ListText(list, output, sending.pause);
  const first = await text.next();
  if (text.isDone) return respondEncoded(200, first, output);
  if (!sending.takesStreams) return respondEncoded(200, await wholeText(first, text), output);
  return respondEncoded(200, streamOf(first, text, sending), output);
}

/** So much text is made and sent at once. */
const PIECE = 256 * 1024;

class ListText {
  readonly #list: ShownList;
  readonly #output: Output;
  readonly #pause: Call["pause"];
  readonly #frame: Frame;
  #index = 0;

  constructor(list: ShownList, output: Output, pause: Call["pause"]) {
    this.#list = list;
    this.#output = output;
    this.#pause = pause;
    this.#frame = frameOf(list, output);
  }

  get isDone(): boolean {
    return this.#index === this.#list.count;
  }

  /** The next piece; what is left, if that is less. */
  async next(): Promise<string> {
    const { start, comma, end } = this.#frame;
    let text = this.#index === 0 ? start : "";
    while (!this.isDone && text.length < PIECE) {
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
      text += (this.#index === 0 ? "" : comma) + this.#item(this.#list.itemAt(this.#index));
      this.#index++;
    }
    return this.isDone ? text + end : text;
  }

  #item(item: JsonValue): string {
    const { frame, member } = this.#list;
    const { format, isPretty } = this.#output;
    if (format === "yaml") return encode(objectOf({ [member]: [item] }), this.#output).slice(`${member}:\n`.length);
    const text = answerItemJson(isObject(item) ? item : objectOf({}), frame, member);
    return isPretty ? prettyJson(text).replaceAll("\n", ITEM_LINE) : text;
  }
}

/** Items are two levels deep. Texts of JSON have no line breaks. */
const ITEM_LINE = `\n${" ".repeat(4)}`;

interface Frame {
  readonly start: string;
  readonly comma: string;
  readonly end: string;
}

/** What comes before, between and behind the items. No text of JSON has unescaped quotes in it, so the mark is found. */
function frameOf({ frame, member }: ShownList, output: Output): Frame {
  const text = encode(objectOf({ ...frame, [member]: [] }), output);
  if (output.format === "yaml") {
    const [before, behind] = around(text, `${member}: []\n`, lineStart);
    return { start: `${before}${member}:\n`, comma: "", end: behind };
  }
  const colon = output.isPretty ? ": " : ":";
  const [before, behind] = around(text, `"${member}"${colon}[]`, (whole, mark) => whole.indexOf(mark));
  if (!output.isPretty) return { start: `${before}"${member}":[`, comma: ",", end: `]${behind}` };
  return { start: `${before}"${member}": [${ITEM_LINE}`, comma: `,${ITEM_LINE}`, end: `\n  ]${behind}` };
}

function around(text: string, mark: string, find: (text: string, mark: string) => number): [string, string] {
  const at = find(text, mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** Lines of members begin at the margin; those of texts do not. */
function lineStart(text: string, mark: string): number {
  return text.startsWith(mark) ? 0 : text.indexOf(`\n${mark}`) + 1;
}

const utf8 = new TextEncoder();

async function wholeText(first: string, text: ListText): Promise<Uint8Array> {
  const pieces = [utf8.encode(first)];
  while (!text.isDone) pieces.push(utf8.encode(await text.next()));
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** A client that does not get the end of its list in time gets no end: that is an error for it. */
function streamOf(first: string, text: ListText, { deadline, now }: Sending): StreamBody {
  let isOpen = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    isOpen = false;
    clearTimeout(timer);
  };
  const send = async (sink: StreamSink): Promise<void> => {
    for (let piece = first; ; piece = await text.next()) {
      if (!isOpen) return;
      sink.write(piece);
      if (text.isDone) break;
      await sink.drained();
    }
    close();
    sink.end();
  };
  const start = (sink: StreamSink): void => {
    const cut = (): void => {
      if (!isOpen) return;
      close();
      sink.cut();
    };
    timer = setTimeout(cut, Math.max(0, deadline - now()));
    // The time is over, or what is stored cannot be read: the head of the answer has been sent.
    send(sink).catch(cut);
  };
  return { start, cancel: close, isAnswer: true };
}
