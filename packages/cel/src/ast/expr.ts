/**
 * The syntax tree. Nodes are plain readonly data with a numeric id; positions, types and resolved
 * references live in tables keyed by that id, so that one tree serves parser, checker and evaluator.
 */
import type { Constant } from "../values/value.ts";

export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

export interface LiteralExpr {
  readonly kind: "literal";
  readonly id: number;
  readonly value: Constant;
}

export interface IdentExpr {
  readonly kind: "ident";
  readonly id: number;
  /** A leading dot (`.x`, absolute reference) is part of the name, as in cel-go. */
  readonly name: string;
}

export interface SelectExpr {
  readonly kind: "select";
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  /** True for what `has(a.b)` expands to. */
  readonly testOnly: boolean;
}

export interface CallExpr {
  readonly kind: "call";
  readonly id: number;
  /** Operators have cel-go's names: `_+_`, `_&&_`, `_[_]`, `_?_:_`, `!_`, `-_`, `@in`, `_?._`, `_[?_]`. */
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: "list";
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indices of elements written `?e`. */
  readonly optionalIndices: readonly number[];
}

export interface MapExpr {
  readonly kind: "map";
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr {
  readonly kind: "struct";
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface ComprehensionExpr {
  readonly kind: "comprehension";
  readonly id: number;
  readonly range: Expr;
  readonly iterVar: string;
  /** The second variable of a two-variable comprehension. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

/** Where each node of a parsed expression came from. */
export interface SourceInfo {
  /** Code point offset range [start, stop) of the node with this id. */
  readonly positions: ReadonlyMap<number, OffsetRange>;
  /** For the id of an expanded macro: the call as it was written. Used by unparse and by validators. */
  readonly macroCalls: ReadonlyMap<number, CallExpr>;
}

export interface OffsetRange {
  readonly start: number;
  readonly stop: number;
}

export interface ParsedAst {
  readonly expr: Expr;
  readonly info: SourceInfo;
}
