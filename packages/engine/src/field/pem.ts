/** PEM as Go's encoding/pem reads it: text before a block and unreadable blocks are skipped. */
import { decodeBase64 } from "@portcullis/gostd/base64";

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

export interface PemBlocks {
  readonly blocks: readonly PemBlock[];
  /** What is left behind the last block. */
  readonly rest: string;
}

export function readPem(text: string): PemBlocks {
  const blocks: PemBlock[] = [];
  let rest = text;
  while (rest !== "") {
    const found = nextBlock(rest);
    if (found === undefined) break;
    blocks.push(found.block);
    rest = found.rest;
  }
  return { blocks, rest };
}

interface FoundBlock {
  readonly block: PemBlock;
  readonly rest: string;
}

const DASHES = "-----";
const BEGIN = `${DASHES}BEGIN `;

function nextBlock(text: string): FoundBlock | undefined {
  for (let start = beginning(text, 0); start >= 0; start = beginning(text, start + 1)) {
    const lineEnd = text.indexOf("\n", start);
    const line = (lineEnd < 0 ? text.slice(start) : text.slice(start, lineEnd)).trimEnd();
    if (lineEnd < 0 || !line.endsWith(DASHES)) continue;
    const type = line.slice(BEGIN.length, -DASHES.length);
    const ending = `${DASHES}END ${type}${DASHES}`;
    const end = text.indexOf(ending, lineEnd);
    if (end < 0 || text[end - 1] !== "\n") continue;
    const block = readBlock(type, text.slice(lineEnd + 1, end));
    if (block !== undefined) return { block, rest: afterLine(text, end + ending.length) };
  }
  return undefined;
}

function beginning(text: string, from: number): number {
  const at = text.indexOf(BEGIN, from);
  return at <= 0 || text[at - 1] === "\n" ? at : beginning(text, at + 1);
}

function afterLine(text: string, from: number): string {
  const end = text.indexOf("\n", from);
  return end < 0 ? "" : text.slice(end + 1);
}

function readBlock(type: string, body: string): PemBlock | undefined {
  const lines = body.split("\n");
  const firstData = lines.findIndex((line) => !line.includes(":"));
  const hasHeaders = firstData > 0;
  const data = lines
    .slice(Math.max(firstData, 0))
    .join("")
    .replace(/[ \t\r]/g, "");
  const bytes = decodeBase64(data);
  return bytes.error === undefined ? { type, hasHeaders, bytes: bytes.value } : undefined;
}
