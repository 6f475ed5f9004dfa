/**
 * Follows the visitor of cel-go parser/parser.go: ANTLR's parse tree to syntax tree and issues.
 *
 * After a syntax error any part of the tree may be missing or hold tokens that are not in the text. What
 * cannot be read becomes a placeholder; macros treat it as neither a name nor a selection, and report it
 * in addition, as cel-go's do.
 */
import type { Token } from "antlr4ng";
import type { Expr, MapEntry, ParsedAst, StructField } from "../ast/expr.ts";
import { type Issue, noLocation } from "../issue.ts";
import type { Source } from "../source.ts";
import * as antlr from "./antlr/generated/cel-parser.ts";
import { AstBuilder, balance, call, isMacroProblem } from "./builder.ts";
import {
  maxRecursionDepthExceeded,
  operatorNotFound,
  reservedIdentifier,
  unexpectedCharacter,
  unknownParseElement,
  unsupportedBackquote,
  unsupportedIdentKind,
  unsupportedSyntax,
} from "./messages.ts";
import type { ParseOptions } from "./options.ts";
import { recoveredLiteral } from "./recovered-literal.ts";
import { isPresent, placeholder, RecoveryReport, textOf } from "./recovery-report.ts";
import { reservedWords } from "./reserved.ts";
import { type Node, unnest } from "./unnest.ts";

/** Thrown to stop parsing at a limit; never leaves the parser. */
export class Abandoned extends Error {
  /** What to report about the expression as a whole; undefined if the reason has been reported. */
  readonly finding: string | undefined;

  constructor(finding: string | undefined) {
    super("parsing was abandoned");
    this.finding = finding;
  }
}

const binaryOperators: ReadonlyMap<string, string> = new Map([
  ["+", "_+_"],
  ["-", "_-_"],
  ["*", "_*_"],
  ["/", "_/_"],
  ["%", "_%_"],
  ["==", "_==_"],
  ["!=", "_!=_"],
  ["<", "_<_"],
  ["<=", "_<=_"],
  [">", "_>_"],
  [">=", "_>=_"],
  ["in", "@in"],
]);

export class RecoveredTree {
  readonly #options: ParseOptions;
  readonly #ast: AstBuilder;
  readonly #report: RecoveryReport;
  #depth = 0;

  constructor(source: Source, options: ParseOptions, issues: Issue[]) {
    this.#options = options;
    this.#ast = new AstBuilder(options);
    this.#report = new RecoveryReport(source, this.#ast, issues);
  }

