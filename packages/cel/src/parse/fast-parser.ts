/**
 * The parser for valid text: recursive descent over the lexer's tokens.
 *
 * It accepts exactly what cel-go accepts, with the same tree and ids, and stops at the first problem
 * without a message; `syntax-errors.ts` then finds the message. Ids are assigned in cel-go's order, which visits
 * a finished parse tree: an operator before its right operand, but `&&` and `||` after it, and the colon of a
 * map entry before its key.
 *
 * cel-go limits recursion twice, and both limits must agree or an expression would be accepted on one side
 * only: its parser counts how deep each grammar rule nests, where only `expr`, `relation` and `calc` can be
 * the first over the limit; its tree visitor counts selections, calls of methods, indexing, ternaries and
 * binary operators on a path, which is the height measured here.
 */
import type { Expr, MapEntry, ParsedAst, StructField } from "../ast/expr.ts";
import { AstBuilder, balance, call, isMacroProblem } from "./builder.ts";
import { Kind, tokenize } from "./lexer.ts";
import { parseConstant, parseNumber } from "./literals.ts";
import type { ParseOptions } from "./options.ts";
import { reservedWords } from "./reserved.ts";
import { TokenCursor } from "./token-cursor.ts";

/** The tree of a valid expression; undefined for any other text. */
export function parseValid(text: string, options: ParseOptions): ParsedAst | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  try {
    return new FastParser(new TokenCursor(text, tokens), options).parse();
  } catch (thrown) {
    if (thrown === rejection) return undefined;
    throw thrown;
  }
}

