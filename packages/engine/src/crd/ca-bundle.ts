/**
 * Whether bytes can serve as root certificates: PEM with at least one certificate that can be read.
 *
 * Follows client-go transport.TLSConfigFor and encoding/pem. Of a certificate only the outer form is checked, that it
 * is a DER sequence of three parts as long as it says; upstream goes on to parse what is inside.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import * as messages from "./messages.ts";

/** What is wrong with the bundle, given in base64. */
export function caBundleProblem(bundle: string): string | undefined {
  const bytes = decodeBase64(bundle);
  if (bytes.error !== undefined) return messages.badRoots(bytes.error);
  const problem = pemProblem(decodeUtf8(bytes.value));
  return problem === undefined ? undefined : messages.badRoots(problem);
}

function pemProblem(text: string): string | undefined {
  const blocks: PemBlock[] = [];
  let rest = text;
  while (rest !== "") {
    const found = nextBlock(rest);
    if (found === undefined) break;
    blocks.push(found.block);
    rest = found.rest;
  }
  const certificates = blocks.filter(({ type, hasHeaders }) => type === "CERTIFICATE" && !hasHeaders);
  if (certificates.some(({ bytes }) => isCertificate(bytes))) return undefined;
  if (certificates.length > 0) return messages.badCertificate();
  return rest === "" ? messages.noCertificate() : messages.notPem();
}

interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

interface FoundBlock {
  readonly block: PemBlock;
  readonly rest: string;
}

const DASHES = "-----";
const BEGIN = `${DASHES}BEGIN `;

/** Text before a block, and blocks that cannot be read, are passed over. */
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

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;

/** A certificate is a sequence of its content, its algorithm and its signature, and nothing behind it. */
function isCertificate(bytes: Uint8Array): boolean {
  const outer = readElement(bytes, 0);
  if (outer?.tag !== SEQUENCE || outer.end !== bytes.length) return false;
  const content = readElement(bytes, outer.start);
  const algorithm = content && readElement(bytes, content.end);
  const signature = algorithm && readElement(bytes, algorithm.end);
  const tags = [content?.tag, algorithm?.tag, signature?.tag];
  return tags.join() === [SEQUENCE, SEQUENCE, BIT_STRING].join() && signature?.end === outer.end;
}

interface DerElement {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

function readElement(bytes: Uint8Array, at: number): DerElement | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) return undefined;
  let length = first < 0x80 ? first : 0;
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  const start = at + 2 + lengthBytes;
  const end = start + length;
  return end <= bytes.length ? { tag, start, end } : undefined;
}
