/**
 * A rule read as a formula: `&&`, `||`, `!` and `?:` are logic, everything else is an atom that may be true, false or an
 * error, as CEL has it.
 */
import type { Expr, SourceInfo } from "@portcullis/cel/internal";
import { numberOf, ORDERINGS, sideOf } from "./rule-compare.ts";
import { filterCondition, RULE_SCOPE, type Scope } from "./rule-reads.ts";
import type { TextAtom, TextTheory } from "./rule-text.ts";

export interface RuleFormula {
  readonly expr: Expr;
  readonly info: SourceInfo;
  /** The atom's name; atoms of one name are equal. */
  readonly nameOf: (expr: Expr, scope: Scope) => string;
  /** What is known of a part for every object. */
  readonly known?: ((expr: Expr, scope: Scope) => boolean | undefined) | undefined;
  /** Whether a part is false or an error for every object. */
  readonly isNeverTrue?: ((expr: Expr, scope: Scope) => boolean) | undefined;
  /** What a part asks of a text, and whether texts can answer so. */
  readonly textOf?: ((expr: Expr, scope: Scope) => TextAtom | undefined) | undefined;
  readonly texts?: TextTheory | undefined;
  /** Whether every object has what a plain selection selects. */
  readonly isThere?: ((expr: Expr, scope: Scope) => boolean) | undefined;
  /** What names stand for: more than `self` inside a loop. */
  readonly scope?: Scope | undefined;
}

type CallExpr = Extract<Expr, { kind: "call" }>;
export type Truth = "true" | "false" | "error";
type CountTest = (count: number) => boolean;
export interface Atom {
  readonly op: "atom";
  readonly name: string;
  readonly expr: Expr;
  readonly isNeverTrue: boolean;
  /** Another atom that rules out an error: `has(self.a)` for `has(self.a.b)`. */
  readonly guard: string | undefined;
  readonly text: TextAtom | undefined;
}
export type FormulaNode =
  | Atom
  | { readonly op: "constant"; readonly value: boolean }
  | { readonly op: "and" | "or"; readonly left: FormulaNode; readonly right: FormulaNode }
  | { readonly op: "not"; readonly part: FormulaNode }
  | { readonly op: "count"; readonly parts: readonly FormulaNode[]; readonly text: string; readonly test: CountTest }
  | { readonly op: "if"; readonly condition: FormulaNode; readonly yes: FormulaNode; readonly no: FormulaNode };

export function readFormula(expr: Expr, formula: RuleFormula): FormulaNode {
  if (expr.kind === "literal" && typeof expr.value === "boolean") return { op: "constant", value: expr.value };
  const scope = formula.scope ?? RULE_SCOPE;
  const known = formula.known?.(expr, scope);
  if (known !== undefined) return { op: "constant", value: known };
  if (expr.kind === "call") {
    const [first, second, third] = expr.args;
    if (expr.function === "_&&_" && first && second)
      return { op: "and", left: readFormula(first, formula), right: readFormula(second, formula) };
    if (expr.function === "_||_" && first && second)
      return { op: "or", left: readFormula(first, formula), right: readFormula(second, formula) };
    if (expr.function === "!_" && first) return { op: "not", part: readFormula(first, formula) };
    if (expr.function === "_?_:_" && first && second && third) {
      return {
        op: "if",
        condition: readFormula(first, formula),
        yes: readFormula(second, formula),
        no: readFormula(third, formula),
      };
    }
    const counted = readCount(expr, formula);
    if (counted !== undefined) return counted;
  }
  const isNeverTrue = formula.isNeverTrue?.(expr, scope) === true;
  const name = formula.nameOf(expr, scope);
  // What sees other data than the old schema describes is not judged by it.
  const text = sideOf(name) === "" ? formula.textOf?.(expr, scope) : undefined;
  return { op: "atom", name, expr, isNeverTrue, guard: guardOf(expr, formula, scope), text };
}

function guardOf(expr: Expr, formula: RuleFormula, scope: Scope): string | undefined {
  const holder =
    expr.kind === "select" && expr.testOnly ? expr.operand : expr.kind === "call" ? textHolder(expr) : undefined;
  return holder?.kind === "select" ? formula.nameOf({ ...holder, testOnly: true }, scope) : undefined;
}

