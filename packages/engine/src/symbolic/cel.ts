/**
 * CEL expressions as formulas: in which cases an expression is true, and in which it is false. Otherwise it is an
 * error.
 *
 * What the translation does not model becomes a name made of the expression's canonical text (`cel-names.ts`): two such
 * expressions are equal if their texts are, and nothing else is known about them.
 */
import { type CheckedAst, type Constant, Double, type Expr } from "@portcullis/cel/internal";
import { callTerms } from "./cel-calls.ts";
import { loopTerms } from "./cel-loops.ts";
import { asMeasure, checkOf } from "./cel-measures.ts";
import { nameOf } from "./cel-names.ts";
import type { Scope, Translator } from "./cel-scope.ts";
import { constantBool, isFirstFact, isInt64, opaqueBool, termOf } from "./data-terms.ts";
import { and, type Formula, flag, not, or } from "./formula.ts";

import { constantLinear, type IntRange, variable } from "./linear.ts";
import { always, andThen, type BoolTerm, isDefined, NONE, type Place, type Term, type Terms, toBool } from "./term.ts";

/** An expression with its types, ready for translation. */
export class Translation implements Translator {
  readonly #ast: CheckedAst;
  readonly facts: Formula[];
  readonly bounds = new Map<string, IntRange>();
  /** The number of items of constant lists that may still be translated one by one. */
  #expansions = 2000;

  /** `facts` receives facts about names that the translation introduces, also later, when loops are expanded. */
  constructor(ast: CheckedAst, facts: Formula[] = []) {
    this.#ast = ast;
    this.facts = facts;
  }

  /** The whole expression as a condition. */
  condition(scope: Scope): BoolTerm {
    return toBool(this.terms(this.#ast.expr, scope));
  }

  terms(expr: Expr, scope: Scope): Terms {
    const found = this.#modelled(expr, scope) ?? this.opaque(expr, scope);
    if (!found.some(({ is }) => is.sort === "other")) return found;
    const type = this.#typeName(expr);
    return found.map(({ when, is }) => ({ when, is: asMeasure(is, type, this.facts) }));
  }

  bool(expr: Expr, scope: Scope): BoolTerm {
    return toBool(this.terms(expr, scope));
  }

  /** A name for the value, and whether it exists at all. */
  opaque(expr: Expr, scope: Scope): Terms {
    const name = nameOf(expr, scope);
    if (this.typeOf(expr) === "bool") return always(opaqueBool(name));
    const check = checkOf(expr);
    const own = flag(check === undefined ? `there ${name}` : `true ${nameOf(check, scope)}`);
    // A method of a value that does not exist is an error.
    const target = expr.kind === "call" && expr.target !== undefined ? checkOf(expr.target) : undefined;
    const isThere = target === undefined ? own : and(own, flag(`true ${nameOf(target, scope)}`));
    return [
      { when: isThere, is: this.named(expr, name) },
      { when: not(isThere), is: NONE },
    ];
  }

  /** A value of the expression's type that is known by name only. */
  named(expr: Expr, name: string): Term {
    switch (this.typeOf(expr)) {
      case "int":
        if (isFirstFact(this.facts, `int64 ${name}`)) this.facts.push(isInt64(name));
        return { sort: "int", linear: variable(name) };
      // A computed double may be infinite or NaN, which is not even equal to itself.
      case "double":
        return { sort: "computed", name };
      case "string":
        return { sort: "text", name };
      case "bool":
        return opaqueBool(name);
      default:
        return { sort: "other", name, isScalar: this.#isScalar(expr) };
    }
  }

  canExpand(items: number): boolean {
    if (items > this.#expansions) return false;
    this.#expansions -= items;
    return true;
  }

  typeOf(expr: Expr): string {
    return this.#ast.types.get(expr.id)?.kind ?? "dyn";
  }

  #isScalar(expr: Expr): boolean {
    const type = this.#ast.types.get(expr.id);
    if (type?.kind === "opaque" || type?.kind === "object") return LIBRARY_TYPES.has(type.name);
    return SCALARS.has(type?.kind ?? "dyn");
  }

  #typeName(expr: Expr): string {
    const type = this.#ast.types.get(expr.id);
    return type?.kind === "object" ? type.name : (type?.kind ?? "dyn");
  }

  #modelled(expr: Expr, scope: Scope): Terms | undefined {
    switch (expr.kind) {
      case "literal":
        return constantTerms(expr.value);
      case "ident":
        return scope.get(expr.name)?.terms;
      case "select":
        return this.#select(expr, scope);
      case "list":
        return expr.optionalIndices.length > 0 ? undefined : this.#list(expr.elements, scope);
      case "call":
        return callTerms(expr, scope, this);
      case "comprehension":
        return loopTerms(expr, scope, this);
      default:
        return undefined;
    }
  }

  /** An item that is an error makes the list an error. */
  #list(elements: readonly Expr[], scope: Scope): Terms {
    const items = elements.map((each) => this.terms(each, scope));
    const isThere = and(...items.map(isDefined));
    return [
      { when: isThere, is: { sort: "items", items } },
      { when: not(isThere), is: NONE },
    ];
  }

  #select(expr: Extract<Expr, { kind: "select" }>, scope: Scope): Terms | undefined {
    return andThen(this.terms(expr.operand, scope), (term) => {
      if (term.sort === "none") return always(NONE);
      if (term.sort !== "place" || term.place.sort !== "object") return undefined;
      const members = term.place.member(expr.field);
      if (expr.testOnly) return always(presence(members));
      return andThen(members, (data) => always(termOf(data)));
    });
  }
}

const SCALARS: ReadonlySet<string> = new Set(["uint", "bytes", "timestamp", "duration", "null"]);
/** Types of the API server's libraries without lists in their values. */
const LIBRARY_TYPES: ReadonlySet<string> = new Set([
  "net.IP",
  "net.CIDR",
  "kubernetes.Quantity",
  "kubernetes.URL",
  "kubernetes.Semver",
]);

/** `has()`: whether the member exists. */
function presence(members: ReturnType<Place["member"]>): BoolTerm {
  const isThere = or(...members.filter(({ is }) => is.kind !== "missing").map(({ when }) => when));
  return { sort: "bool", yes: isThere, no: not(isThere) };
}

function constantTerms(value: Constant): Terms | undefined {
  if (typeof value === "boolean") return always(constantBool(value));
  if (typeof value === "number" || typeof value === "bigint")
    return always({ sort: "int", linear: constantLinear(BigInt(value)) });
  if (typeof value === "string") return always({ sort: "text", constant: value });
  return value instanceof Double ? always({ sort: "double", constant: value.value }) : undefined;
}
