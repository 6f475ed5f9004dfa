/**
 * CRDs without their schemas. A server may have ten thousand CRDs and use ten of them: names, versions and conditions
 * are read from the stored text at once, schemas when a kind is used first.
 */
import { type CustomResourceDefinition, readDefinition } from "@portcullis/engine/internal/crd/definition";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { decodeEntry, parseStored } from "../registry/object-codec.ts";
import type { Entry } from "../storage/store.ts";

/** How many CRDs with their schemas are kept. */
const KEPT = 16;

/** Reads stored CRDs. */
export class DefinitionReader {
  readonly #type: ResourceKind;
  /** The one read longest ago comes first. */
  readonly #whole = new Map<Entry, CustomResourceDefinition>();

  constructor(type: ResourceKind) {
    this.#type = type;
  }

  /** Like the CRD itself, but with empty schemas and without managed fields. */
  outline(entry: Entry): JsonObject {
    return this.#type.strategy.read(parseStored({ ...entry, value: outlineText(entry.value) }));
  }

  whole(entry: Entry): CustomResourceDefinition {
    const definition = this.#whole.get(entry) ?? readDefinition(decodeEntry(entry, this.#type));
    this.#whole.delete(entry);
    this.#whole.set(entry, definition);
    for (const oldest of this.#whole.keys()) {
      if (this.#whole.size <= KEPT) break;
      this.#whole.delete(oldest);
    }
    return definition;
  }

  hasSameSpec(one: Entry, other: Entry): boolean {
    const [text, otherText] = [memberText(one.value, "spec"), memberText(other.value, "spec")];
    if (text !== undefined && text === otherText) return true;
    const specOf = (entry: Entry) => decodeEntry(entry, this.#type)["spec"] ?? null;
    return deepEqual(specOf(one), specOf(other));
  }
}

/** What is replaced, and by what. A quote inside of a text is escaped, so none of these occurs there. */
const LEFT_OUT = [
  { name: '"managedFields":', replacement: "null" },
  { name: '"openAPIV3Schema":', replacement: "{}" },
];

export function outlineText(text: string): string {
  const parts: string[] = [];
  let from = 0;
  const next = LEFT_OUT.map((leftOut) => ({ ...leftOut, at: find(text, leftOut.name, 0) }));
  for (;;) {
    const [found] = next.sort((a, b) => a.at - b.at);
    if (found === undefined || found.at === text.length) break;
    const start = found.at + found.name.length;
    parts.push(text.slice(from, start), found.replacement);
    from = endOfValue(text, start);
    for (const each of next) if (each.at < from) each.at = find(text, each.name, from);
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** The end of the text if it is not there. */
function find(text: string, name: string, from: number): number {
  const at = text.indexOf(name, from);
  return at === -1 ? text.length : at;
}

/** The text of a member of an object without white space; undefined if there is none or the text is different. */
export function memberText(text: string, name: string): string | undefined {
  for (let at = 1; text[at] === '"'; ) {
    const end = endOfText(text, at);
    if (text[end + 1] !== ":") return undefined;
    const valueEnd = endOfValue(text, end + 2);
    if (text.slice(at + 1, end) === name) return text.slice(end + 2, valueEnd);
    at = valueEnd + 1;
  }
  return undefined;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the value that starts here is over. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      if (depth === 0) return at + 1;
    } else if (code === BRACE || code === BRACKET) {
      depth++;
    } else if (code === BRACE_END || code === BRACKET_END) {
      // What closes more than was opened belongs to what is around the value.
      if (depth <= 1) return at + depth;
      depth--;
    } else if (code === COMMA && depth === 0) {
      return at;
    }
  }
  return text.length;
}

/** Where the quote is that ends the text. */
function endOfText(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
}
