/** The state of one run of the checker. */
import type { Reference } from "../ast/checked.ts";
import type { Expr, ParsedAst } from "../ast/expr.ts";
import { type Issue, noLocation } from "../issue.ts";
import type { Source } from "../source.ts";
import type { FunctionDecl, VariableDecl } from "../types/decl.ts";
import { DYN, ERROR, type Type } from "../types/type.ts";
import { mostGeneral } from "./compare.ts";
import { typeMismatch } from "./messages.ts";
import type { CheckScope } from "./scope.ts";
import { Unifier } from "./unify.ts";

/** Checks one expression and returns it with its names resolved. */
export type Descend = (expr: Expr) => Expr;

/** Variables that comprehensions bind, innermost first. */
interface Local {
  readonly variable: VariableDecl;
  readonly outer: Local | undefined;
}

const NO_OVERLOADS: readonly string[] = [];

export class CheckContext {
  readonly scope: CheckScope;
  readonly container: string;
  readonly types = new Map<number, Type>();
  readonly references = new Map<number, Reference>();
  readonly issues: Issue[] = [];
  readonly unifier = new Unifier();
  /**
   * Whether comparisons between numeric types are hidden. Upstream forgets that they are once the first
   * comprehension has been entered, for the rest of the expression.
   */
  hidesCrossTypeComparisons: boolean;
  readonly #ast: ParsedAst;
  readonly #source: Source;
  #locals: Local | undefined;

  constructor(ast: ParsedAst, source: Source, scope: CheckScope) {
    this.#ast = ast;
    this.#source = source;
    this.scope = scope;
    this.container = scope.settings.container;
    this.hidesCrossTypeComparisons = !scope.settings.crossTypeNumericComparisons;
  }

  typeOf(expr: Expr): Type {
    return this.types.get(expr.id) ?? ERROR;
  }

  /** The type of a node as far as it is known so far. */
  knownTypeOf(expr: Expr): Type {
    return this.unifier.substitute(this.typeOf(expr), false);
  }

  setType(expr: Expr, type: Type): void {
    this.types.set(expr.id, type);
  }

  referToVariable(id: number, variable: VariableDecl): void {
    this.references.set(id, { name: variable.name, overloadIds: NO_OVERLOADS, value: variable.value });
  }

  referToOverloads(id: number, overloadIds: readonly string[]): void {
    this.references.set(id, { name: undefined, overloadIds, value: undefined });
  }

  report(id: number, message: string): void {
    const range = this.#ast.info.positions.get(id);
    this.issues.push({ message, location: range === undefined ? noLocation : this.#source.locate(range.start) });
  }

  findIdentifier(name: string): VariableDecl | undefined {
    if (this.container === "" && !name.startsWith(".")) return this.#findQualified(name);
    return firstDefined(candidateNames(this.container, name), (candidate) => this.#findQualified(candidate));
  }

  findFunction(name: string): FunctionDecl | undefined {
    if (this.container === "" && !name.startsWith(".")) return this.scope.findFunction(name);
    return firstDefined(candidateNames(this.container, name), (candidate) => this.scope.findFunction(candidate));
  }

  /** Runs with additional variables in scope. */
  withLocals(variables: readonly VariableDecl[], run: () => void): void {
    const outer = this.#locals;
    for (const variable of variables) this.#locals = { variable, outer: this.#locals };
    run();
    this.#locals = outer;
  }

  /** The common type of two elements of a literal; `previous` is undefined for the first. */
  join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    if (this.unifier.isAssignable(previous, current)) return mostGeneral(previous, current, this.unifier);
    return DYN;
  }

  expectType(expr: Expr, expected: Type): void {
    const actual = this.typeOf(expr);
    if (!this.unifier.isAssignable(expected, actual)) this.report(expr.id, typeMismatch(expected, actual));
  }

  #findQualified(name: string): VariableDecl | undefined {
    for (let local = this.#locals; local !== undefined; local = local.outer) {
      if (local.variable.name === name) return local.variable;
    }
    return this.scope.resolveIdentifier(name);
  }
}

/** In container `a.b`, the name `x` may mean `a.b.x`, `a.x` or `x`; with a leading dot it means just `x`. */
function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith(".")) return [name.slice(1)];
  const candidates: string[] = [];
  for (let prefix = container; prefix !== ""; prefix = prefix.slice(0, Math.max(prefix.lastIndexOf("."), 0))) {
    candidates.push(`${prefix}.${name}`);
  }
  candidates.push(name);
  return candidates;
}

function firstDefined<T>(names: readonly string[], find: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `a.b.c` as one name; undefined for anything but selections from an identifier. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
