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
import type { Expr, ParsedAst } from "../ast/expr.ts";
import { balance, call } from "./builder.ts";
import { Kind, tokenize } from "./lexer.ts";
import { OperandParser, rejection } from "./operand-parser.ts";
import type { ParseOptions } from "./options.ts";
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

class FastParser extends OperandParser {
  #exprDepth = 0;
  #relationDepth = 0;
  #calcDepth = 0;

  parse(): ParsedAst {
    const expr = this.expr();
    this.expect(Kind.end);
    return { expr, info: this.ast.info };
  }

  protected override expr(): Expr {
    if (++this.#exprDepth > this.maxDepth) throw rejection;
    const condition = this.#or();
    const expr = this.tokens.kind() === Kind.question ? this.#ternary(condition) : condition;
    this.#exprDepth--;
    return expr;
  }

  #ternary(condition: Expr): Expr {
    let height = this.height;
    const id = this.idOfToken(this.tokens.at++);
    const whenTrue = this.#or();
    height = Math.max(height, this.height);
    this.expect(Kind.colon);
    const whenFalse = this.expr();
    this.raise(height);
    return call(id, "_?_:_", undefined, [condition, whenTrue, whenFalse]);
  }

  #or(): Expr {
    const first = this.#and();
    return this.tokens.kind() === Kind.or ? this.#chain(first, "_||_") : first;
  }

  #and(): Expr {
    const first = this.#relation();
    return this.tokens.kind() === Kind.and ? this.#chain(first, "_&&_") : first;
  }

  #chain(first: Expr, name: "_||_" | "_&&_"): Expr {
    const terms = [first];
    const ids: number[] = [];
    const symbol = this.tokens.kind();
    let height = this.height;
    while (this.tokens.kind() === symbol) {
      const operator = this.tokens.at++;
      terms.push(name === "_||_" ? this.#and() : this.#relation());
      ids.push(this.idOfToken(operator));
      height = Math.max(height, this.height);
    }
    this.height = height;
    return balance(name, terms, ids);
  }

  #relation(): Expr {
    if (++this.#relationDepth > this.maxDepth) throw rejection;
    let expr = this.#calc(SUM);
    for (;;) {
      const name = relationOperators[this.tokens.kind()];
      if (name === undefined) break;
      const height = this.height;
      const id = this.idOfToken(this.tokens.at++);
      // The right operand is a relation of its own in the grammar, though it cannot take in another operator.
      if (++this.#relationDepth > this.maxDepth) throw rejection;
      const right = this.#calc(SUM);
      this.#relationDepth--;
      this.raise(height);
      expr = call(id, name, undefined, [expr, right]);
    }
    this.#relationDepth--;
    return expr;
  }

  #calc(binding: number): Expr {
    if (++this.#calcDepth > this.maxDepth) throw rejection;
    let expr = this.#unary();
    while (binding < OPERAND) {
      const kind = this.tokens.kind();
      const product = productOperators[kind];
      const name = product ?? (binding === SUM ? sumOperators[kind] : undefined);
      if (name === undefined) break;
      const height = this.height;
      const id = this.idOfToken(this.tokens.at++);
      const right = this.#calc(product === undefined ? PRODUCT : OPERAND);
      this.raise(height);
      expr = call(id, name, undefined, [expr, right]);
    }
    this.#calcDepth--;
    return expr;
  }

  /** `!!a` is `a` and `--a` is `a`; the sign of a single `-1` belongs to the literal. */
  #unary(): Expr {
    const kind = this.tokens.kind();
    if (kind === Kind.not) return this.#repeated(kind, "!_");
    if (kind === Kind.minus && !this.isNumber(this.tokens.at + 1)) return this.#repeated(kind, "-_");
    return this.member();
  }

  #repeated(kind: number, name: string): Expr {
    const first = this.tokens.at;
    while (this.tokens.kind() === kind) this.tokens.at++;
    if ((this.tokens.at - first) % 2 === 0) return this.member();
    const id = this.idOfToken(first);
    return call(id, name, undefined, [this.member()]);
  }
}
