/** Scalars and flow collections of the YAML that most manifests are written in, all on one line. */
import { integerValue, type JsonValue, newObject } from "../../value/json.ts";
import { resolvePlain } from "./resolve.ts";

export interface Read {
  readonly value: JsonValue;
  /** Where it ends. */
  readonly end: number;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;
const MAX_DEPTH = 20;

/** Letters, digits and `_ . / - $`. */
export function isKeyUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x2d && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x24
  );
}

/** Whether plain text can start so; indicators start something else. */
export function isPlainStart(unit: number, next: number): boolean {
  if (isKeyUnit(unit)) return unit !== 0x2d || isKeyUnit(next);
  // ( ) + ; < = \ ~ and everything beyond ASCII
  return (
    unit === 0x28 ||
    unit === 0x29 ||
    unit === 0x2b ||
    (unit >= 0x3b && unit <= 0x3d) ||
    unit === 0x5c ||
    unit === 0x7e ||
    unit > 0x7f
  );
}

/** A quoted text without escapes. */
export function readQuoted(text: string, at: number): Read | undefined {
  const quote = text.charCodeAt(at);
  if (quote !== QUOTE && quote !== APOSTROPHE) return undefined;
  const end = text.indexOf(quote === QUOTE ? '"' : "'", at + 1);
  if (end === -1 || (quote === APOSTROPHE && text.charCodeAt(end + 1) === APOSTROPHE)) return undefined;
  const value = text.slice(at + 1, end);
  return value.includes("\n") || (quote === QUOTE && value.includes("\\")) ? undefined : { value, end: end + 1 };
}

/** A list or a mapping in brackets. */
export function readFlow(text: string, at: number, depth = 0): Read | undefined {
  if (depth > MAX_DEPTH) return undefined;
  return text.charCodeAt(at) === OPEN_LIST ? readList(text, at, depth) : readMapping(text, at, depth);
}

function readList(text: string, at: number, depth: number): Read | undefined {
  const list: JsonValue[] = [];
  let pos = skipSpaces(text, at + 1);
  if (text.charCodeAt(pos) === CLOSE_LIST) return { value: list, end: pos + 1 };
  for (;;) {
    const item = readItem(text, pos, depth);
    if (item === undefined) return undefined;
    list.push(item.value);
    pos = skipSpaces(text, item.end);
    if (text.charCodeAt(pos) === CLOSE_LIST) return { value: list, end: pos + 1 };
    if (text.charCodeAt(pos) !== COMMA) return undefined;
    pos = skipSpaces(text, pos + 1);
  }
}

function readMapping(text: string, at: number, depth: number): Read | undefined {
  const object = newObject();
  let pos = skipSpaces(text, at + 1);
  if (text.charCodeAt(pos) === CLOSE_MAP) return { value: object, end: pos + 1 };
  for (;;) {
    const key = readItem(text, pos, MAX_DEPTH);
    if (key === undefined || typeof key.value !== "string" || object[key.value] !== undefined) return undefined;
    if (text.charCodeAt(key.end) !== COLON || text.charCodeAt(key.end + 1) !== SPACE) return undefined;
    const member = readItem(text, skipSpaces(text, key.end + 1), depth);
    if (member === undefined) return undefined;
    object[key.value] = member.value;
    pos = skipSpaces(text, member.end);
    if (text.charCodeAt(pos) === CLOSE_MAP) return { value: object, end: pos + 1 };
    if (text.charCodeAt(pos) !== COMMA) return undefined;
    pos = skipSpaces(text, pos + 1);
  }
}

function readItem(text: string, at: number, depth: number): Read | undefined {
  const unit = text.charCodeAt(at);
  if (unit === OPEN_LIST || unit === OPEN_MAP) return depth === MAX_DEPTH ? undefined : readFlow(text, at, depth + 1);
  if (unit === QUOTE || unit === APOSTROPHE) return readQuoted(text, at);
  return readWord(text, at);
}

/** A plain scalar of the characters that keys have; whatever else may be in one is not simple. */
function readWord(text: string, at: number): Read | undefined {
  if (!isKeyUnit(text.charCodeAt(at)) || !isPlainStart(text.charCodeAt(at), text.charCodeAt(at + 1))) return undefined;
  let end = at;
  while (isKeyUnit(text.charCodeAt(end))) end++;
  const next = text.charCodeAt(end);
  const isEnded = next === COMMA || next === CLOSE_LIST || next === CLOSE_MAP || next === COLON;
  const scalar = isEnded ? resolvePlain(text.slice(at, end)) : undefined;
  if (scalar === undefined || (typeof scalar === "object" && scalar !== null)) return undefined;
  return { value: typeof scalar === "bigint" ? integerValue(scalar) : scalar, end };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}
