/**
 * Writes objects as readable YAML: block style, members in their own order, quotes only where plain text would be
 * parsed as something else, and multi-line texts as blocks.
 */
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

/** Several objects, with `---` between them. */
export function formatYaml(objects: readonly JsonObject[]): string {
  return objects.map((object) => `${blockLines(object, BLOCKS).join("\n")}\n`).join("---\n");
}

/** Values nest deeper than this in hostile documents only. What is below is JSON on one line, which is YAML too. */
const BLOCKS = 64;

function blockLines(value: JsonValue, depth: number): string[] {
  if (depth === 0 && (isArray(value) || isObject(value))) return [canonicalJson(value, { escapeHtml: false })];
  if (isArray(value)) return value.length === 0 ? ["[]"] : value.flatMap((item) => itemLines(item, depth));
  if (isObject(value)) {
    const members = Object.entries(value);
    return members.length === 0 ? ["{}"] : members.flatMap(([key, member]) => memberLines(key, member, depth));
  }
  return scalarLines(value);
}

function memberLines(key: string, value: JsonValue, depth: number): string[] {
  const name = plainOrQuoted(key);
  const lines = blockLines(value, depth - 1);
  const [first = ""] = lines;
  if (depth === 1) return [`${name}: ${first}`, ...lines.slice(1).map(indent)];
  if (isArray(value) && value.length > 0) return [`${name}:`, ...lines];
  if (isObject(value) && Object.keys(value).length > 0) return [`${name}:`, ...lines.map(indent)];
  return [`${name}: ${first}`, ...lines.slice(1).map(indent)];
}

function itemLines(item: JsonValue, depth: number): string[] {
  const [first = "", ...rest] = blockLines(item, depth - 1);
  return [`- ${first}`, ...rest.map(indent)];
}

function indent(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

function scalarLines(value: JsonValue): string[] {
  if (typeof value !== "string") return [canonicalJson(value)];
  return canBeBlock(value) ? blockText(value) : [plainOrQuoted(value)];
}

/** Lines that neither start nor end with blanks, with at most one line break at the end. */
function canBeBlock(text: string): boolean {
  if (!/\n./.test(text) || /^\n|\n\n$/.test(text) || !isPrintable(text)) return false;
  return text.split("\n").every((line) => line.trim() === line);
}

function blockText(text: string): string[] {
  const isEnded = text.endsWith("\n");
  return [isEnded ? "|" : "|-", ...(isEnded ? text.slice(0, -1) : text).split("\n")];
}

function isPrintable(text: string): boolean {
  return /^[\x20-\x7e\n\u00a0-\ud7ff\ue000-\ufffd]*$/.test(text);
}

/** Plain if parsing it gives the same text. */
function plainOrQuoted(text: string): string {
  const looksPlain = /^[A-Za-z0-9_./(][^\n]*$/.test(text) && !/[:#]\s|\s#|:$|\s$/.test(text) && isPrintable(text);
  return looksPlain && isTextAlone(text) ? text : JSON.stringify(text);
}

/** Text that is certainly a plain string; checked without parsing it. */
const WORD = /^[A-Za-z][A-Za-z0-9_./-]*$/;
const RESERVED = /^(?:null|true|false|y|n|yes|no|on|off)$/i;

function isTextAlone(text: string): boolean {
  if (RESERVED.test(text)) return false;
  if (WORD.test(text)) return true;
  const decoded = decodeYaml(`k: ${text}\n`);
  return decoded.error === undefined && isObject(decoded.value) && decoded.value["k"] === text;
}
