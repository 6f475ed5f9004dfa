/**
 * A JSON document that patches change as text: what a patch does not reach into stays as it was written, with its order of
 * keys, its escapes and its repeated keys, and what it reaches into is written anew with sorted keys.
 *
 * Follows the lazy nodes of evanphx/json-patch v4. INVARIANT: texts are valid JSON; a decoder or our own encoder has seen
 * them. Nothing here is recursive, and every text is scanned for its brackets once, so that depth costs nothing extra.
 */
import { Panic } from "@portcullis/cel/internal";
import { jsonString } from "@portcullis/gostd/json-text";
import { compareStrings } from "@portcullis/gostd/utf8";
import { decodeJson } from "../codec/json.ts";
import { ItemList } from "./item-list.ts";

/** A member or item; undefined where JSON has null. */
export type Child = LazyNode | undefined;
export type LazyDoc = Map<string, Child>;
export type LazyList = ItemList<Child>;

export class LazyNode {
  readonly #source: JsonSource;
  readonly #start: number;
  readonly #end: number;
  #doc: LazyDoc | undefined;
  #items: LazyList | undefined;

  constructor(source: JsonSource, start: number, end: number) {
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  /** A whole text. */
  static of(text: string): LazyNode {
    const source = new JsonSource(text);
    const start = source.skipSpace(0);
    return new LazyNode(source, start, source.valueEnd(start));
  }

  /** The document itself, as it stands. */
  static opened(container: LazyDoc | LazyList): LazyNode {
    const node = new LazyNode(new JsonSource(" "), 0, 1);
    if (container instanceof Map) node.#doc = container;
    else node.#items = container;
    return node;
  }

  /** The null that an operation carries: a node, though one without content. */
  static null(): LazyNode {
    return new LazyNode(new JsonSource(""), 0, 0);
  }

  get isNull(): boolean {
    return this.#end === 0;
  }

  get isArray(): boolean {
    return this.#source.text[this.#start] === "[";
  }

  /** From here on the node is its members; undefined if it is no object. */
  get doc(): LazyDoc | undefined {
    if (this.#doc === undefined && this.#source.text[this.#start] === "{") {
      this.#doc = this.#source.members(this.#start);
    }
    return this.#doc;
  }

  /** From here on the node is its items; undefined if it is no list. */
  get items(): LazyList | undefined {
    if (this.#items === undefined && this.isArray) this.#items = this.#source.items(this.#start);
    return this.#items;
  }

  get opened(): LazyDoc | LazyList | undefined {
    return this.#doc ?? this.#items;
  }

  /** Without spaces. */
  get compact(): string {
    return this.isNull ? "" : withoutSpaces(this.#source.text.slice(this.#start, this.#end));
  }

  /** The text of a string; undefined for other values. */
  get string(): string | undefined {
    return this.#source.text[this.#start] === '"' ? this.#source.stringAt(this.#start, this.#end) : undefined;
  }
}

/** JSON of a node as Go marshals it: opened objects by their sorted keys, the rest as it was written. */
export function writeNode(root: LazyDoc | LazyList | LazyNode): string {
  const parts: string[] = [];
  const work: (string | LazyDoc | LazyList | LazyNode)[] = [root];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next === "string") parts.push(next);
    else if (next instanceof LazyNode && next.opened === undefined) parts.push(writeRaw(next));
    else pushReversed(work, expand(next instanceof LazyNode ? (next.opened ?? new Map()) : next));
  }
  return parts.join("");
}

function expand(opened: LazyDoc | LazyList): (string | LazyNode)[] {
  if (opened instanceof Map) {
    const keys = [...opened.keys()].sort(compareStrings);
    const members = keys.flatMap((key, index) => [
      `${index === 0 ? "" : ","}${jsonString(key, { escapeHtml: true })}:`,
      opened.get(key) ?? "null",
    ]);
    return ["{", ...members, "}"];
  }
  return ["[", ...[...opened].flatMap((item, index) => [index === 0 ? "" : ",", item ?? "null"]), "]"];
}

/** So that they are taken in their order; a call with all as arguments would be bounded by the stack. */
function pushReversed<T>(work: T[], items: readonly T[]): void {
  for (let at = items.length - 1; at >= 0; at--) work.push(items[at] as T);
}

function writeRaw(node: LazyNode): string {
  return node.isNull ? "null" : escapeHtml(node.compact);
}

/** Go does this to text that it copies, too. */
function escapeHtml(text: string): string {
  if (!/[<>&\u2028\u2029]/.test(text)) return text;
  return text.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

/** Opens what both have and compares; scalars are equal only if they are written alike. */
export function sameNodes(left: LazyNode, right: LazyNode): boolean {
  const work: Pair[] = [[left, right]];
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const inner = comparePair(...pair);
    if (inner === undefined) return false;
    pushReversed(work, inner);
  }
  return true;
}

type Pair = readonly [Child, Child];

/** What is still to be compared; undefined if the two differ. */
function comparePair(left: Child, right: Child): Pair[] | undefined {
  // Upstream follows a nil pointer for the nulls of lists.
  if (left === undefined || right === undefined) throw new Panic("nil pointer dereference");
  if (left.doc !== undefined) return pairMembers(left.doc, right.doc);
  if (left.items !== undefined) return pairItems(left.items, right.items);
  return right.opened === undefined && left.compact === right.compact ? [] : undefined;
}

function pairMembers(left: LazyDoc, right: LazyDoc | undefined): Pair[] | undefined {
  if (left.size !== right?.size) return undefined;
  const pairs: Pair[] = [];
  for (const [key, member] of left) {
    const other = right.get(key);
    if (!right.has(key) || (member === undefined) !== (other === undefined)) return undefined;
    if (member !== undefined) pairs.push([member, other]);
  }
  return pairs;
}

function pairItems(left: LazyList, right: LazyList | undefined): Pair[] | undefined {
  if (left.length !== right?.length) return undefined;
  const others = [...right];
  return [...left].map((item, index) => [item, others[index]]);
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A text and where each of its brackets closes. */
class JsonSource {
  readonly text: string;
  #ends: Int32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** INVARIANT: an object starts here. Of a repeated key the last value counts. */
  members(start: number): LazyDoc {
    const doc: LazyDoc = new Map();
    let at = this.skipSpace(start + 1);
    while (this.text.charCodeAt(at) !== CLOSE_OBJECT) {
      const keyEnd = this.valueEnd(at);
      const key = this.stringAt(at, keyEnd);
      const valueStart = this.skipSpace(this.skipSpace(keyEnd) + 1);
      const end = this.valueEnd(valueStart);
      doc.set(key, this.#child(valueStart, end));
      at = this.#next(end);
    }
    return doc;
  }

  /** INVARIANT: a list starts here. */
  items(start: number): LazyList {
    const items: Child[] = [];
    let at = this.skipSpace(start + 1);
    while (this.text.charCodeAt(at) !== CLOSE_LIST) {
      const end = this.valueEnd(at);
      items.push(this.#child(at, end));
      at = this.#next(end);
    }
    return new ItemList(items);
  }

  stringAt(start: number, end: number): string {
    const text = this.text.slice(start + 1, end - 1);
    if (!text.includes("\\")) return text;
    const decoded = decodeJson(this.text.slice(start, end));
    return decoded.error === undefined && typeof decoded.value === "string" ? decoded.value : text;
  }

  skipSpace(from: number): number {
    let at = from;
    while (isSpace(this.text.charCodeAt(at))) at++;
    return at;
  }

  valueEnd(start: number): number {
    const unit = this.text.charCodeAt(start);
    if (unit === QUOTE) return stringEnd(this.text, start);
    if (unit !== OPEN_OBJECT && unit !== OPEN_LIST) return wordEnd(this.text, start);
    this.#ends ??= bracketEnds(this.text);
    return this.#ends[start] ?? start + 1;
  }

  #child(start: number, end: number): Child {
    return this.text[start] === "n" ? undefined : new LazyNode(this, start, end);
  }

  /** Past the comma, if there is one. */
  #next(end: number): number {
    const at = this.skipSpace(end);
    return this.text.charCodeAt(at) === COMMA ? this.skipSpace(at + 1) : at;
  }
}

function bracketEnds(text: string): Int32Array {
  const ends = new Int32Array(text.length);
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) open.push(at);
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) ends[open.pop() ?? 0] = at + 1;
  }
  return ends;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isDelimiter(text.charCodeAt(at))) at++;
  return at;
}

function isDelimiter(unit: number): boolean {
  return unit === COMMA || unit === COLON || unit === CLOSE_LIST || unit === CLOSE_OBJECT || isSpace(unit);
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function withoutSpaces(text: string): string {
  if (!/[ \n\r\t]/.test(text)) return text;
  let result = "";
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (isSpace(unit)) {
      result += text.slice(kept, at);
      kept = at + 1;
    }
  }
  return result + text.slice(kept);
}