/** What a comparison with a constant, or a question about a text, reads. */
function textHolder({ target, args, function: name }: CallExpr): Expr | undefined {
  const [first, second] = args;
  if (target !== undefined)
    return name !== "size" && first?.kind === "literal" && args.length === 1 ? target : undefined;
  return COMPARING.includes(name) && (second?.kind === "literal" || second?.kind === "list") ? first : undefined;
}

const COMPARING: readonly string[] = ["_==_", "_!=_", "@in"];

/** `[has(self.a), has(self.b)].filter(x, x == true).size() == 1`: how exactly one of several is usually asked for. */
function readCount({ function: operator, args }: CallExpr, formula: RuleFormula): FormulaNode | undefined {
  const [left, right] = args;
  const compare = Object.hasOwn(ORDERINGS, operator) ? ORDERINGS[operator] : undefined;
  const limit = right?.kind === "literal" ? numberOf(right.value) : undefined;
  if (compare === undefined || limit === undefined || left?.kind !== "call" || left.function !== "size")
    return undefined;
  const filter = left.target ?? left.args[0];
  if (filter?.kind !== "comprehension" || filter.range.kind !== "list") return undefined;
  const condition = filterCondition(filter);
  if (condition === undefined || !isIdentity(condition, filter.iterVar)) return undefined;
  const parts = filter.range.elements.map((each) => readFormula(each, formula));
  return { op: "count", parts, text: `${operator}${limit}`, test: (count) => compare(count, limit) };
}

/** `x`, or `x == true`. */
function isIdentity(expr: Expr, name: string): boolean {
  if (expr.kind === "ident") return expr.name === name;
  if (expr.kind !== "call" || expr.function !== "_==_") return false;
  const [left, right] = expr.args;
  return left?.kind === "ident" && left.name === name && right?.kind === "literal" && right.value === true;
}

export function atomsOf(node: FormulaNode): Atom[] {
  switch (node.op) {
    case "atom":
      return [node];
    case "constant":
      return [];
    case "not":
      return atomsOf(node.part);
    case "count":
      return node.parts.flatMap(atomsOf);
    case "if":
      return [...atomsOf(node.condition), ...atomsOf(node.yes), ...atomsOf(node.no)];
    default:
      return [...atomsOf(node.left), ...atomsOf(node.right)];
  }
}

export function formulaText(node: FormulaNode): string {
  switch (node.op) {
    case "atom":
      return node.name;
    case "constant":
      return String(node.value);
    case "not":
      return `!(${formulaText(node.part)})`;
    case "count":
      return `count(${node.parts.map(formulaText).sort().join()})${node.text}`;
    case "if":
      return `(${formulaText(node.condition)}?${formulaText(node.yes)}:${formulaText(node.no)})`;
    default:
      return `(${[formulaText(node.left), formulaText(node.right)].sort().join(node.op)})`;
  }
}

/** As CEL evaluates: a decided side outweighs an error on the other. */
export function evaluate(node: FormulaNode, values: ReadonlyMap<string, Truth>): Truth {
  switch (node.op) {
    case "atom":
      return values.get(node.name) ?? "error";
    case "constant":
      return node.value ? "true" : "false";
    case "not":
      return negate(evaluate(node.part, values));
    case "count": {
      const truths = node.parts.map((part) => evaluate(part, values));
      if (truths.includes("error")) return "error";
      return node.test(truths.filter((truth) => truth === "true").length) ? "true" : "false";
    }
    case "if": {
      const condition = evaluate(node.condition, values);
      return condition === "error" ? "error" : evaluate(condition === "true" ? node.yes : node.no, values);
    }
    default: {
      const [left, right] = [evaluate(node.left, values), evaluate(node.right, values)];
      const deciding = node.op === "and" ? "false" : "true";
      if (left === deciding || right === deciding) return deciding;
      return left === "error" || right === "error" ? "error" : negate(deciding);
    }
  }
}

function negate(truth: Truth): Truth {
  return truth === "error" ? "error" : truth === "true" ? "false" : "true";
}
