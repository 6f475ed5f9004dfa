/** Ids and issues at places of ANTLR's parse tree. */
import { byteLength } from "@portcullis/gostd/utf8";
import type { ParserRuleContext, Token } from "antlr4ng";
import type { Expr } from "../ast/expr.ts";
import { type Issue, noLocation } from "../issue.ts";
import type { Location, Source } from "../source.ts";
import type { AstBuilder } from "./builder.ts";

export type MaybeToken = Token | null | undefined;

export class RecoveryReport {
  readonly #source: Source;
  readonly #ast: AstBuilder;
  readonly #issues: Issue[];

  constructor(source: Source, ast: AstBuilder, issues: Issue[]) {
    this.#source = source;
    this.#ast = ast;
    this.#issues = issues;
  }

  get isEmpty(): boolean {
    return this.#issues.length === 0;
  }

  /** Each of these records a problem and returns a placeholder for the tree. */
  atRule(node: ParserRuleContext, message: string): Expr {
    return this.#atNode(this.idOfRule(node), message);
  }

  atToken(token: Token, message: string): Expr {
    return this.#atNode(this.idOfToken(token), message);
  }

  at(location: Location, message: string): Expr {
    const offset = location === noLocation ? -1 : this.#source.offsetOf(location);
    this.#issues.push({ message, location });
    return placeholder(this.#ast.allocate(offset, offset));
  }

  #atNode(id: number, message: string): Expr {
    this.#issues.push({ message, location: this.locationOf(id) });
    return placeholder(id);
  }

  locationOf(id: number): Location {
    return this.#ast.has(id) ? this.#source.locate(this.#ast.startOf(id)) : noLocation;
  }

  idOfRule(node: ParserRuleContext): number {
    return this.#allocate(node.start, node.getText());
  }

  /** A token that is missing altogether has the id -1, as in cel-go. */
  idOfToken(token: MaybeToken): number {
    return isPresent(token) ? this.#allocate(token, textOf(token)) : -1;
  }

  #allocate(token: MaybeToken, text: string): number {
    const start = isPresent(token) ? this.#source.offsetOf({ line: token.line, column: token.column }) : -1;
    return this.#ast.allocate(start, start + byteLength(text));
  }
}

/** Neither a name nor a selection for macros. The tree that contains it is never returned. */
export function placeholder(id: number): Expr {
  return { kind: "literal", id, value: null };
}

export function isPresent(token: MaybeToken): token is Token {
  return token !== null && token !== undefined;
}

export function textOf(token: MaybeToken): string {
  return token?.text ?? "";
}