  build(tree: antlr.StartContext): ParsedAst {
    const expr = this.#visit(tree.expr());
    return { expr, info: this.#ast.info };
  }

  #visit(tree: Node): Expr {
    const node = unnest(tree);
    if (node instanceof antlr.ExprContext) return this.#deeper(() => this.#ternary(node));
    if (node instanceof antlr.OrContext) return this.#logical(node, "_||_", "||");
    if (node instanceof antlr.AndContext) return this.#logical(node, "_&&_", "&&");
    if (node instanceof antlr.RelationContext) {
      return this.#deeper(() => this.#binary(node, [node.relation(0), node.relation(1)]));
    }
    if (node instanceof antlr.CalcContext) {
      return this.#deeper(() => this.#binary(node, [node.calc(0), node.calc(1)]));
    }
    if (node instanceof antlr.UnaryContext) return this.#unary(node);
    if (node instanceof antlr.MemberContext) return this.#member(node);
    if (node instanceof antlr.PrimaryContext) return this.#primary(node);
    if (node instanceof antlr.LiteralContext) return recoveredLiteral(node, this.#report) ?? this.#unknown();
    return this.#unknown();
  }

  #deeper(visit: () => Expr): Expr {
    if (++this.#depth > this.#options.maxRecursionDepth) throw new Abandoned(maxRecursionDepthExceeded);
    const expr = visit();
    this.#depth--;
    return expr;
  }

  /** A part that recovery left unusable. A syntax error has already reported it. */
  #unknown(): Expr {
    if (this.#report.isEmpty) return this.#report.at(noLocation, unknownParseElement);
    return placeholder(this.#ast.allocate(-1, -1));
  }

  #ternary(node: antlr.ExprContext): Expr {
    const condition = this.#visit(node._condition);
    const id = this.#report.idOfToken(node._question);
    const whenTrue = this.#visit(node._whenTrue);
    const whenFalse = this.#visit(node._whenFalse);
    return call(id, "_?_:_", undefined, [condition, whenTrue, whenFalse]);
  }

  #logical(node: antlr.OrContext | antlr.AndContext, name: string, symbol: string): Expr {
    const terms = [this.#visit(node._first)];
    const ids: number[] = [];
    for (const [i, operator] of node._operators.entries()) {
      const next = node._rest[i];
      if (next === undefined) return this.#report.atRule(node, unexpectedCharacter(symbol));
      terms.push(this.#visit(next));
      ids.push(this.#report.idOfToken(operator));
    }
    return balance(name, terms, ids);
  }

  #binary(node: antlr.RelationContext | antlr.CalcContext, [left, right]: readonly [Node, Node]): Expr {
    const name = binaryOperators.get(textOf(node._operator));
    if (name === undefined) return this.#report.atRule(node, operatorNotFound);
    const first = this.#visit(left);
    const id = this.#report.idOfToken(node._operator);
    return call(id, name, undefined, [first, this.#visit(right)]);
  }

  #unary(node: antlr.UnaryContext): Expr {
    if (node instanceof antlr.NotContext) return this.#repeated(node, "!_");
    if (node instanceof antlr.NegateContext) return this.#repeated(node, "-_");
    return { kind: "literal", id: this.#report.idOfRule(node), value: "<<error>>" };
  }

  #repeated(node: antlr.NotContext | antlr.NegateContext, name: string): Expr {
    if (node._operators.length % 2 === 0) return this.#visit(node.member());
    const id = this.#report.idOfToken(node._operators[0]);
    return call(id, name, undefined, [this.#visit(node.member())]);
  }

  #member(node: antlr.MemberContext): Expr {
    if (node instanceof antlr.SelectContext) return this.#deeper(() => this.#select(node));
    if (node instanceof antlr.MemberCallContext) return this.#deeper(() => this.#memberCall(node));
    if (node instanceof antlr.IndexContext) return this.#deeper(() => this.#index(node));
    return this.#unknown();
  }

  #select(node: antlr.SelectContext): Expr {
    const operand = this.#visit(node.member());
    const { _property: property, _dot: dot } = node;
    if (!property || !dot) return placeholder(this.#report.idOfRule(node));
    const { name, problem } = this.#fieldName(property);
    if (problem !== undefined) this.#report.atRule(property, problem);
    if (!node._optional)
      return { kind: "select", id: this.#report.idOfToken(dot), operand, field: name, testOnly: false };
    if (!this.#options.optionalSyntax) return this.#report.atToken(dot, unsupportedSyntax(".?"));
    const field: Expr = { kind: "literal", id: this.#report.idOfRule(property), value: name };
    return call(this.#report.idOfToken(dot), "_?._", undefined, [operand, field]);
  }

  #fieldName(node: Node): { name: string; problem: string | undefined } {
    if (node instanceof antlr.PlainNameContext) return { name: textOf(node._name), problem: undefined };
    if (!(node instanceof antlr.EscapedNameContext)) return { name: "", problem: unsupportedIdentKind };
    if (!this.#options.identifierEscapeSyntax) return { name: "", problem: unsupportedBackquote };
    return { name: textOf(node._name).slice(1, -1), problem: undefined };
  }

  #memberCall(node: antlr.MemberCallContext): Expr {
    const target = this.#visit(node.member());
    if (!node._name) return placeholder(this.#report.idOfRule(node));
    const id = this.#report.idOfToken(node._open);
    return this.#macroOr(id, textOf(node._name), target, this.#args(node._args));
  }

  #index(node: antlr.IndexContext): Expr {
    const operand = this.#visit(node.member());
    if (!node._open) return placeholder(this.#report.idOfRule(node));
    const id = this.#report.idOfToken(node._open);
    const index = this.#visit(node._index);
    if (!node._optional) return call(id, "_[_]", undefined, [operand, index]);
    if (!this.#options.optionalSyntax) return this.#report.atToken(node._open, unsupportedSyntax("[?"));
    return call(id, "_[?_]", undefined, [operand, index]);
  }

  #primary(node: antlr.PrimaryContext): Expr {
    if (node instanceof antlr.VariableContext) return this.#variable(node);
    if (node instanceof antlr.GlobalCallContext) return this.#globalCall(node);
    if (node instanceof antlr.ListContext) return this.#list(node);
    if (node instanceof antlr.MapContext) {
      const id = this.#report.idOfToken(node._open);
      return { kind: "map", id, entries: this.#entries(node._content) };
    }
    if (node instanceof antlr.MessageContext) return this.#message(node);
    return this.#unknown();
  }

  #variable(node: antlr.VariableContext): Expr {
    if (!node._name) return placeholder(this.#report.idOfRule(node));
    const name = textOf(node._name);
    if (reservedWords.has(name)) return this.#report.atRule(node, reservedIdentifier(name));
    return { kind: "ident", id: this.#report.idOfToken(node._name), name: dotOf(node) + name };
  }

  #globalCall(node: antlr.GlobalCallContext): Expr {
    if (!node._name) return placeholder(this.#report.idOfRule(node));
    const name = textOf(node._name);
    if (reservedWords.has(name)) return this.#report.atRule(node, reservedIdentifier(name));
    const id = this.#report.idOfToken(node._open);
    return this.#macroOr(id, dotOf(node) + name, undefined, this.#args(node._args));
  }

  #args(node: antlr.ArgumentsContext | undefined): Expr[] {
    return (node?._list ?? []).map((arg) => this.#visit(arg));
  }

  #list(node: antlr.ListContext): Expr {
    const id = this.#report.idOfToken(node._open);
    const optionalIndices: number[] = [];
    const elements = (node._content?._list ?? []).map((element, i) => {
      const expr = this.#visit(element._value);
      if (element._optional) {
        if (this.#options.optionalSyntax) optionalIndices.push(i);
        else this.#report.atToken(element._optional, unsupportedSyntax("?"));
      }
      return expr;
    });
    return { kind: "list", id, elements, optionalIndices };
  }

  #entries(node: antlr.EntriesContext | undefined): MapEntry[] {
    const entries: MapEntry[] = [];
    for (const [i, colon] of (node?._colons ?? []).entries()) {
      const id = this.#report.idOfToken(colon);
      const element = node?._keys[i];
      const given = node?._values[i];
      if (element === undefined || given === undefined) return [];
      const optional = isPresent(element._optional);
      if (optional && !this.#options.optionalSyntax) {
        this.#report.atRule(element, unsupportedSyntax("?"));
        continue;
      }
      const key = this.#visit(element._value);
      entries.push({ id, key, value: this.#visit(given), optional });
    }
    return entries;
  }

  #message(node: antlr.MessageContext): Expr {
    const typeName = dotOf(node) + node._names.map(textOf).join(".");
    const id = this.#report.idOfToken(node._open);
    return { kind: "struct", id, typeName, fields: this.#fields(node._content) };
  }

  #fields(node: antlr.FieldsContext | undefined): StructField[] {
    const fields: StructField[] = [];
    for (const [i, field] of (node?._names ?? []).entries()) {
      const colon = node?._colons[i];
      const given = node?._values[i];
      if (node === undefined || colon === undefined || given === undefined) return [];
      const id = this.#report.idOfToken(colon);
      const optional = isPresent(field._optional);
      if (optional && !this.#options.optionalSyntax) {
        this.#report.atRule(field, unsupportedSyntax("?"));
        continue;
      }
      const { name, problem } = this.#fieldName(field.fieldName());
      if (problem === undefined) fields.push({ id, name, value: this.#visit(given), optional });
      // Reported where the list of fields starts, not at the field.
      else this.#report.atRule(node, problem);
    }
    return fields;
  }

  #macroOr(id: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const expanded = this.#ast.expand(id, name, target, args);
    if (expanded === undefined) return call(id, name, target, args);
    if (!isMacroProblem(expanded)) return expanded;
    const location = this.#report.locationOf(expanded.at);
    this.#ast.release(id);
    return this.#report.at(location, expanded.problem);
  }
}

function dotOf(node: { readonly _leadingDot?: Token | null }): string {
  return isPresent(node._leadingDot) ? "." : "";
}
