/**
 * YAML text to tokens.
 *
 * Follows go-yaml v2's scannerc.go in what it accepts, in the order of its errors, and in their messages.
 * A mapping key need not be marked as one: when `:` turns up, a KEY token (and, in a block, the start of the mapping)
 * is put into the queue before the tokens of the key, so tokens are held back while one of them may be a key.
 */
import { scanBlockScalar } from "./block-scalar.ts";
import { isBlank, isBlankOrEnd } from "./cursor.ts";
import { scanAnchor, scanDirective, scanTag } from "./properties.ts";
import { scanPlain, scanQuoted } from "./scalars.ts";
import type { Token, TokenType } from "./token.ts";
import { MAX_DEPTH, TokenQueue } from "./token-queue.ts";

export class Scanner extends TokenQueue {
  peek(): Token {
    if (!this.available) this.#fetchMore();
    const token = this.tokens[this.head];
    if (token === undefined) throw new Error("the token queue is empty");
    return token;
  }

  #fetchMore(): void {
    while (this.head === this.tokens.length || this.headMayBeKey()) this.#fetchNext();
    this.available = true;
  }

  #fetchNext(): void {
    const cursor = this.cursor;
    this.skipToToken();
    this.unroll(cursor.column);
    const unit = cursor.peek();
    if (unit === 0) this.#fetchStreamEnd();
    else if (unit === 0x25 && cursor.column === 0) this.#fetchDirective();
    else if (cursor.atDocumentIndicator()) this.#fetchDocumentIndicator();
    else this.#fetchByIndicator(unit);
  }

  #fetchByIndicator(unit: number): void {
    switch (unit) {
      case 0x5b:
        this.#fetchFlowStart("flow-sequence-start");
        break;
      case 0x7b:
        this.#fetchFlowStart("flow-mapping-start");
        break;
      case 0x5d:
        this.#fetchFlowEnd("flow-sequence-end");
        break;
      case 0x7d:
        this.#fetchFlowEnd("flow-mapping-end");
        break;
      case 0x2c:
        this.#fetchFlowEntry();
        break;
      case 0x2a:
        this.#fetchAnchor("alias");
        break;
      case 0x26:
        this.#fetchAnchor("anchor");
        break;
      case 0x21:
        this.#fetchTag();
        break;
      case 0x27:
      case 0x22:
        this.#fetchQuoted();
        break;
      default:
        this.#fetchByContext(unit);
    }
  }

  // These are indicators in some places and the start of a plain scalar in others.
  #fetchByContext(unit: number): void {
    const inFlow = this.flowLevel > 0;
    const standsAlone = isBlankOrEnd(this.cursor.peek(1));
    if (unit === 0x2d && standsAlone) this.#fetchBlockEntry();
    else if (unit === 0x3f && (inFlow || standsAlone)) this.#fetchKey();
    else if (unit === 0x3a && (inFlow || standsAlone)) this.#fetchValue();
    else if ((unit === 0x7c || unit === 0x3e) && !inFlow) this.#fetchBlockScalar();
    else if (this.#startsPlain(unit)) this.#fetchPlain();
    else this.cursor.fail("found character that cannot start any token");
  }

  // `-`, `?` and `:` as indicators have been handled already.
  #startsPlain(unit: number): boolean {
    if (unit === 0x2d) return !isBlank(this.cursor.peek(1));
    if (unit === 0x3f || unit === 0x3a) return this.flowLevel === 0;
    // A tab where indentation is due, and the characters YAML reserves: # | > % @ `
    return !"\t#|>%@`".includes(String.fromCharCode(unit));
  }

  #fetchStreamEnd(): void {
    const cursor = this.cursor;
    cursor.checkEnd();
    if (cursor.column !== 0) {
      cursor.lineStart = cursor.pos;
      cursor.line++;
    }
    this.leaveDocument();
    this.push("stream-end", cursor.mark());
  }

  #fetchDirective(): void {
    this.leaveDocument();
    const mark = this.cursor.mark();
    const directive = scanDirective(this.cursor);
    this.tokens.push({ type: "directive", mark, end: this.cursor.pos, value: "", plain: false, directive });
  }

  #fetchDocumentIndicator(): void {
    this.leaveDocument();
    this.pushIndicator(this.cursor.peek() === 0x2d ? "document-start" : "document-end", 3);
  }

  #fetchFlowStart(type: TokenType): void {
    this.saveKey();
    this.keys.push(this.impossibleKey());
    this.flowLevel++;
    if (this.flowLevel > MAX_DEPTH) this.cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.keyAllowed = true;
    this.pushIndicator(type);
  }

  #fetchFlowEnd(type: TokenType): void {
    this.removeKey();
    if (this.flowLevel > 0) {
      this.flowLevel--;
      const key = this.keys.pop();
      if (key !== undefined) this.keyByToken.delete(key.tokenNumber);
    }
    this.keyAllowed = false;
    this.pushIndicator(type);
  }

  #fetchFlowEntry(): void {
    this.removeKey();
    this.keyAllowed = true;
    this.pushIndicator("flow-entry");
  }

  #fetchBlockEntry(): void {
    const cursor = this.cursor;
    // In a flow collection the parser complains, since it knows what is around.
    if (this.flowLevel === 0) {
      if (!this.keyAllowed) cursor.fail("block sequence entries are not allowed in this context");
      this.roll(cursor.column, -1, "block-sequence-start", cursor.mark());
    }
    this.removeKey();
    this.keyAllowed = true;
    this.pushIndicator("block-entry");
  }

  #fetchKey(): void {
    const cursor = this.cursor;
    if (this.flowLevel === 0) {
      if (!this.keyAllowed) cursor.fail("mapping keys are not allowed in this context");
      this.roll(cursor.column, -1, "block-mapping-start", cursor.mark());
    }
    this.removeKey();
    this.keyAllowed = this.flowLevel === 0;
    this.pushIndicator("key");
  }

  #fetchValue(): void {
    const cursor = this.cursor;
    const key = this.keys[this.keys.length - 1];
    if (key !== undefined && this.isValidKey(key)) {
      const { mark, tokenNumber } = key;
      this.insert(tokenNumber, { type: "key", mark, end: mark.pos, value: "", plain: false });
      this.roll(mark.column, tokenNumber, "block-mapping-start", mark);
      key.possible = false;
      this.keyByToken.delete(tokenNumber);
      this.keyAllowed = false;
    } else {
      if (this.flowLevel === 0) {
        if (!this.keyAllowed) cursor.fail("mapping values are not allowed in this context");
        this.roll(cursor.column, -1, "block-mapping-start", cursor.mark());
      }
      this.keyAllowed = this.flowLevel === 0;
    }
    this.pushIndicator("value");
  }

  #fetchAnchor(type: "alias" | "anchor"): void {
    this.saveKey();
    this.keyAllowed = false;
    const mark = this.cursor.mark();
    const name = scanAnchor(this.cursor);
    this.push(type, mark, name);
  }

  #fetchTag(): void {
    this.saveKey();
    this.keyAllowed = false;
    const mark = this.cursor.mark();
    const tag = scanTag(this.cursor);
    this.tokens.push({ type: "tag", mark, end: this.cursor.pos, value: "", plain: false, tag });
  }

  #fetchBlockScalar(): void {
    this.removeKey();
    this.keyAllowed = true;
    const mark = this.cursor.mark();
    const value = scanBlockScalar(this.cursor, this.indent);
    this.push("scalar", mark, value);
  }

  #fetchQuoted(): void {
    this.saveKey();
    this.keyAllowed = false;
    const mark = this.cursor.mark();
    const value = scanQuoted(this.cursor);
    this.push("scalar", mark, value);
  }

  #fetchPlain(): void {
    this.saveKey();
    this.keyAllowed = false;
    const mark = this.cursor.mark();
    const scalar = scanPlain(this.cursor, { indent: this.indent, inFlow: this.flowLevel > 0 });
    this.tokens.push({ type: "scalar", mark, end: scalar.end, value: scalar.value, plain: true });
    if (scalar.endsLine) this.keyAllowed = true;
  }
}
