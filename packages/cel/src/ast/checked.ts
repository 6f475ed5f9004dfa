/** A parsed tree with what the checker adds: the input of the evaluator and the cost estimator. */
import type { Type } from "../types/type.ts";
import type { Value } from "../values/value.ts";
import type { Expr, SourceInfo } from "./expr.ts";

export interface CheckedAst {
  readonly expr: Expr;
  readonly info: SourceInfo;
  /** The type of the node with this id. */
  readonly types: ReadonlyMap<number, Type>;
  /** What an identifier, a qualified name or a call resolved to. */
  readonly references: ReadonlyMap<number, Reference>;
}

export interface Reference {
  /** The full name of the variable or constant; undefined for calls. */
  readonly name: string | undefined;
  /** For calls: the overloads that may apply; more than one where an argument is dyn. */
  readonly overloadIds: readonly string[];
  /** For constants: the value. */
  readonly value: Value | undefined;
}
