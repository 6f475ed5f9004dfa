/**
 * Whether a rule follows from others, by propositions: `&&`, `||`, `!` and `?:` are read as logic, everything else is an
 * atom that may be true, false or an error, as CEL has it.
 *
 * Atoms that compare the same thing with constants know of one another: `x < 5` implies `x < 9`, `x in ["a"]` implies
 * `x in ["a", "b"]`.
 */
import { children, type Expr, type SourceInfo } from "@portcullis/cel";
import { comparisonOf, impliedPairs, numberOf, ORDERINGS, sideOf } from "./rule-compare.ts";
import { filterCondition, pathOf, RULE_SCOPE, type Scope } from "./rule-reads.ts";
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
type Truth = "true" | "false" | "error";
type CountTest = (count: number) => boolean;
interface Atom {
  readonly op: "atom";
  readonly name: string;
  readonly expr: Expr;
  readonly isNeverTrue: boolean;
  /** Another atom that rules out an error: `has(self.a)` for `has(self.a.b)`. */
  readonly guard: string | undefined;
  readonly text: TextAtom | undefined;
}
type Node =
  | Atom
  | { readonly op: "constant"; readonly value: boolean }
  | { readonly op: "and" | "or"; readonly left: Node; readonly right: Node }
  | { readonly op: "not"; readonly part: Node }
  | { readonly op: "count"; readonly parts: readonly Node[]; readonly text: string; readonly test: CountTest }
  | { readonly op: "if"; readonly condition: Node; readonly yes: Node; readonly no: Node };

const MAX_ATOMS = 9;

/** Whether the conclusion is true wherever all premises are. Undefined where there are too many atoms to try. */
export function entails(premises: readonly RuleFormula[], conclusion: RuleFormula): boolean | undefined {
  const goal = read(conclusion.expr, conclusion);
  const known = premises.map((each) => read(each.expr, each));
  const wanted = atomsOf(goal);
  // Premises that share nothing with the conclusion cannot help.
  const names = new Set(wanted.map(({ name }) => name));
  const subjects = new Set(wanted.flatMap(({ expr }) => comparisonOf(expr)?.subject ?? []));
  const hasLoops = wanted.some((atom) => loopOf(atom) !== undefined);
  const useful = known.filter((node) =>
    atomsOf(node).some(
      (atom) =>
        names.has(atom.name) ||
        subjects.has(comparisonOf(atom.expr)?.subject ?? "") ||
        (hasLoops && loopOf(atom) !== undefined),
    ),
  );
  const all = [...wanted, ...useful.flatMap(atomsOf)];
  const atoms = new Map(all.map((atom) => [atom.name, atom.expr]));
  if (atoms.size > MAX_ATOMS) return known.some((node) => textOf(node) === textOf(goal)) ? true : undefined;
  const list = [...atoms];
  const implications = [...impliedPairs(list), ...impliedLoops(useful, goal, premises, conclusion)];
  const proved = provedLoops(wanted, conclusion);
  return !search(
    list.map(([name]) => name),
    new Map(),
    (values) => {
      const isConsistent = implications.every(([from, to]) => values.get(from) !== "true" || values.get(to) === "true");
      return (
        isConsistent &&
        all.every((atom) => isPossible(atom, values)) &&
        [...proved].every(
          ([name, isSteady]) => values.get(name) === "true" || (!isSteady && values.get(name) === "error"),
        ) &&
        useful.every((node) => evaluate(node, values) === "true") &&
        evaluate(goal, values) !== "true" &&
        haveTexts(all, values, conclusion.texts)
      );
    },
  );
}

function isPossible({ name, isNeverTrue, guard, text }: Atom, values: ReadonlyMap<string, Truth>): boolean {
  const truth = values.get(name);
  if (isNeverTrue && truth === "true") return false;
  if (truth === "error" && text?.isSteady === true) return false;
  return truth !== "error" || guard === undefined || values.get(guard) !== "true";
}

/** Whether there are texts that answer as the assignment says. */
function haveTexts(atoms: readonly Atom[], values: ReadonlyMap<string, Truth>, texts: TextTheory | undefined): boolean {
  if (texts === undefined) return true;
  const asked = new Map(atoms.map((atom) => [atom.name, atom]));
  const answers = [...asked.values()].flatMap(({ name, text }) => {
    const truth = values.get(name);
    return text === undefined || truth === undefined || truth === "error"
      ? []
      : [{ atom: text, isTrue: truth === "true" }];
  });
  return texts.isPossible(answers);
}

/**
 * `list.all(x, p)` implies `list.all(x, q)` where `p` implies `q`, with what is known of the items.
 *
 * Names tell which data an atom sees, so the range is compared by name.
 */
function impliedLoops(
  useful: readonly Node[],
  goal: Node,
  premises: readonly RuleFormula[],
  conclusion: RuleFormula,
): (readonly [string, string])[] {
  const given = useful.flatMap(atomsOf).flatMap((atom) => loopOf(atom) ?? []);
  const wanted = atomsOf(goal).flatMap((atom) => loopOf(atom) ?? []);
  return wanted.flatMap((to) =>
    given
      .filter((from) => from.variable === to.variable && from.name !== to.name)
      .filter((from) => {
        const [before, after] = [inLoop(premiseOf(from.expr, premises), from), inLoop(conclusion, to)];
        if (before === undefined || after === undefined) return false;
        const range = (formula: RuleFormula, { range: expr }: Loop): string =>
          formula.nameOf(sizeOf(expr), formula.scope ?? RULE_SCOPE);
        if (range(premiseOf(from.expr, premises) ?? conclusion, from) !== range(conclusion, to)) return false;
        return entails([before], after) === true;
      })
      .map((from) => [from.name, to.name] as const),
  );
}

