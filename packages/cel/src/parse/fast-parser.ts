/**
 * The parser of the success path: recursive descent over the lexer's tokens.
 *
 * It accepts exactly what cel-go accepts, with the same tree and ids, and gives up at the first problem
 * without a word; `syntax-errors.ts` then finds the words. Ids are handed out in cel-go's order, which visits
 * a finished parse tree: an operator before its right operand, but `&&` and `||` after it, and the colon of a
 * map entry before its key.
 *
 * cel-go limits recursion twice, and both limits must agree or an expression would be accepted on one side
 * only: its parser counts how deep each grammar rule nests, where only `expr`, `relation` and `calc` can be
 * the first over the limit; its tree visitor counts selections, calls of methods, indexing, ternaries and
 * binary operators on a path, which is the height measured here.
 */
import { byteLength, isAscii } from "@portcullis/gostd/utf8";
import type { Expr, MapEntry, ParsedAst, StructField } from "../ast/expr.ts";
import { Bytes, type Constant } from "../values/value.ts";
import { AstBuilder, balance, call, isMacroProblem } from "./builder.ts";
import { Kind, type Tokens, tokenize } from "./lexer.ts";
import { parseDoubleLiteral, parseIntLiteral, parseUintLiteral } from "./literals.ts";
import type { ParseOptions } from "./options.ts";
import { reservedWords } from "./reserved.ts";
import { unescapeBytes, unescapeString } from "./unescape.ts";

/** The tree of a valid expression; undefined for any other text. */
export function parseValid(text: string, options: ParseOptions): ParsedAst | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  try {
    return new FastParser(text, tokens, options).parse();
  } catch (thrown) {
    if (thrown === rejection) return undefined;
    throw thrown;
  }
}

/** Thrown to leave the recursion; made once, because a stack trace is costly and nobody reads it. */
const rejection = new Error("not a valid expression");

const relationOperators: Readonly<Record<number, string>> = {
  [Kind.less]: "_<_",
  [Kind.lessEquals]: "_<=_",
  [Kind.greater]: "_>_",
  [Kind.greaterEquals]: "_>=_",
  [Kind.equals]: "_==_",
  [Kind.notEquals]: "_!=_",
  [Kind.in]: "@in",
};
const productOperators: Readonly<Record<number, string>> = {
  [Kind.times]: "_*_",
  [Kind.divide]: "_/_",
  [Kind.modulo]: "_%_",
};
const sumOperators: Readonly<Record<number, string>> = { [Kind.plus]: "_+_", [Kind.minus]: "_-_" };

/** How tightly the operators bind that a `calc` may still take in. */
const SUM = 1;
const PRODUCT = 2;
const OPERAND = 3;

class FastParser {
  readonly #text: string;
  readonly #kinds: readonly number[];
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #ast: AstBuilder;
  readonly #options: ParseOptions;
  readonly #maxDepth: number;
  /** Code point offsets by UTF-16 index; undefined where they are the same. */
  readonly #offsets: Int32Array | undefined;
  readonly #ascii: boolean;
  #at = 0;
  #exprDepth = 0;
  #relationDepth = 0;
  #calcDepth = 0;
  /** How deep cel-go's visitor would recurse into the expression parsed last. */
  #height = 0;

  constructor(text: string, tokens: Tokens, options: ParseOptions) {
    this.#text = text;
    this.#kinds = tokens.kinds;
    this.#starts = tokens.starts;
    this.#ends = tokens.ends;
    this.#ast = new AstBuilder(options);
    this.#options = options;
    this.#maxDepth = options.maxRecursionDepth;
    this.#ascii = isAscii(text);
    this.#offsets = this.#ascii ? undefined : codePointOffsets(text);
  }

