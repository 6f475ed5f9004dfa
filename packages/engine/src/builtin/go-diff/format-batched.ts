/** The differences of long texts and of lists of numbers, in lines or in chunks. Follows report_slices of go-cmp. */
import { isPrint, quote, quoteBytes, unquote } from "@portcullis/gostd/quote";
import { trimSpace } from "@portcullis/gostd/space";
import { byteLength, decodeUtf8, encodeUtf8, isValidUtf8, toRunes } from "@portcullis/gostd/utf8";
import { type Chunks, chunkRecords } from "./chunks.ts";
import { editScript, plainLikeness } from "./edit-script.ts";
import type { FormatOptions } from "./format-options.ts";
import { isPlainLine, quoteOrRaw, withoutReturns, withType } from "./format-value.ts";
import type { GoScalar, GoSlice, GoValue } from "./go-value.ts";
import { braced, ELLIPSIS, type TextNode, type TextRecord } from "./text-node.ts";
import type { Node } from "./tree.ts";

const MIN_LENGTH = 32;

/** Whether the values are printed so. */
export function isBatched({ x, y, different, same, compared }: Node, { mark }: FormatOptions): boolean {
  if (mark !== "" || different === 0 || x === undefined || y === undefined || compared > 0) return false;
  if (x.kind === "string" && y.kind === "string") return sizeOf(x) >= MIN_LENGTH && sizeOf(y) >= MIN_LENGTH;
  const [before, after] = [numbersIn(x), numbersIn(y)];
  if (before.length === 0 || after.length === 0) return false;
  return different > same || (before.length >= MIN_LENGTH && after.length >= MIN_LENGTH);
}

function sizeOf({ value }: GoScalar): number {
  return byteLength(String(value));
}

function numbersIn(value: GoValue): readonly string[] {
  if (value.kind !== "slice" || value.items === undefined) return [];
  return value.items.flatMap((item) => (item.kind === "int" || item.kind === "bool" ? [String(item.value)] : []));
}

export function formatBatched({ x, y }: Node, options: FormatOptions): TextNode {
  if (x?.kind === "string" && y?.kind === "string") return formatTexts(x, y, options);
  if (x?.kind === "slice" && y?.kind === "slice") return formatNumbers(x, y, options);
  throw new Error("only texts and lists of numbers are printed in chunks");
}

function formatNumbers(x: GoSlice, y: GoSlice, options: FormatOptions): TextNode {
  const [before, after] = [numbersIn(x), numbersIn(y)];
  const [first] = x.items ?? [];
  const chunks: Chunks<string> = {
    before,
    after,
    size: first?.kind === "bool" ? 16 : 8,
    name: first?.type ?? "",
    print: (chunk, mark) => ({ mark, text: chunk.join(", ") }),
  };
  return withType(x, braced(chunkRecords(chunks, options)), options);
}

function formatTexts(x: GoScalar, y: GoScalar, options: FormatOptions): TextNode {
  const [before, after] = [String(x.value), String(y.value)];
  const validRunes = toRunes(before + after).filter(isReadable).length;
  const total = toRunes(before + after).length;
  if (validRunes <= Math.floor(0.9 * total)) {
    return withType(x, braced(hexRecords(before, after, options)), { ...options, typeMode: "always" });
  }
  if (validRunes === total && isComparedByLines(before, after)) {
    const lines = lineRecords(before, after, options);
    return asLiteral(lines, x, options) ?? joined(lines, "\n", x, options);
  }
  return joined(byteRecords(before, after, options), "", x, options);
}

function joined(records: readonly TextRecord[], separator: string, x: GoScalar, options: FormatOptions): TextNode {
  const text = { prefix: "strings.Join(", inner: braced(records), suffix: `, ${quote(separator)})` };
  return x.type === "string" ? text : withType(x, text, options);
}

const REPLACEMENT = 0xfffd;

