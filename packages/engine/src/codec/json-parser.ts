/**
 * The structure of JSON: objects, lists, duplicates and positions.
 *
 * Open containers are kept on a stack; the path of a duplicate is read off that stack when there is one.
 */
import { type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { JsonLexer } from "./json-lexer.ts";
import { duplicateField } from "./messages.ts";
import type { DuplicateKey, SourceNode } from "./position.ts";

const MAX_DEPTH = 10_000;
const MAX_STRICT_ERRORS = 100;

interface ParserOptions {
  readonly duplicates?: boolean;
  readonly positions?: boolean;
  readonly maxDepth?: number;
  /** Where to start in the text. */
  readonly start?: number;
}

/** A container whose end has not been reached. */
interface Frame {
  readonly object: JsonObject | undefined;
  readonly list: JsonValue[];
  /** The key whose value is being read. */
  key: string;
  keyStart: number;
  readonly node: SourceNode | undefined;
}

const NO_LIST: JsonValue[] = [];

export class JsonParser extends JsonLexer {
  readonly strictErrors: string[] = [];
  readonly duplicates: DuplicateKey[] = [];
  source: SourceNode | undefined;
  readonly #duplicates: boolean;
  readonly #positions: boolean;
  readonly #maxDepth: number;
  readonly #frames: Frame[] = [];
  readonly #seen = new Set<string>();

  constructor(text: string, options: ParserOptions) {
    super(text);
    this.pos = options.start ?? 0;
    this.#duplicates = options.duplicates ?? false;
    this.#positions = options.positions ?? false;
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH;
  }

  parseDocument(): JsonValue {
    const value = this.#parseValue();
    if (this.hasMore()) this.fail("after top-level value");
    return value;
  }

  /** One value of a stream; what follows it is left alone. */
  parseNext(): JsonValue {
    return this.#parseValue();
  }

  /** Where the last value ended. */
  get offset(): number {
    return this.pos;
  }

  hasMore(): boolean {
    this.skipSpace();
    return this.pos < this.text.length;
  }

  #parseValue(): JsonValue {
    for (;;) {
      const unit = this.skipSpace();
      const frame = unit === 0x7b ? this.#openObject() : unit === 0x5b ? this.#openList() : undefined;
      let value: JsonValue;
      if (frame === undefined) {
        const start = this.pos;
        value = this.#readScalar(unit);
        if (this.#positions) this.#record({ start, end: this.pos, keyStart: this.#keyStart() });
      } else if (!this.#isEmpty(frame)) continue;
      else value = this.#close();
      // A finished value may finish the containers around it.
      for (;;) {
        const parent = this.#frames[this.#frames.length - 1];
        if (parent === undefined) return value;
        if (this.#attach(parent, value)) break;
        value = this.#close();
      }
    }
  }

  #readScalar(unit: number): JsonValue {
    switch (unit) {
      case 0x22:
        return this.readString();
      case 0x74:
        return this.readLiteral("true", true);
      case 0x66:
        return this.readLiteral("false", false);
      case 0x6e:
        return this.readLiteral("null", null);
      default:
        if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) return this.readNumber(unit);
        return this.fail("looking for beginning of value");
    }
  }

  #openObject(): Frame {
    return this.#push({ object: newObject(), list: NO_LIST, key: "", keyStart: -1, node: this.#open("fields") });
  }

  #openList(): Frame {
    return this.#push({ object: undefined, list: [], key: "", keyStart: -1, node: this.#open("items") });
  }

  #push(frame: Frame): Frame {
    if (this.#frames.length >= this.#maxDepth) this.fail("exceeded max depth");
    this.#frames.push(frame);
    this.pos++;
    return frame;
  }

  // True when the container just opened has nothing in it; otherwise the position is at its first value.
  #isEmpty(frame: Frame): boolean {
    const unit = this.skipSpace();
    if (frame.object === undefined) {
      if (unit !== 0x5d) return false;
    } else if (unit !== 0x7d) {
      this.#readKey(frame, frame.object);
      return false;
    }
    this.pos++;
    return true;
  }

  #readKey(frame: Frame, object: JsonObject): void {
    if (this.skipSpace() !== 0x22) this.fail("looking for beginning of object key string");
    frame.keyStart = this.pos;
    const key = this.readString();
    frame.key = key;
    if (this.skipSpace() !== 0x3a) this.fail("after object key");
    this.pos++;
    if (this.#duplicates && object[key] !== undefined) this.#reportDuplicate(key, frame.keyStart);
  }

  // True when another value follows in the same container.
  #attach(frame: Frame, value: JsonValue): boolean {
    if (frame.object === undefined) {
      frame.list.push(value);
      const unit = this.skipSpace();
      if (unit !== 0x2c && unit !== 0x5d) this.fail("after array element");
      this.pos++;
      return unit === 0x2c;
    }
    frame.object[frame.key] = value;
    const unit = this.skipSpace();
    if (unit !== 0x2c && unit !== 0x7d) this.fail("after object key:value pair");
    this.pos++;
    if (unit === 0x2c) this.#readKey(frame, frame.object);
    return unit === 0x2c;
  }

  #close(): JsonValue {
    const frame = this.#frames.pop();
    if (frame === undefined) return null;
    if (frame.node !== undefined) frame.node.end = this.pos;
    return frame.object ?? frame.list;
  }

  #reportDuplicate(key: string, offset: number): void {
    if (this.strictErrors.length >= MAX_STRICT_ERRORS) return;
    const path = this.#renderPath(key);
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    this.strictErrors.push(duplicateField(path));
    this.duplicates.push({ path, offset });
  }

  #renderPath(key: string): string {
    // The duplicate's own object ends the stack; an empty key still earns its dot.
    const outer = this.#frames.slice(0, -1);
    const steps = outer.map((frame, i) => {
      if (frame.object === undefined) return `[${frame.list.length}]`;
      return i === 0 ? frame.key : `.${frame.key}`;
    });
    return outer.length === 0 ? key : `${steps.join("")}.${key}`;
  }

  #open(kind: "fields" | "items"): SourceNode | undefined {
    if (!this.#positions) return undefined;
    const place = { start: this.pos, end: this.pos, keyStart: this.#keyStart() };
    return this.#record(kind === "fields" ? { ...place, fields: new Map() } : { ...place, items: [] });
  }

  #record(node: SourceNode): SourceNode {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined) this.source = node;
    else if (frame.object === undefined) frame.node?.items?.push(node);
    else frame.node?.fields?.set(frame.key, node);
    return node;
  }

  #keyStart(): number {
    const frame = this.#frames[this.#frames.length - 1];
    return frame?.object === undefined ? -1 : frame.keyStart;
  }
}
