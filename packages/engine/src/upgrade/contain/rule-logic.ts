/**
 * Whether a rule follows from others, by propositions.
 *
 * Atoms that compare the same thing with constants know of one another: `x < 5` implies `x < 9`, `x in ["a"]` implies
 * `x in ["a", "b"]`.
 */
import { children, type Expr } from "@portcullis/cel/internal";
import { comparisonOf, impliedPairs } from "./rule-compare.ts";
import {
  type Atom,
  atomsOf,
  evaluate,
  type FormulaNode,
  formulaText,
  type RuleFormula,
  readFormula,
  type Truth,
} from "./rule-formula.ts";
import { pathOf, RULE_SCOPE } from "./rule-reads.ts";
import type { TextTheory } from "./rule-text.ts";

const MAX_ATOMS = 9;

/** Whether the conclusion is true wherever all premises are. Undefined where there are too many atoms to try. */
export function entails(premises: readonly RuleFormula[], conclusion: RuleFormula): boolean | undefined {
  const goal = readFormula(conclusion.expr, conclusion);
  const known = premises.map((each) => readFormula(each.expr, each));
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
  if (atoms.size > MAX_ATOMS) return known.some((node) => formulaText(node) === formulaText(goal)) ? true : undefined;
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
  useful: readonly FormulaNode[],
  goal: FormulaNode,
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