  parse(): ParsedAst {
    const expr = this.#expr();
    this.#expect(Kind.end);
    return { expr, info: this.#ast.info };
  }

  #expr(): Expr {
    if (++this.#exprDepth > this.#maxDepth) throw rejection;
    const condition = this.#or();
    const expr = this.#kind() === Kind.question ? this.#ternary(condition) : condition;
    this.#exprDepth--;
    return expr;
  }

  #ternary(condition: Expr): Expr {
    let height = this.#height;
    const id = this.#idOfToken(this.#at++);
    const whenTrue = this.#or();
    height = Math.max(height, this.#height);
    this.#expect(Kind.colon);
    const whenFalse = this.#expr();
    this.#raise(height);
    return call(id, "_?_:_", undefined, [condition, whenTrue, whenFalse]);
  }

  #or(): Expr {
    const first = this.#and();
    if (this.#kind() !== Kind.or) return first;
    const terms = [first];
    const ids: number[] = [];
    let height = this.#height;
    while (this.#kind() === Kind.or) {
      const operator = this.#at++;
      terms.push(this.#and());
      ids.push(this.#idOfToken(operator));
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return balance("_||_", terms, ids);
  }

  #and(): Expr {
    const first = this.#relation();
    if (this.#kind() !== Kind.and) return first;
    const terms = [first];
    const ids: number[] = [];
    let height = this.#height;
    while (this.#kind() === Kind.and) {
      const operator = this.#at++;
      terms.push(this.#relation());
      ids.push(this.#idOfToken(operator));
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return balance("_&&_", terms, ids);
  }

  #relation(): Expr {
    if (++this.#relationDepth > this.#maxDepth) throw rejection;
    let expr = this.#calc(SUM);
    for (;;) {
      const name = relationOperators[this.#kind()];
      if (name === undefined) break;
      const height = this.#height;
      const id = this.#idOfToken(this.#at++);
      // The right operand is a relation of its own in the grammar, though it cannot take in another operator.
      if (++this.#relationDepth > this.#maxDepth) throw rejection;
      const right = this.#calc(SUM);
      this.#relationDepth--;
      this.#raise(height);
      expr = call(id, name, undefined, [expr, right]);
    }
    this.#relationDepth--;
    return expr;
  }

  #calc(binding: number): Expr {
    if (++this.#calcDepth > this.#maxDepth) throw rejection;
    let expr = this.#unary();
    while (binding < OPERAND) {
      const kind = this.#kind();
      const product = productOperators[kind];
      const name = product ?? (binding === SUM ? sumOperators[kind] : undefined);
      if (name === undefined) break;
      const height = this.#height;
      const id = this.#idOfToken(this.#at++);
      const right = this.#calc(product === undefined ? PRODUCT : OPERAND);
      this.#raise(height);
      expr = call(id, name, undefined, [expr, right]);
    }
    this.#calcDepth--;
    return expr;
  }

  /** `!!a` is `a` and `--a` is `a`; the sign of a single `-1` belongs to the literal. */
  #unary(): Expr {
    const kind = this.#kind();
    if (kind === Kind.not) return this.#repeated(kind, "!_");
    if (kind === Kind.minus && !this.#isNumber(this.#at + 1)) return this.#repeated(kind, "-_");
    return this.#member();
  }

  #repeated(kind: number, name: string): Expr {
    const first = this.#at;
    while (this.#kind() === kind) this.#at++;
    if ((this.#at - first) % 2 === 0) return this.#member();
    const id = this.#idOfToken(first);
    return call(id, name, undefined, [this.#member()]);
  }

  #isNumber(index: number): boolean {
    const kind = this.#kinds[index];
    return kind === Kind.int || kind === Kind.double;
  }

  #member(): Expr {
    let expr = this.#primary();
    for (;;) {
      const kind = this.#kind();
      if (kind === Kind.dot) expr = this.#selection(expr);
      else if (kind === Kind.openBracket) expr = this.#index(expr);
      else return expr;
    }
  }

  #selection(operand: Expr): Expr {
    const dot = this.#at++;
    const optional = this.#takeOptional();
    const nameToken = this.#at++;
    const name = this.#fieldName(nameToken);
    if (!optional && this.#kind() === Kind.openParen && this.#kinds[nameToken] === Kind.identifier) {
      return this.#memberCall(operand, name);
    }
    this.#raise(this.#height);
    if (!optional) return { kind: "select", id: this.#idOfToken(dot), operand, field: name, testOnly: false };
    const field: Expr = { kind: "literal", id: this.#idOfToken(nameToken), value: name };
    return call(this.#idOfToken(dot), "_?._", undefined, [operand, field]);
  }

  #memberCall(target: Expr, name: string): Expr {
    const height = this.#height;
    const id = this.#idOfToken(this.#at++);
    const args = this.#args();
    this.#raise(height);
    return this.#macroOr(id, name, target, args);
  }

  #index(operand: Expr): Expr {
    const height = this.#height;
    const id = this.#idOfToken(this.#at++);
    const name = this.#takeOptional() ? "_[?_]" : "_[_]";
    const index = this.#expr();
    this.#expect(Kind.closeBracket);
    this.#raise(height);
    return call(id, name, undefined, [operand, index]);
  }

  #primary(): Expr {
    this.#height = 0;
    const token = this.#at;
    switch (this.#kinds[token]) {
      case Kind.identifier:
      case Kind.dot:
        return this.#named();
      case Kind.openParen:
        return this.#nested();
      case Kind.openBracket:
        return this.#list();
      case Kind.openBrace:
        return this.#map();
      default:
        this.#at++;
        return this.#literal(token);
    }
  }

  #nested(): Expr {
    this.#at++;
    const expr = this.#expr();
    this.#expect(Kind.closeParen);
    return expr;
  }

  /** A variable, a function call or the construction of a message. */
  #named(): Expr {
    const prefix = this.#kind() === Kind.dot ? "." : "";
    if (prefix !== "") this.#at++;
    const nameToken = this.#at;
    if (this.#kind() !== Kind.identifier) throw rejection;
    const brace = this.#messageBrace();
    if (brace !== undefined) return this.#message(prefix, brace);
    this.#at++;
    const name = this.#textOf(nameToken);
    if (reservedWords.has(name)) throw rejection;
    if (this.#kind() !== Kind.openParen) {
      return { kind: "ident", id: this.#idOfToken(nameToken), name: prefix + name };
    }
    const id = this.#idOfToken(this.#at++);
    return this.#macroOr(id, prefix + name, undefined, this.#args());
  }

  /** The token of the `{` that makes the dotted name here a message's. */
  #messageBrace(): number | undefined {
    let at = this.#at + 1;
    while (this.#kinds[at] === Kind.dot && this.#kinds[at + 1] === Kind.identifier) at += 2;
    return this.#kinds[at] === Kind.openBrace ? at : undefined;
  }

  #message(prefix: string, brace: number): Expr {
    let typeName = prefix;
    for (; this.#at < brace; this.#at++) typeName += this.#textOf(this.#at);
    const id = this.#idOfToken(this.#at++);
    const fields: StructField[] = [];
    let height = 0;
    while (this.#kind() !== Kind.closeBrace) {
      if (this.#skipLastComma(fields.length, Kind.closeBrace)) break;
      fields.push(this.#field());
      height = Math.max(height, this.#height);
    }
    this.#at++;
    this.#height = height;
    return { kind: "struct", id, typeName, fields };
  }

  #field(): StructField {
    const optional = this.#takeOptional();
    const name = this.#fieldName(this.#at++);
    const id = this.#idOfToken(this.#at);
    this.#expect(Kind.colon);
    return { id, name, value: this.#expr(), optional };
  }

  #list(): Expr {
    const id = this.#idOfToken(this.#at++);
    const elements: Expr[] = [];
    const optionalIndices: number[] = [];
    let height = 0;
    while (this.#kind() !== Kind.closeBracket) {
      if (this.#skipLastComma(elements.length, Kind.closeBracket)) break;
      if (this.#takeOptional()) optionalIndices.push(elements.length);
      elements.push(this.#expr());
      height = Math.max(height, this.#height);
    }
    this.#at++;
    this.#height = height;
    return { kind: "list", id, elements, optionalIndices };
  }

  #map(): Expr {
    const id = this.#idOfToken(this.#at++);
    const entries: MapEntry[] = [];
    let height = 0;
    while (this.#kind() !== Kind.closeBrace) {
      if (this.#skipLastComma(entries.length, Kind.closeBrace)) break;
      entries.push(this.#entry());
      height = Math.max(height, this.#entryHeight);
    }
    this.#at++;
    this.#height = height;
    return { kind: "map", id, entries };
  }

  #entryHeight = 0;

  #entry(): MapEntry {
    const optional = this.#takeOptional();
    const id = this.#ast.allocate(-1, -1);
    const key = this.#expr();
    const keyHeight = this.#height;
    const colon = this.#at;
    this.#expect(Kind.colon);
    this.#ast.place(id, this.#startOf(colon), this.#stopOf(colon));
    const value = this.#expr();
    this.#entryHeight = Math.max(keyHeight, this.#height);
    return { id, key, value, optional };
  }

  /**
   * Steps over the comma before the next element; true if it was the one that may end a list. The grammar
   * even allows it alone: `[,]` and `{,}` are empty.
   */
  #skipLastComma(count: number, closing: number): boolean {
    if (count === 0 && this.#kind() !== Kind.comma) return false;
    this.#expect(Kind.comma);
    if (this.#kind() === closing) return true;
    if (count === 0) throw rejection;
    return false;
  }

  #args(): Expr[] {
    const args: Expr[] = [];
    let height = 0;
    if (this.#kind() !== Kind.closeParen) {
      args.push(this.#expr());
      height = this.#height;
      while (this.#kind() === Kind.comma) {
        this.#at++;
        args.push(this.#expr());
        height = Math.max(height, this.#height);
      }
    }
    this.#expect(Kind.closeParen);
    this.#height = height;
    return args;
  }

  #macroOr(id: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const expanded = this.#ast.expand(id, name, target, args);
    if (expanded === undefined) return call(id, name, target, args);
    if (isMacroProblem(expanded)) throw rejection;
    return expanded;
  }

  #literal(token: number): Expr {
    if (this.#kinds[token] === Kind.minus) {
      if (!this.#isNumber(this.#at)) throw rejection;
      const value = this.#number(this.#at++, true);
      const start = this.#startOf(token);
      // Blanks between the sign and the digits do not count towards the length.
      const stop = start + 1 + this.#lengthOf(token + 1);
      return { kind: "literal", id: this.#ast.allocate(start, stop), value };
    }
    const value = this.#constant(token);
    return { kind: "literal", id: this.#idOfToken(token), value };
  }

  #constant(token: number): Constant {
    switch (this.#kinds[token]) {
      case Kind.string:
        return this.#string(token);
      case Kind.int:
      case Kind.double:
        return this.#number(token, false);
      case Kind.true:
        return true;
      case Kind.false:
        return false;
      case Kind.null:
        return null;
      case Kind.uint:
        return accepted(parseUintLiteral(this.#textOf(token)));
      case Kind.bytes:
        return new Bytes(accepted(unescapeBytes(this.#textOf(token).slice(1)).value));
      default:
        throw rejection;
    }
  }

  #number(token: number, negative: boolean): Constant {
    const text = this.#textOf(token);
    if (this.#kinds[token] === Kind.int) return accepted(parseIntLiteral(text, negative));
    return accepted(parseDoubleLiteral(text, negative));
  }

  #string(token: number): string {
    return accepted(unescapeString(this.#textOf(token)).value);
  }

  #fieldName(token: number): string {
    const kind = this.#kinds[token];
    if (kind === Kind.identifier) return this.#textOf(token);
    if (kind !== Kind.escapedIdentifier || !this.#options.identifierEscapeSyntax) throw rejection;
    return this.#textOf(token).slice(1, -1);
  }

  #takeOptional(): boolean {
    if (this.#kind() !== Kind.question) return false;
    if (!this.#options.optionalSyntax) throw rejection;
    this.#at++;
    return true;
  }

  #raise(height: number): void {
    this.#height = Math.max(height, this.#height) + 1;
    if (this.#height > this.#maxDepth) throw rejection;
  }

  #kind(): number {
    return this.#kinds[this.#at] ?? Kind.end;
  }

  #expect(kind: number): void {
    if (this.#kinds[this.#at] !== kind) throw rejection;
    this.#at++;
  }

  #textOf(token: number): string {
    return this.#text.slice(this.#starts[token], this.#ends[token]);
  }

  #idOfToken(token: number): number {
    const start = this.#startOf(token);
    return this.#ast.allocate(start, start + this.#lengthOf(token));
  }

  #startOf(token: number): number {
    const index = this.#starts[token] ?? 0;
    return this.#offsets === undefined ? index : (this.#offsets[index] ?? 0);
  }

  #stopOf(token: number): number {
    return this.#startOf(token) + this.#lengthOf(token);
  }

  /** cel-go adds a length in bytes to a start in code points; only debugging output shows the sum. */
  #lengthOf(token: number): number {
    if (this.#ascii) return (this.#ends[token] ?? 0) - (this.#starts[token] ?? 0);
    return byteLength(this.#textOf(token));
  }
}

function accepted<T>(value: T | undefined): T {
  if (value === undefined) throw rejection;
  return value;
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
