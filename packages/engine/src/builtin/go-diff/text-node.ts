/** The text of a difference as a tree, which is printed in one line where it fits. Follows report_text of go-cmp. */
import { byteLength, countRunes } from "@portcullis/gostd/utf8";

/** Of a line: removed, inserted, part of what did not change, or not said. */
export type Mark = "-" | "+" | " " | "";

export type TextNode = string | TextWrap | TextList;

export interface TextWrap {
  readonly prefix: string;
  readonly inner: TextNode;
  readonly suffix: string;
}

export type TextList = readonly TextRecord[];

export interface TextRecord {
  readonly text: TextNode;
  readonly mark?: Mark;
  readonly key?: string;
  /** Without a comma behind it. */
  readonly isBare?: boolean;
  readonly comment?: string;
}

export const ELLIPSIS = "...";
export const NIL = "nil";

const MAX_COLUMNS = 80;

function isTextList(node: TextNode): node is TextList {
  return Array.isArray(node);
}

export function isWrap(node: TextNode): node is TextWrap {
  return typeof node !== "string" && !isTextList(node);
}

export function braced(inner: TextNode): TextWrap {
  return { prefix: "{", inner, suffix: "}" };
}

/** The bytes of the text in one line. */
export function lengthOf(node: TextNode): number {
  if (typeof node === "string") return byteLength(node);
  if (isWrap(node)) return byteLength(node.prefix) + lengthOf(node.inner) + byteLength(node.suffix);
  const separators = Math.max(0, node.length - 1) * 2;
  return node.reduce((sum, { key = "", text }) => sum + keyLength(key) + lengthOf(text), separators);
}

function keyLength(key: string): number {
  return key === "" ? 0 : byteLength(key) + 2;
}

export function isSameText(left: TextNode | undefined, right: TextNode | undefined): boolean {
  return left !== undefined && right !== undefined && JSON.stringify(left) === JSON.stringify(right);
}

/** The whole text, with a line break at its end. */
export function printText(node: TextNode): string {
  const compact = compacted(isWrap(node) ? node : braced(node), "").node;
  return `${indent("", 0)}${expanded(compact, "", 0)}\n`;
}

interface Compact {
  readonly line: string;
  /** A text where everything fits into one line. */
  readonly node: TextNode;
}

function compacted(node: TextNode, mark: Mark): Compact {
  if (typeof node === "string") return { line: node, node };
  return isWrap(node) ? compactedWrap(node, mark) : compactedList(node, mark);
}

function compactedWrap({ prefix, inner, suffix }: TextWrap, mark: Mark): Compact {
  const { line, node } = compacted(inner, mark);
  const whole = `${prefix}${line}${suffix}`;
  return { line: whole, node: typeof node === "string" ? whole : { prefix, inner: node, suffix } };
}

function compactedList(list: TextList, mark: Mark): Compact {
  const parts = list.map((record) => ({ record, compact: compacted(record.text, record.mark || mark) }));
  const line = parts
    .map(({ record: { key = "" }, compact }) => (key === "" ? compact.line : `${key}: ${compact.line}`))
    .join(", ");
  const isLong = (mark === "+" || mark === "-") && byteLength(line) > MAX_COLUMNS;
  const needsLines = parts.some(
    ({ record, compact }) =>
      record.mark === "+" || record.mark === "-" || typeof compact.node !== "string" || record.comment !== undefined,
  );
  if (!isLong && !needsLines) return { line, node: line };
  return { line, node: parts.map(({ record, compact }) => ({ ...record, text: compact.node })) };
}

function expanded(node: TextNode, mark: Mark, depth: number): string {
  if (typeof node === "string") return node;
  if (isWrap(node)) return `${node.prefix}${expanded(node.inner, mark, depth)}${node.suffix}`;
  const lines = node.every(isSimple) ? batches(node) : undefined;
  const text =
    lines === undefined
      ? expandedRecords(node, mark, depth + 1)
      : lines.map((line) => `\n${indent(mark, depth + 1)}${line}`).join("");
  return `${text}\n${indent(mark, depth)}`;
}

function isSimple({ mark = "", key = "", text, comment }: TextRecord): boolean {
  return mark === "" && key === "" && typeof text === "string" && comment === undefined;
}

/** Several plain values in each line. */
function batches(list: TextList): string[] {
  const lines: string[] = [];
  let batch = "";
  for (const { text } of list) {
    const part = String(text);
    if (batch !== "" && byteLength(batch) + byteLength(part) + 2 > MAX_COLUMNS) {
      lines.push(batch.trimEnd());
      batch = "";
    }
    batch += `${part}, `;
  }
  return batch === "" ? lines : [...lines, batch.trimEnd()];
}

function expandedRecords(list: TextList, mark: Mark, depth: number): string {
  const keyPadding = paddings(list, ({ key = "", text }) =>
    key === "" || typeof text !== "string" ? undefined : countRunes(key),
  );
  const valuePadding = paddings(list, ({ text, comment }) =>
    typeof text !== "string" || text === ELLIPSIS || comment === undefined ? undefined : countRunes(text),
  );
  return list
    .map((record, index) => {
      const { key = "", text, isBare, comment } = record;
      const own = record.mark || mark;
      const name = key === "" ? "" : `${key}: `;
      const value = `${" ".repeat(keyPadding[index] ?? 0)}${expanded(text, own, depth)}${isBare === true ? "" : ","}`;
      const remark = comment === undefined ? "" : ` // ${comment}`;
      return `\n${indent(own, depth)}${name}${value}${" ".repeat(valuePadding[index] ?? 0)}${remark}`;
    })
    .join("");
}

/** What neighbours lack to the longest of them; those without a length part them. */
function paddings(list: TextList, lengthOfRecord: (record: TextRecord) => number | undefined): readonly number[] {
  const lengths = list.map(lengthOfRecord);
  const result = lengths.map(() => 0);
  let start = 0;
  for (let end = 0; end <= lengths.length; end++) {
    if (lengths[end] !== undefined) continue;
    const group = lengths.slice(start, end).map((length) => length ?? 0);
    const longest = Math.max(0, ...group);
    for (const [offset, length] of group.entries()) result[start + offset] = longest - length;
    start = end + 1;
  }
  return result;
}

/** Upstream uses ordinary or non-breaking spaces, which it chooses once for each process. */
function indent(mark: Mark, depth: number): string {
  return `${mark === "" ? " " : mark} ${"\t".repeat(depth)}`;
}