/** Thrown to leave the recursion; created once, because stack traces are expensive. */
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
  readonly #tokens: TokenCursor;
  readonly #ast: AstBuilder;
  readonly #options: ParseOptions;
  readonly #maxDepth: number;
  #exprDepth = 0;
  #relationDepth = 0;
  #calcDepth = 0;
  /** How deep cel-go's visitor would recurse into the expression parsed last. */
  #height = 0;

  constructor(tokens: TokenCursor, options: ParseOptions) {
    this.#tokens = tokens;
    this.#ast = new AstBuilder(options);
    this.#options = options;
    this.#maxDepth = options.maxRecursionDepth;
  }

  parse(): ParsedAst {
    const expr = this.#expr();
    this.#expect(Kind.end);
    return { expr, info: this.#ast.info };
  }

  #expr(): Expr {
    if (++this.#exprDepth > this.#maxDepth) throw rejection;
    const condition = this.#or();
    const expr = this.#tokens.kind() === Kind.question ? this.#ternary(condition) : condition;
    this.#exprDepth--;
    return expr;
  }

  #ternary(condition: Expr): Expr {
    let height = this.#height;
    const id = this.#idOfToken(this.#tokens.at++);
    const whenTrue = this.#or();
    height = Math.max(height, this.#height);
    this.#expect(Kind.colon);
    const whenFalse = this.#expr();
    this.#raise(height);
    return call(id, "_?_:_", undefined, [condition, whenTrue, whenFalse]);
  }

  #or(): Expr {
    const first = this.#and();
    return this.#tokens.kind() === Kind.or ? this.#chain(first, "_||_") : first;
  }

  #and(): Expr {
    const first = this.#relation();
    return this.#tokens.kind() === Kind.and ? this.#chain(first, "_&&_") : first;
  }

  #chain(first: Expr, name: "_||_" | "_&&_"): Expr {
    const terms = [first];
    const ids: number[] = [];
    const symbol = this.#tokens.kind();
    let height = this.#height;
    while (this.#tokens.kind() === symbol) {
      const operator = this.#tokens.at++;
      terms.push(name === "_||_" ? this.#and() : this.#relation());
      ids.push(this.#idOfToken(operator));
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return balance(name, terms, ids);
  }

  #relation(): Expr {
    if (++this.#relationDepth > this.#maxDepth) throw rejection;
    let expr = this.#calc(SUM);
    for (;;) {
      const name = relationOperators[this.#tokens.kind()];
      if (name === undefined) break;
      const height = this.#height;
      const id = this.#idOfToken(this.#tokens.at++);
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
      const kind = this.#tokens.kind();
      const product = productOperators[kind];
      const name = product ?? (binding === SUM ? sumOperators[kind] : undefined);
      if (name === undefined) break;
      const height = this.#height;
      const id = this.#idOfToken(this.#tokens.at++);
      const right = this.#calc(product === undefined ? PRODUCT : OPERAND);
      this.#raise(height);
      expr = call(id, name, undefined, [expr, right]);
    }
    this.#calcDepth--;
    return expr;
  }

  /** `!!a` is `a` and `--a` is `a`; the sign of a single `-1` belongs to the literal. */
  #unary(): Expr {
    const kind = this.#tokens.kind();
    if (kind === Kind.not) return this.#repeated(kind, "!_");
    if (kind === Kind.minus && !this.#isNumber(this.#tokens.at + 1)) return this.#repeated(kind, "-_");
    return this.#member();
  }

  #repeated(kind: number, name: string): Expr {
    const first = this.#tokens.at;
    while (this.#tokens.kind() === kind) this.#tokens.at++;
    if ((this.#tokens.at - first) % 2 === 0) return this.#member();
    const id = this.#idOfToken(first);
    return call(id, name, undefined, [this.#member()]);
  }

  #isNumber(index: number): boolean {
    const kind = this.#tokens.kindAt(index);
    return kind === Kind.int || kind === Kind.double;
  }

  #member(): Expr {
    let expr = this.#primary();
    for (;;) {
      const kind = this.#tokens.kind();
      if (kind === Kind.dot) expr = this.#selection(expr);
      else if (kind === Kind.openBracket) expr = this.#index(expr);
      else return expr;
    }
  }

  #selection(operand: Expr): Expr {
    const dot = this.#tokens.at++;
    const optional = this.#takeOptional();
    const nameToken = this.#tokens.at++;
    const name = this.#fieldName(nameToken);
    if (!optional && this.#tokens.kind() === Kind.openParen && this.#tokens.kindAt(nameToken) === Kind.identifier) {
      return this.#memberCall(operand, name);
    }
    this.#raise(this.#height);
    if (!optional) return { kind: "select", id: this.#idOfToken(dot), operand, field: name, testOnly: false };
    const field: Expr = { kind: "literal", id: this.#idOfToken(nameToken), value: name };
    return call(this.#idOfToken(dot), "_?._", undefined, [operand, field]);
  }

  #memberCall(target: Expr, name: string): Expr {
    const height = this.#height;
    const id = this.#idOfToken(this.#tokens.at++);
    const args = this.#args();
    this.#raise(height);
    return this.#macroOr(id, name, target, args);
  }

  #index(operand: Expr): Expr {
    const height = this.#height;
    const id = this.#idOfToken(this.#tokens.at++);
    const name = this.#takeOptional() ? "_[?_]" : "_[_]";
    const index = this.#expr();
    this.#expect(Kind.closeBracket);
    this.#raise(height);
    return call(id, name, undefined, [operand, index]);
  }

  #primary(): Expr {
    this.#height = 0;
    const token = this.#tokens.at;
    switch (this.#tokens.kindAt(token)) {
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
        this.#tokens.at++;
        return this.#literal(token);
    }
  }

  #nested(): Expr {
    this.#tokens.at++;
    const expr = this.#expr();
    this.#expect(Kind.closeParen);
    return expr;
  }

  /** A variable, a function call or the construction of a message. */
  #named(): Expr {
    const prefix = this.#tokens.kind() === Kind.dot ? "." : "";
    if (prefix !== "") this.#tokens.at++;
    const nameToken = this.#tokens.at;
    if (this.#tokens.kind() !== Kind.identifier) throw rejection;
    const brace = this.#messageBrace();
    if (brace !== undefined) return this.#message(prefix, brace);
    this.#tokens.at++;
    const name = this.#tokens.textOf(nameToken);
    if (reservedWords.has(name)) throw rejection;
    if (this.#tokens.kind() !== Kind.openParen) {
      return { kind: "ident", id: this.#idOfToken(nameToken), name: prefix + name };
    }
    const id = this.#idOfToken(this.#tokens.at++);
    return this.#macroOr(id, prefix + name, undefined, this.#args());
  }

  /** The token of the `{` that makes the dotted name here a message's. */
  #messageBrace(): number | undefined {
    let at = this.#tokens.at + 1;
    while (this.#tokens.kindAt(at) === Kind.dot && this.#tokens.kindAt(at + 1) === Kind.identifier) at += 2;
    return this.#tokens.kindAt(at) === Kind.openBrace ? at : undefined;
  }

  #message(prefix: string, brace: number): Expr {
    let typeName = prefix;
    for (; this.#tokens.at < brace; this.#tokens.at++) typeName += this.#tokens.textOf(this.#tokens.at);
    const id = this.#idOfToken(this.#tokens.at++);
    const fields: StructField[] = [];
    let height = 0;
    while (this.#tokens.kind() !== Kind.closeBrace) {
      if (this.#skipLastComma(fields.length, Kind.closeBrace)) break;
      fields.push(this.#field());
      height = Math.max(height, this.#height);
    }
    this.#tokens.at++;
    this.#height = height;
    return { kind: "struct", id, typeName, fields };
  }

  #field(): StructField {
    const optional = this.#takeOptional();
    const name = this.#fieldName(this.#tokens.at++);
    const id = this.#idOfToken(this.#tokens.at);
    this.#expect(Kind.colon);
    return { id, name, value: this.#expr(), optional };
  }

  #list(): Expr {
    const id = this.#idOfToken(this.#tokens.at++);
    const elements: Expr[] = [];
    const optionalIndices: number[] = [];
    let height = 0;
    while (this.#tokens.kind() !== Kind.closeBracket) {
      if (this.#skipLastComma(elements.length, Kind.closeBracket)) break;
      if (this.#takeOptional()) optionalIndices.push(elements.length);
      elements.push(this.#expr());
      height = Math.max(height, this.#height);
    }
    this.#tokens.at++;
    this.#height = height;
    return { kind: "list", id, elements, optionalIndices };
  }

  #map(): Expr {
    const id = this.#idOfToken(this.#tokens.at++);
    const entries: MapEntry[] = [];
    let height = 0;
    while (this.#tokens.kind() !== Kind.closeBrace) {
      if (this.#skipLastComma(entries.length, Kind.closeBrace)) break;
      entries.push(this.#entry());
      height = Math.max(height, this.#height);
    }
    this.#tokens.at++;
    this.#height = height;
    return { kind: "map", id, entries };
  }

  #entry(): MapEntry {
    const optional = this.#takeOptional();
    const id = this.#ast.allocate(-1, -1);
    const key = this.#expr();
    const keyHeight = this.#height;
    const colon = this.#tokens.at;
    this.#expect(Kind.colon);
    const start = this.#tokens.startOf(colon);
    this.#ast.place(id, start, start + this.#tokens.lengthOf(colon));
    const value = this.#expr();
    this.#height = Math.max(keyHeight, this.#height);
    return { id, key, value, optional };
  }

  /**
   * Steps over the comma before the next element; true if it was the one that may end a list. The grammar
   * even allows it alone: `[,]` and `{,}` are empty.
   */
  #skipLastComma(count: number, closing: number): boolean {
    if (count === 0 && this.#tokens.kind() !== Kind.comma) return false;
    this.#expect(Kind.comma);
    if (this.#tokens.kind() === closing) return true;
    if (count === 0) throw rejection;
    return false;
  }

  #args(): Expr[] {
    const args: Expr[] = [];
    let height = 0;
    if (this.#tokens.kind() !== Kind.closeParen) {
      args.push(this.#expr());
      height = this.#height;
      while (this.#tokens.kind() === Kind.comma) {
        this.#tokens.at++;
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
    if (this.#tokens.kindAt(token) === Kind.minus) return this.#negative(token);
    const value = parseConstant(this.#tokens.kindAt(token), this.#tokens.textOf(token));
    if (value === undefined) throw rejection;
    return { kind: "literal", id: this.#idOfToken(token), value };
  }

  #negative(sign: number): Expr {
    const digits = this.#tokens.at++;
    const value = parseNumber(this.#tokens.kindAt(digits), this.#tokens.textOf(digits), true);
    if (value === undefined) throw rejection;
    const start = this.#tokens.startOf(sign);
    // Blanks between the sign and the digits do not count as length.
    const stop = start + 1 + this.#tokens.lengthOf(digits);
    return { kind: "literal", id: this.#ast.allocate(start, stop), value };
  }

  #fieldName(token: number): string {
    const kind = this.#tokens.kindAt(token);
    if (kind === Kind.identifier) return this.#tokens.textOf(token);
    if (kind !== Kind.escapedIdentifier || !this.#options.identifierEscapeSyntax) throw rejection;
    return this.#tokens.textOf(token).slice(1, -1);
  }

  #takeOptional(): boolean {
    if (this.#tokens.kind() !== Kind.question) return false;
    if (!this.#options.optionalSyntax) throw rejection;
    this.#tokens.at++;
    return true;
  }

  #raise(height: number): void {
    this.#height = Math.max(height, this.#height) + 1;
    if (this.#height > this.#maxDepth) throw rejection;
  }

  #expect(kind: number): void {
    if (!this.#tokens.take(kind)) throw rejection;
  }

  #idOfToken(token: number): number {
    const start = this.#tokens.startOf(token);
    return this.#ast.allocate(start, start + this.#tokens.lengthOf(token));
  }
}
