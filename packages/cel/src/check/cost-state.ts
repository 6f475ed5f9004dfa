/**
 * The estimator's state by node and by local variable: paths, sizes, sizes of entries.
 *
 * A size comes from the expression itself, else from the embedder's hints, else from the type, else
 * from the variable. Follows cel-go checker/cost.go.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { Expr, IdentExpr } from "../ast/expr.ts";
import type { CostNode, SizeEstimate, SizeHints } from "../types/cost.ts";
import { fixedRange, ONE_RANGE, UNKNOWN_SIZE, unionRanges } from "../types/range.ts";
import { DYN, type Type } from "../types/type.ts";
import { Bytes, type Constant } from "../values/value.ts";
import { optionalElement, withoutWrapper } from "./compare.ts";
import { appendPath, type CostPath, NO_PATH, pathOf, readPath } from "./cost-path.ts";

/** Sizes of the keys (or indices) and values of a list or map built by the expression. */
export interface EntrySize {
  readonly container: "list" | "map";
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

interface LocalVariable {
  readonly path: CostPath;
  readonly size: SizeEstimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

const ACCUMULATOR_NAMES: ReadonlySet<string> = new Set(["__result__", "@result"]);

/** A node that can be charged: its size is unknown, and not absent, if nothing is known about it. */
export interface SizedNode extends CostNode {
  readonly size: SizeEstimate;
}

export class CostState {
  protected readonly hints: SizeHints;
  protected readonly paths = new Map<number, CostPath>();
  protected readonly sizes = new Map<number, SizeEstimate>();
  readonly #checked: CheckedAst;
  readonly #entrySizes = new Map<number, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: CheckedAst, hints: SizeHints) {
    this.#checked = checked;
    this.hints = hints;
  }

  typeOf(expr: Expr): Type {
    return this.#checked.types.get(expr.id) ?? DYN;
  }

  overloadIdsOf(expr: Expr): readonly string[] {
    return this.#checked.references.get(expr.id)?.overloadIds ?? [];
  }

  pathOf(expr: Expr): CostPath {
    const local = expr.kind === "ident" ? this.localVariable(expr.name) : undefined;
    return local?.path ?? this.paths.get(expr.id) ?? NO_PATH;
  }

  setPath(expr: Expr, path: CostPath): void {
    this.paths.set(expr.id, path);
  }

  /** Notes what a name refers to. */
  visitIdent(expr: IdentExpr): void {
    this.setPath(expr, this.localVariable(expr.name)?.path ?? pathOf(expr.name));
  }

  /** The node as cost models see it. Paths that start at an accumulator mean nothing to them. */
  nodeOf(expr: Expr): SizedNode {
    return new ExprNode(expr, this.typeOf(expr), this.visiblePathOf(expr), this.sizeOf(expr));
  }

  protected visiblePathOf(expr: Expr): CostPath {
    const path = this.pathOf(expr);
    return path.length > 0 && ACCUMULATOR_NAMES.has(path.cells[0] ?? "") ? NO_PATH : path;
  }

  sizeOf(expr: Expr): SizeEstimate | undefined {
    return (
      this.sizes.get(expr.id) ??
      literalSize(expr) ??
      this.#hintedSize(expr) ??
      (isScalar(this.typeOf(expr)) ? ONE_RANGE : undefined) ??
      (expr.kind === "ident" ? this.localVariable(expr.name)?.size : undefined)
    );
  }

  sizeOrUnknown(expr: Expr): SizeEstimate {
    return this.sizeOf(expr) ?? UNKNOWN_SIZE;
  }

  setSize(expr: Expr, size: SizeEstimate | undefined): void {
    if (size !== undefined) this.sizes.set(expr.id, size);
  }

  entrySizeOf(expr: Expr): EntrySize | undefined {
    const known = this.#entrySizes.get(expr.id);
    if (known !== undefined || expr.kind !== "ident") return known;
    return this.localVariable(expr.name)?.entrySize;
  }

