/**
 * Operands of the parser for valid text: names, literals, lists, maps, messages, calls and selections. The parser of
 * operators, `fast-parser.ts`, adds the rest of the grammar.
 */
import type { Expr, MapEntry, StructField } from "../ast/expr.ts";
import { AstBuilder, call, isMacroProblem } from "./builder.ts";
import { Kind } from "./lexer.ts";
import { parseConstant, parseNumber } from "./literals.ts";
import type { ParseOptions } from "./options.ts";
import { reservedWords } from "./reserved.ts";
import type { TokenCursor } from "./token-cursor.ts";

/** Thrown to leave the recursion; created once, because stack traces are expensive. */
export const rejection = new Error("not a valid expression");

export abstract class OperandParser {
  protected readonly tokens: TokenCursor;
  protected readonly ast: AstBuilder;
  protected readonly maxDepth: number;
  /** How deep cel-go's visitor would recurse into the expression parsed last. */
  protected height = 0;
  readonly #options: ParseOptions;

  constructor(tokens: TokenCursor, options: ParseOptions) {
    this.tokens = tokens;
    this.ast = new AstBuilder(options);
    this.#options = options;
    this.maxDepth = options.maxRecursionDepth;
  }

  /** Any expression, such as an argument or an element. */
  protected abstract expr(): Expr;

  protected isNumber(index: number): boolean {
    const kind = this.tokens.kindAt(index);
    return kind === Kind.int || kind === Kind.double;
  }

  protected member(): Expr {
    let expr = this.#primary();
    for (;;) {
      const kind = this.tokens.kind();
      if (kind === Kind.dot) expr = this.#selection(expr);
      else if (kind === Kind.openBracket) expr = this.#index(expr);
      else return expr;
    }
  }

