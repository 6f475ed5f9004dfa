/**
 * The branches of an expression: the parts that decide what else is evaluated. These are the operands of `||` and `&&`,
 * conditions, predicates of loops, and tests whether a field is present.
 */
import type { Value } from "@portcullis/cel";
import { type Ast, type Expr, type SourceInfo, unparse, walk } from "@portcullis/cel/internal";
import { oneLine } from "../policy/explain.ts";

export interface BranchCoverage {
  /** The part, as it would be written on one line. */
  readonly text: string;
  /** Where it begins in the expression, from 1. */
  readonly line: number;
  readonly column: number;
  readonly isTrueSeen: boolean;
  readonly isFalseSeen: boolean;
}

type Counter = { -readonly [Key in keyof BranchCoverage]: BranchCoverage[Key] };

export class Branches {
  readonly #counters: ReadonlyMap<number, Counter>;

  constructor(ast: Ast) {
    this.#counters = new Map([...pointsIn(ast.checked.expr)].map((expr) => [expr.id, counterOf(expr, ast)]));
  }

  get isEmpty(): boolean {
    return this.#counters.size === 0;
  }

  /** The value of a part of the expression. */
  note(id: number, value: Value): void {
    const counter = typeof value === "boolean" ? this.#counters.get(id) : undefined;
    if (counter === undefined) return;
    if (value === true) counter.isTrueSeen = true;
    else counter.isFalseSeen = true;
  }

  list(): readonly BranchCoverage[] {
    return [...this.#counters.values()].sort((left, right) => left.line - right.line || left.column - right.column);
  }
}

function pointsIn(expr: Expr): ReadonlySet<Expr> {
  const found = new Set<Expr>();
  walk(expr, (each) => {
    for (const point of ownPoints(each)) {
      const decisive = withoutNegation(point);
      if (isPoint(decisive)) found.add(decisive);
    }
  });
  return found;
}

/** The parts that decide what the expression does. */
function ownPoints(expr: Expr): readonly Expr[] {
  if (expr.kind === "select") return expr.testOnly ? [expr] : [];
  if (expr.kind !== "call") return [];
  if (expr.function === "_||_" || expr.function === "_&&_") return expr.args;
  return expr.function === "_?_:_" ? expr.args.slice(0, 1) : [];
}

function withoutNegation(expr: Expr): Expr {
  const [operand] = expr.kind === "call" && expr.function === "!_" ? expr.args : [];
  return operand === undefined ? expr : withoutNegation(operand);
}

/** What a macro adds is not written by anyone; of a chain, the operands count. */
function isPoint(expr: Expr): boolean {
  if (expr.kind === "literal") return false;
  if (expr.kind === "ident") return expr.name !== "@result" && expr.name !== "__result__";
  return expr.kind !== "call" || !["_||_", "_&&_", "@not_strictly_false"].includes(expr.function);
}

function counterOf(expr: Expr, { source, checked }: Ast): Counter {
  const { line, column } = source.locate(startOf(expr, checked.info));
  const text = oneLine(unparse(expr, checked.info));
  return { text, line, column: column + 1, isTrueSeen: false, isFalseSeen: false };
}

/** Operators have the position of their symbol, and macros that of their parenthesis. */
function startOf(expr: Expr, { positions, macroCalls }: SourceInfo): number {
  let start = Number.POSITIVE_INFINITY;
  walk(expr, ({ id }) => {
    const macro = macroCalls.get(id);
    const name = macro !== undefined && macro.target === undefined ? macro.function.length : 0;
    const position = positions.get(id);
    if (position !== undefined) start = Math.min(start, position.start - name);
  });
  return Number.isFinite(start) ? start : 0;
}

export function isBranchCovered({ isTrueSeen, isFalseSeen }: BranchCoverage): boolean {
  return isTrueSeen && isFalseSeen;
}
