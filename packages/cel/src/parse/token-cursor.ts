/** A position in a token sequence, and the offsets of its tokens in the text. */
import { byteLength, isAscii } from "@portcullis/gostd/utf8";
import { Kind, type Tokens } from "./lexer.ts";

export class TokenCursor {
  /** The index of the next token. */
  at = 0;
  readonly #text: string;
  readonly #kinds: readonly number[];
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #isAscii: boolean;
  /** Code point offsets by UTF-16 index; undefined if they are the same. */
  readonly #offsets: Int32Array | undefined;

  constructor(text: string, tokens: Tokens) {
    this.#text = text;
    this.#kinds = tokens.kinds;
    this.#starts = tokens.starts;
    this.#ends = tokens.ends;
    this.#isAscii = isAscii(text);
    this.#offsets = this.#isAscii ? undefined : codePointOffsets(text);
  }

  kind(): number {
    return this.kindAt(this.at);
  }

  kindAt(token: number): number {
    return this.#kinds[token] ?? Kind.end;
  }

  /** Skips a token of this kind; false if the next token has another kind. */
  take(kind: number): boolean {
    if (this.#kinds[this.at] !== kind) return false;
    this.at++;
    return true;
  }

  textOf(token: number): string {
    return this.#text.slice(this.#starts[token], this.#ends[token]);
  }

  /** The token's offset in code points. */
  startOf(token: number): number {
    const index = this.#starts[token] ?? 0;
    return this.#offsets === undefined ? index : (this.#offsets[index] ?? 0);
  }

  /** In bytes: cel-go adds a length in bytes to a start in code points, and only debugging output shows the sum. */
  lengthOf(token: number): number {
    if (this.#isAscii) return (this.#ends[token] ?? 0) - (this.#starts[token] ?? 0);
    return byteLength(this.textOf(token));
  }
}

function codePointOffsets(text: string): Int32Array {
  const offsets = new Int32Array(text.length + 1);
  let offset = 0;
  let index = 0;
  for (const char of text) {
    for (let i = 0; i < char.length; i++) offsets[index++] = offset;
    offset++;
  }
  offsets[index] = offset;
  return offsets;
}
