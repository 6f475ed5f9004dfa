/**
 * Follows cel-go parser/helper.go: node ids, positions, macro expansion and the balancing of `&&` and `||`.
 *
 * Both parsers build their trees through this class, so that a tree has the same ids whichever made it.
 */
import type { CallExpr, Expr, MapEntry, SourceInfo, StructField } from "../ast/expr.ts";
import type { MacroBuilder, MacroProblem } from "../types/macro.ts";
import type { Constant } from "../values/value.ts";
import { findMacro, type ParseOptions } from "./options.ts";
import { PositionTable } from "./positions.ts";

export class AstBuilder {
  readonly #options: ParseOptions;
  readonly #positions = new PositionTable();
  #macroCalls: Map<number, CallExpr> | undefined;
  #nextId = 1;

  constructor(options: ParseOptions) {
    this.#options = options;
  }

  get accumulatorName(): string {
    return this.#options.accumulatorName;
  }

  get info(): SourceInfo {
    return { positions: this.#positions, macroCalls: this.#macroCalls ?? noMacroCalls };
  }

  /** A fresh id for a node at this range. */
  allocate(start: number, stop: number): number {
    const id = this.#nextId++;
    this.#positions.set(id, start, stop);
    return id;
  }

  /** Sets the range of an id that was allocated before its position was known. */
  place(id: number, start: number, stop: number): void {
    this.#positions.set(id, start, stop);
  }

  /** Removes a node. Only the latest id is reused. */
  release(id: number): void {
    this.#positions.delete(id);
    if (id === this.#nextId - 1) this.#nextId--;
  }

  has(id: number): boolean {
    return this.#positions.has(id);
  }

  /** The offset where a node starts, or -1 if it is not in the text. */
  startOf(id: number): number {
    return this.#positions.startOf(id);
  }

  /** A fresh id with the range of another node. */
  allocateLike(id: number): number {
    const range = this.#positions.get(id);
    return this.allocate(range?.start ?? 0, range?.stop ?? 0);
  }

  /** The expansion of a macro call; undefined if the call is not one. */
  expand(
    callId: number,
    name: string,
    target: Expr | undefined,
    args: readonly Expr[],
  ): Expr | MacroProblem | undefined {
    const macro = findMacro(this.#options.macros, name, target !== undefined, args.length);
    if (macro === undefined) return undefined;
    const expanded = macro.expand(new MacroNodes(this, callId), target, args);
    if (expanded === undefined) return undefined;
    if ("problem" in expanded) return expanded;
    this.#macroCalls ??= new Map();
    this.#macroCalls.set(expanded.id, { kind: "call", id: 0, function: name, target, args });
    this.release(callId);
    return expanded;
  }
}

const noMacroCalls: ReadonlyMap<number, CallExpr> = new Map();

export function isMacroProblem(result: Expr | MacroProblem): result is MacroProblem {
  return "problem" in result;
}

export function call(id: number, name: string, target: Expr | undefined, args: readonly Expr[]): CallExpr {
  return { kind: "call", id, function: name, target, args };
}

/** A chain of one logical operator as a balanced tree; `ids[i]` is the operator between terms i and i+1. */
export function balance(name: string, terms: readonly Expr[], ids: readonly number[]): Expr {
  const build = (low: number, high: number): Expr => {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? terms[middle] : build(low, middle - 1);
    const right = middle === high ? terms[middle + 1] : build(middle + 1, high);
    if (left === undefined || right === undefined) throw new Error("a logical operator lacks a term");
    return call(ids[middle] ?? 0, name, undefined, [left, right]);
  };
  return build(0, ids.length - 1);
}

/** Gives macros nodes at the position of the call they replace. */
class MacroNodes implements MacroBuilder {
  readonly #ast: AstBuilder;
  readonly #offset: number;

  constructor(ast: AstBuilder, callId: number) {
    this.#ast = ast;
    this.#offset = ast.startOf(callId);
  }

  get accumulatorName(): string {
    return this.#ast.accumulatorName;
  }

  #id(): number {
    return this.#ast.allocate(this.#offset, this.#offset);
  }

  literal(value: Constant): Expr {
    return { kind: "literal", id: this.#id(), value };
  }

  ident(name: string): Expr {
    return { kind: "ident", id: this.#id(), name };
  }

  accumulator(): Expr {
    return this.ident(this.accumulatorName);
  }

  select(operand: Expr, field: string): Expr {
    return { kind: "select", id: this.#id(), operand, field, testOnly: false };
  }

  presenceTest(operand: Expr, field: string): Expr {
    return { kind: "select", id: this.#id(), operand, field, testOnly: true };
  }

  call(functionName: string, ...args: Expr[]): Expr {
    return call(this.#id(), functionName, undefined, args);
  }

  memberCall(functionName: string, target: Expr, ...args: Expr[]): Expr {
    return call(this.#id(), functionName, target, args);
  }

  list(...elements: Expr[]): Expr {
    return { kind: "list", id: this.#id(), elements, optionalIndices: [] };
  }

  map(...entries: MapEntry[]): Expr {
    return { kind: "map", id: this.#id(), entries };
  }

  mapEntry(key: Expr, value: Expr, optional: boolean): MapEntry {
    return { id: this.#id(), key, value, optional };
  }

  comprehension(parts: Parameters<MacroBuilder["comprehension"]>[0]): Expr {
    return {
      kind: "comprehension",
      id: this.#id(),
      range: parts.range,
      iterVar: parts.iterVar,
      iterVar2: parts.iterVar2,
      accuVar: parts.accuVar,
      accuInit: parts.accuInit,
      loopCondition: parts.loopCondition,
      loopStep: parts.loopStep,
      result: parts.result,
    };
  }

  /** Ids are assigned parent first, and a call's arguments come before its target, as in cel-go. */
  copy(expr: Expr): Expr {
    const id = this.#ast.allocateLike(expr.id);
    switch (expr.kind) {
      case "literal":
      case "ident":
        return { ...expr, id };
      case "select":
        return { ...expr, id, operand: this.copy(expr.operand) };
      case "call": {
        const args = expr.args.map((arg) => this.copy(arg));
        return { ...expr, id, target: expr.target && this.copy(expr.target), args };
      }
      case "list":
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case "map":
        return { ...expr, id, entries: expr.entries.map((entry) => this.#copyEntry(entry)) };
      case "struct":
        return { ...expr, id, fields: expr.fields.map((field) => this.#copyField(field)) };
      case "comprehension": {
        const range = this.copy(expr.range);
        const accuInit = this.copy(expr.accuInit);
        const loopCondition = this.copy(expr.loopCondition);
        const loopStep = this.copy(expr.loopStep);
        const result = this.copy(expr.result);
        return { ...expr, id, range, accuInit, loopCondition, loopStep, result };
      }
    }
  }

  #copyEntry(entry: MapEntry): MapEntry {
    const id = this.#id();
    const key = this.copy(entry.key);
    return { ...entry, id, key, value: this.copy(entry.value) };
  }

  #copyField(field: StructField): StructField {
    const id = this.#id();
    return { ...field, id, value: this.copy(field.value) };
  }
}
