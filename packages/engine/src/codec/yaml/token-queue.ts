/**
 * The tokens that are not handed out yet, and what decides about their order: indentation, and places where a mapping key
 * may have started.
 */
import { Cursor, type Mark } from "./cursor.ts";
import type { Token, TokenType } from "./token.ts";

interface SimpleKey {
  possible: boolean;
  required: boolean;
  tokenNumber: number;
  mark: Mark;
}

export const MAX_DEPTH = 10_000;
const MAX_KEY_LENGTH = 1024;
/** How many used tokens are kept before the queue is cut. */
const KEPT_TOKENS = 256;

export abstract class TokenQueue {
  protected readonly cursor: Cursor;
  protected readonly tokens: Token[] = [];
  protected head = 0;
  /** How many tokens have been handed out. */
  protected parsed = 0;
  protected available = false;
  protected indent = -1;
  readonly #indents: number[] = [];
  protected flowLevel = 0;
  protected keyAllowed = true;
  protected readonly keys: SimpleKey[];
  protected readonly keyByToken = new Map<number, number>();

  constructor(text: string, problem: string | undefined) {
    this.cursor = new Cursor(text, problem);
    this.keys = [this.impossibleKey()];
  }

  /** Drops the token last peeked at. */
  skip(): void {
    this.available = false;
    this.parsed++;
    this.head++;
    if (this.head < KEPT_TOKENS) return;
    this.tokens.splice(0, this.head);
    this.head = 0;
  }

  // A key ends on its own line, within 1024 characters.
  protected isValidKey(key: SimpleKey): boolean {
    if (!key.possible) return false;
    const here = this.cursor.mark();
    if (key.mark.line === here.line && key.mark.index + MAX_KEY_LENGTH >= here.index) return true;
    if (key.required) this.cursor.fail("could not find expected ':'");
    key.possible = false;
    return false;
  }

  protected saveKey(): void {
    if (!this.keyAllowed) return;
    const mark = this.cursor.mark();
    const required = this.flowLevel === 0 && this.indent === mark.column;
    this.removeKey();
    const tokenNumber = this.#nextTokenNumber();
    this.keys[this.keys.length - 1] = { possible: true, required, tokenNumber, mark };
    this.keyByToken.set(tokenNumber, this.keys.length - 1);
  }

  protected removeKey(): void {
    const key = this.keys[this.keys.length - 1];
    if (key === undefined || !key.possible) return;
    if (key.required) this.cursor.fail("could not find expected ':'");
    key.possible = false;
    this.keyByToken.delete(key.tokenNumber);
  }

  #nextTokenNumber(): number {
    return this.parsed + (this.tokens.length - this.head);
  }

  protected impossibleKey(): SimpleKey {
    return { possible: false, required: false, tokenNumber: this.#nextTokenNumber(), mark: this.cursor.mark() };
  }

  // Opens a block collection when the column lies deeper; its token goes before the numbered one, or to the end.
  protected roll(column: number, tokenNumber: number, type: TokenType, mark: Mark): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.#indents.push(this.indent);
    this.indent = column;
    if (this.#indents.length > MAX_DEPTH) this.cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
    const token = { type, mark, end: mark.pos, value: "", plain: false };
    if (tokenNumber < 0) this.tokens.push(token);
    else this.insert(tokenNumber, token);
  }

  protected insert(tokenNumber: number, token: Token): void {
    this.tokens.splice(this.head + tokenNumber - this.parsed, 0, token);
  }

  protected unroll(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.push("block-end", this.cursor.mark());
      this.indent = this.#indents.pop() ?? -1;
    }
  }

  protected push(type: TokenType, mark: Mark, value = "", plain = false): void {
    this.tokens.push({ type, mark, end: this.cursor.pos, value, plain });
  }

  protected pushIndicator(type: TokenType, length = 1): void {
    const mark = this.cursor.mark();
    this.cursor.pos += length;
    this.push(type, mark);
  }

  protected leaveDocument(): void {
    this.unroll(-1);
    this.removeKey();
    this.keyAllowed = false;
  }

  protected skipToToken(): void {
    const cursor = this.cursor;
    for (;;) {
      // A tab is not indentation, so it is skipped only where no key may start.
      const tabs = this.flowLevel > 0 || !this.keyAllowed;
      for (let unit = cursor.peek(); unit === 0x20 || (tabs && unit === 0x09); unit = cursor.peek()) cursor.pos++;
      cursor.skipComment();
      if (cursor.readBreak() === "") return;
      if (this.flowLevel === 0) this.keyAllowed = true;
    }
  }

  protected headMayBeKey(): boolean {
    const index = this.keyByToken.get(this.parsed);
    const key = index === undefined ? undefined : this.keys[index];
    return key !== undefined && this.isValidKey(key);
  }
}