  setEntrySize(expr: Expr, size: EntrySize | undefined): void {
    if (size !== undefined) this.#entrySizes.set(expr.id, size);
  }

  copySizes(to: Expr, from: Expr): void {
    this.setSize(to, this.sizeOf(from));
    this.setEntrySize(to, this.entrySizeOf(from));
  }

  localVariable(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  /** A variable bound to the value of an expression. */
  pushLocal(name: string, bound: Expr): void {
    this.#push(name, { path: this.pathOf(bound), size: this.sizeOf(bound), entrySize: this.entrySizeOf(bound) });
  }

  /** The first of two loop variables: an index of a list or a key of a map. */
  pushKey(name: string, range: Expr): void {
    const step = this.#containerKind(range) === "list" ? "@indices" : "@keys";
    this.#pushElement(name, range, step, this.entrySizeOf(range)?.key);
  }

  /** The second of two loop variables. */
  pushValue(name: string, range: Expr): void {
    const step = this.#containerKind(range) === "list" ? "@items" : "@values";
    this.#pushElement(name, range, step, this.entrySizeOf(range)?.value);
  }

  /** The only loop variable: an element of a list or a key of a map. */
  pushSingle(name: string, range: Expr): void {
    if (this.#containerKind(range) === "list") this.pushValue(name, range);
    else this.pushKey(name, range);
  }

  popLocal(name: string): void {
    this.#locals.get(name)?.pop();
  }

  /** The first or only variable of a loop is no longer in scope. */
  popLoop(name: string): void {
    this.popLocal(name);
  }

  #pushElement(name: string, range: Expr, step: string, size: SizeEstimate | undefined): void {
    this.#push(name, { path: appendPath(this.pathOf(range), step), size, entrySize: undefined });
  }

  #push(name: string, variable: LocalVariable): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [variable]);
    else stack.push(variable);
  }

  #containerKind(range: Expr): string {
    return this.entrySizeOf(range)?.container ?? this.typeOf(range).kind;
  }

  #hintedSize(expr: Expr): SizeEstimate | undefined {
    const node = new ExprNode(expr, this.typeOf(expr), this.pathOf(expr), undefined);
    const size = this.hints.estimateSize(node);
    this.setSize(expr, size);
    return size;
  }
}

export class ExprNode implements SizedNode {
  readonly expr: Expr;
  readonly type: Type;
  readonly computedSize: SizeEstimate | undefined;
  readonly #path: CostPath;

  constructor(expr: Expr, type: Type, path: CostPath, computedSize: SizeEstimate | undefined) {
    this.expr = expr;
    this.type = type;
    this.computedSize = computedSize;
    this.#path = path;
  }

  get size(): SizeEstimate {
    return this.computedSize ?? UNKNOWN_SIZE;
  }

  /** Read on demand, since a later append may have overwritten it. */
  get path(): readonly string[] {
    return readPath(this.#path);
  }
}

export function unionEntrySizes(left: EntrySize | undefined, right: EntrySize | undefined): EntrySize | undefined {
  if (left === undefined || right === undefined) return undefined;
  return {
    container: left.container,
    key: unionRanges(left.key, right.key),
    value: unionRanges(left.value, right.value),
  };
}

export function literalSize(expr: Expr): SizeEstimate | undefined {
  switch (expr.kind) {
    case "literal":
      return fixedRange(constantSize(expr.value));
    case "list":
      return fixedRange(expr.elements.length);
    case "map":
      return fixedRange(expr.entries.length);
    default:
      return undefined;
  }
}

function constantSize(value: Constant): number {
  if (value instanceof Bytes) return value.data.length;
  if (typeof value !== "string") return 1;
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** The size does not depend on the value. */
export function isScalar(type: Type): boolean {
  const element = optionalElement(type);
  if (element !== undefined) return isScalar(element);
  switch (withoutWrapper(type).kind) {
    case "bool":
    case "double":
    case "duration":
    case "int":
    case "timestamp":
    case "uint":
      return true;
    default:
      return false;
  }
}