function isReadable(rune: number): boolean {
  return rune !== REPLACEMENT && (isPrint(rune) || trimSpace(String.fromCodePoint(rune)) === "");
}

/** Lines are compared where that is not much more than comparing bytes. */
function isComparedByLines(before: string, after: string): boolean {
  const all = (before + after).split("\n");
  const longest = all.slice(0, -1).reduce((most, line) => Math.max(most, byteLength(line)), Number.NEGATIVE_INFINITY);
  if (all.length < 5 || longest > 1024) return false;
  const [linesX, linesY] = [before.split("\n"), after.split("\n")];
  const [bytesX, bytesY] = [encodeUtf8(before), encodeUtf8(after)];
  const byLines = efficiency(linesX, linesY);
  const byBytes = efficiency([...bytesX], [...bytesY]);
  const both = encodeUtf8(before + after);
  return byLines < 4 * byBytes || byteLength(quoteBytes(both)) / both.length > 1.1;
}

function efficiency<T>(x: readonly T[], y: readonly T[]): number {
  const edits = editScript(x.length, y.length, (i, j) => plainLikeness(x[i] === y[j]));
  return edits.filter((edit) => edit !== "identical").length / edits.length;
}

function lineRecords(before: string, after: string, options: FormatOptions): TextRecord[] {
  return chunkRecords(
    {
      before: before.split("\n"),
      after: after.split("\n"),
      size: 1,
      name: "line",
      print: ([line = ""], mark) => ({ mark, text: quoteOrRaw(line) }),
    },
    options,
  );
}

function byteRecords(before: string, after: string, options: FormatOptions): TextRecord[] {
  return chunkRecords(
    {
      before: [...encodeUtf8(before)],
      after: [...encodeUtf8(after)],
      size: 64,
      name: "byte",
      print: (bytes, mark) => ({ mark, text: quotedBytes(Uint8Array.from(bytes)) }),
    },
    options,
  );
}

function quotedBytes(bytes: Uint8Array): string {
  return isValidUtf8(bytes) ? quoteOrRaw(decodeUtf8(bytes)) : quoteBytes(bytes);
}

function hexRecords(before: string, after: string, options: FormatOptions): TextRecord[] {
  return chunkRecords(
    {
      before: [...encodeUtf8(before)],
      after: [...encodeUtf8(after)],
      size: 16,
      name: "byte",
      print: (bytes, mark) => ({
        mark,
        text: bytes.map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(", "),
        comment: `${mark}|${bytes.map((byte) => (byte >= 32 && byte <= 126 ? String.fromCharCode(byte) : ".")).join("")}|`,
      }),
    },
    options,
  );
}

/** The lines between triple quotes, unless that were ambiguous. */
function asLiteral(records: readonly TextRecord[], x: GoScalar, options: FormatOptions): TextNode | undefined {
  const quotes: TextRecord = { text: '"""', isBare: true };
  const shown: TextRecord[] = [quotes];
  let [removed, inserted] = [new Set<string>(), new Set<string>()];
  for (const record of records) {
    const { mark = "", text } = record;
    if (mark !== "-" && mark !== "+") [removed, inserted] = [new Set(), new Set()];
    if (text === ELLIPSIS) {
      shown.push(record);
      continue;
    }
    const line = withoutReturns(unquote(String(text)).value ?? "");
    const bare = line.replaceAll(/\s/g, "");
    if (!isPlainLine(line) || (mark === "-" && inserted.has(bare)) || (mark === "+" && removed.has(bare)))
      return undefined;
    if (mark === "-") removed.add(bare);
    if (mark === "+") inserted.add(bare);
    shown.push({ ...record, text: line, isBare: true });
  }
  const last = shown.at(-1);
  if (last?.mark === " " && last.text === "") shown.pop();
  const text: TextNode = { prefix: "(", inner: [...shown, quotes], suffix: ")" };
  return x.type === "string" ? text : withType(x, text, options);
}