/** Loops of the conclusion whose body holds for every item; whether asking is never an error goes with each. */
function provedLoops(wanted: readonly Atom[], conclusion: RuleFormula): ReadonlyMap<string, boolean> {
  const proved = new Map<string, boolean>();
  for (const loop of wanted.flatMap((atom) => loopOf(atom) ?? [])) {
    const body = inLoop(conclusion, loop);
    if (body === undefined || entails([], body) !== true) continue;
    proved.set(loop.name, conclusion.isThere?.(loop.range, conclusion.scope ?? RULE_SCOPE) === true);
  }
  return proved;
}

interface Loop {
  readonly name: string;
  readonly expr: Expr;
  readonly range: Expr;
  readonly variable: string;
  readonly body: Expr;
}

function loopOf({ name, expr }: Atom): Loop | undefined {
  if (expr.kind !== "comprehension" || expr.iterVar2 !== undefined) return undefined;
  const { accuInit, loopStep, range, iterVar } = expr;
  const isAll = accuInit.kind === "literal" && accuInit.value === true;
  if (!isAll || loopStep.kind !== "call" || loopStep.function !== "_&&_") return undefined;
  const body = loopStep.args[1];
  return body && { name, expr, range, variable: iterVar, body };
}

/** The premise that an expression is part of: each has its own positions and macros. */
function premiseOf(expr: Expr, premises: readonly RuleFormula[]): RuleFormula | undefined {
  return premises.find((premise) => contains(premise.expr, expr));
}

function contains(whole: Expr, part: Expr): boolean {
  return whole === part || children(whole).some((child) => contains(child, part));
}

function inLoop(formula: RuleFormula | undefined, { range, variable, body }: Loop): RuleFormula | undefined {
  if (formula === undefined) return undefined;
  const outer = formula.scope ?? RULE_SCOPE;
  const path = pathOf(range, outer);
  return path && { ...formula, expr: body, scope: new Map(outer).set(variable, [...path, "*"]) };
}

/** Named as what is only counted, so that changes inside the items do not set two ranges apart. */
function sizeOf(range: Expr): Expr {
  return { kind: "call", id: -1, function: "size", target: undefined, args: [range] };
}

function search(
  names: readonly string[],
  values: Map<string, Truth>,
  test: (values: Map<string, Truth>) => boolean,
): boolean {
  const [name, ...rest] = names;
  if (name === undefined) return test(values);
  for (const truth of ["true", "false", "error"] as const) {
    values.set(name, truth);
    if (search(rest, values, test)) return true;
  }
  return false;
}

function read(expr: Expr, formula: RuleFormula): Node {
  if (expr.kind === "literal" && typeof expr.value === "boolean") return { op: "constant", value: expr.value };
  const scope = formula.scope ?? RULE_SCOPE;
  const known = formula.known?.(expr, scope);
  if (known !== undefined) return { op: "constant", value: known };
  if (expr.kind === "call") {
    const [first, second, third] = expr.args;
    if (expr.function === "_&&_" && first && second)
      return { op: "and", left: read(first, formula), right: read(second, formula) };
    if (expr.function === "_||_" && first && second)
      return { op: "or", left: read(first, formula), right: read(second, formula) };
    if (expr.function === "!_" && first) return { op: "not", part: read(first, formula) };
    if (expr.function === "_?_:_" && first && second && third) {
      return { op: "if", condition: read(first, formula), yes: read(second, formula), no: read(third, formula) };
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
function readCount({ function: operator, args }: CallExpr, formula: RuleFormula): Node | undefined {
  const [left, right] = args;
  const compare = Object.hasOwn(ORDERINGS, operator) ? ORDERINGS[operator] : undefined;
  const limit = right?.kind === "literal" ? numberOf(right.value) : undefined;
  if (compare === undefined || limit === undefined || left?.kind !== "call" || left.function !== "size")
    return undefined;
  const filter = left.target ?? left.args[0];
  if (filter?.kind !== "comprehension" || filter.range.kind !== "list") return undefined;
  const condition = filterCondition(filter);
  if (condition === undefined || !isIdentity(condition, filter.iterVar)) return undefined;
  const parts = filter.range.elements.map((each) => read(each, formula));
  return { op: "count", parts, text: `${operator}${limit}`, test: (count) => compare(count, limit) };
}

/** `x`, or `x == true`. */
function isIdentity(expr: Expr, name: string): boolean {
  if (expr.kind === "ident") return expr.name === name;
  if (expr.kind !== "call" || expr.function !== "_==_") return false;
  const [left, right] = expr.args;
  return left?.kind === "ident" && left.name === name && right?.kind === "literal" && right.value === true;
}

function atomsOf(node: Node): Atom[] {
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

function textOf(node: Node): string {
  switch (node.op) {
    case "atom":
      return node.name;
    case "constant":
      return String(node.value);
    case "not":
      return `!(${textOf(node.part)})`;
    case "count":
      return `count(${node.parts.map(textOf).sort().join()})${node.text}`;
    case "if":
      return `(${textOf(node.condition)}?${textOf(node.yes)}:${textOf(node.no)})`;
    default:
      return `(${[textOf(node.left), textOf(node.right)].sort().join(node.op)})`;
  }
}

/** As CEL evaluates: a decided side outweighs an error on the other. */
function evaluate(node: Node, values: ReadonlyMap<string, Truth>): Truth {
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