  #selection(operand: Expr): Expr {
    const dot = this.tokens.at++;
    const optional = this.#takeOptional();
    const nameToken = this.tokens.at++;
    const name = this.#fieldName(nameToken);
    if (!optional && this.tokens.kind() === Kind.openParen && this.tokens.kindAt(nameToken) === Kind.identifier) {
      return this.#memberCall(operand, name);
    }
    this.raise(this.height);
    if (!optional) return { kind: "select", id: this.idOfToken(dot), operand, field: name, testOnly: false };
    const field: Expr = { kind: "literal", id: this.idOfToken(nameToken), value: name };
    return call(this.idOfToken(dot), "_?._", undefined, [operand, field]);
  }

  #memberCall(target: Expr, name: string): Expr {
    const height = this.height;
    const id = this.idOfToken(this.tokens.at++);
    const args = this.#args();
    this.raise(height);
    return this.#macroOr(id, name, target, args);
  }

  #index(operand: Expr): Expr {
    const height = this.height;
    const id = this.idOfToken(this.tokens.at++);
    const name = this.#takeOptional() ? "_[?_]" : "_[_]";
    const index = this.expr();
    this.expect(Kind.closeBracket);
    this.raise(height);
    return call(id, name, undefined, [operand, index]);
  }

  #primary(): Expr {
    this.height = 0;
    const token = this.tokens.at;
    switch (this.tokens.kindAt(token)) {
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
        this.tokens.at++;
        return this.#literal(token);
    }
  }

  #nested(): Expr {
    this.tokens.at++;
    const expr = this.expr();
    this.expect(Kind.closeParen);
    return expr;
  }

  /** A variable, a function call or the construction of a message. */
  #named(): Expr {
    const prefix = this.tokens.kind() === Kind.dot ? "." : "";
    if (prefix !== "") this.tokens.at++;
    const nameToken = this.tokens.at;
    if (this.tokens.kind() !== Kind.identifier) throw rejection;
    const brace = this.#messageBrace();
    if (brace !== undefined) return this.#message(prefix, brace);
    this.tokens.at++;
    const name = this.tokens.textOf(nameToken);
    if (reservedWords.has(name)) throw rejection;
    if (this.tokens.kind() !== Kind.openParen) {
      return { kind: "ident", id: this.idOfToken(nameToken), name: prefix + name };
    }
    const id = this.idOfToken(this.tokens.at++);
    return this.#macroOr(id, prefix + name, undefined, this.#args());
  }

  /** The token of the `{` that makes the dotted name here a message's. */
  #messageBrace(): number | undefined {
    let at = this.tokens.at + 1;
    while (this.tokens.kindAt(at) === Kind.dot && this.tokens.kindAt(at + 1) === Kind.identifier) at += 2;
    return this.tokens.kindAt(at) === Kind.openBrace ? at : undefined;
  }

  #message(prefix: string, brace: number): Expr {
    let typeName = prefix;
    for (; this.tokens.at < brace; this.tokens.at++) typeName += this.tokens.textOf(this.tokens.at);
    const id = this.idOfToken(this.tokens.at++);
    const fields: StructField[] = [];
    let height = 0;
    while (this.tokens.kind() !== Kind.closeBrace) {
      if (this.#skipLastComma(fields.length, Kind.closeBrace)) break;
      fields.push(this.#field());
      height = Math.max(height, this.height);
    }
    this.tokens.at++;
    this.height = height;
    return { kind: "struct", id, typeName, fields };
  }

  #field(): StructField {
    const optional = this.#takeOptional();
    const name = this.#fieldName(this.tokens.at++);
    const id = this.idOfToken(this.tokens.at);
    this.expect(Kind.colon);
    return { id, name, value: this.expr(), optional };
  }

  #list(): Expr {
    const id = this.idOfToken(this.tokens.at++);
    const elements: Expr[] = [];
    const optionalIndices: number[] = [];
    let height = 0;
    while (this.tokens.kind() !== Kind.closeBracket) {
      if (this.#skipLastComma(elements.length, Kind.closeBracket)) break;
      if (this.#takeOptional()) optionalIndices.push(elements.length);
      elements.push(this.expr());
      height = Math.max(height, this.height);
    }
    this.tokens.at++;
    this.height = height;
    return { kind: "list", id, elements, optionalIndices };
  }

  #map(): Expr {
    const id = this.idOfToken(this.tokens.at++);
    const entries: MapEntry[] = [];
    let height = 0;
    while (this.tokens.kind() !== Kind.closeBrace) {
      if (this.#skipLastComma(entries.length, Kind.closeBrace)) break;
      entries.push(this.#entry());
      height = Math.max(height, this.height);
    }
    this.tokens.at++;
    this.height = height;
    return { kind: "map", id, entries };
  }

  #entry(): MapEntry {
    const optional = this.#takeOptional();
    const id = this.ast.allocate(-1, -1);
    const key = this.expr();
    const keyHeight = this.height;
    const colon = this.tokens.at;
    this.expect(Kind.colon);
    const start = this.tokens.startOf(colon);
    this.ast.place(id, start, start + this.tokens.lengthOf(colon));
    const value = this.expr();
    this.height = Math.max(keyHeight, this.height);
    return { id, key, value, optional };
  }

  /**
   * Steps over the comma before the next element; true if it was the one that may end a list. The grammar
   * even allows it alone: `[,]` and `{,}` are empty.
   */
  #skipLastComma(count: number, closing: number): boolean {
    if (count === 0 && this.tokens.kind() !== Kind.comma) return false;
    this.expect(Kind.comma);
    if (this.tokens.kind() === closing) return true;
    if (count === 0) throw rejection;
    return false;
  }

  #args(): Expr[] {
    const args: Expr[] = [];
    let height = 0;
    if (this.tokens.kind() !== Kind.closeParen) {
      args.push(this.expr());
      height = this.height;
      while (this.tokens.kind() === Kind.comma) {
        this.tokens.at++;
        args.push(this.expr());
        height = Math.max(height, this.height);
      }
    }
    this.expect(Kind.closeParen);
    this.height = height;
    return args;
  }

  #macroOr(id: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const expanded = this.ast.expand(id, name, target, args);
    if (expanded === undefined) return call(id, name, target, args);
    if (isMacroProblem(expanded)) throw rejection;
    return expanded;
  }

  #literal(token: number): Expr {
    if (this.tokens.kindAt(token) === Kind.minus) return this.#negative(token);
    const value = parseConstant(this.tokens.kindAt(token), this.tokens.textOf(token));
    if (value === undefined) throw rejection;
    return { kind: "literal", id: this.idOfToken(token), value };
  }

  #negative(sign: number): Expr {
    const digits = this.tokens.at++;
    const value = parseNumber(this.tokens.kindAt(digits), this.tokens.textOf(digits), true);
    if (value === undefined) throw rejection;
    const start = this.tokens.startOf(sign);
    // Blanks between the sign and the digits do not count as length.
    const stop = start + 1 + this.tokens.lengthOf(digits);
    return { kind: "literal", id: this.ast.allocate(start, stop), value };
  }

  #fieldName(token: number): string {
    const kind = this.tokens.kindAt(token);
    if (kind === Kind.identifier) return this.tokens.textOf(token);
    if (kind !== Kind.escapedIdentifier || !this.#options.identifierEscapeSyntax) throw rejection;
    return this.tokens.textOf(token).slice(1, -1);
  }

  #takeOptional(): boolean {
    if (this.tokens.kind() !== Kind.question) return false;
    if (!this.#options.optionalSyntax) throw rejection;
    this.tokens.at++;
    return true;
  }

  protected raise(height: number): void {
    this.height = Math.max(height, this.height) + 1;
    if (this.height > this.maxDepth) throw rejection;
  }

  protected expect(kind: number): void {
    if (!this.tokens.take(kind)) throw rejection;
  }

  protected idOfToken(token: number): number {
    const start = this.tokens.startOf(token);
    return this.ast.allocate(start, start + this.tokens.lengthOf(token));
  }
}
