/**
 * Whether formulas can all be true together.
 *
 * A tableau: `and` is split, `or` is tried branch by branch, `some` names a new element, `every` applies to each
 * existing element. A branch is closed by the theories of integers, strings, float64s, equality and order (`facts.ts`).
 * `impossible` is a proof. `possible` is not: parts that are not modelled may still forbid it.
 */
import { Facts, type Model } from "./facts.ts";
import { type Formula, type Literal, type Quantified, type Range, sizeName } from "./formula.ts";
import { atMost, constantLinear, variable } from "./linear.ts";

export type Answer =
  | { readonly kind: "impossible" }
  /** The model satisfies everything that the theories know: a hint where to look. */
  | { readonly kind: "possible"; readonly model: Model }
  /** Given up after the steps were used up. */
  | { readonly kind: "spent" };

const DEFAULT_STEPS = 1500;
const MAX_ELEMENTS = 6;

export interface SolveOptions {
  /** The maximum number of branches. */
  readonly steps?: number;
  /** What else holds. Facts may be added during the search, while the bodies of loops are translated. */
  readonly facts?: readonly Formula[];
}

export function solve(formulas: readonly Formula[], { steps = DEFAULT_STEPS, facts = [] }: SolveOptions = {}): Answer {
  return new Search(steps, facts).run(formulas);
}

interface Signed {
  readonly formula: Formula;
  readonly isTrue: boolean;
}

interface Branch {
  readonly facts: Facts;
  readonly todo: Signed[];
  readonly splits: Signed[][];
  readonly universals: { readonly formula: Quantified; readonly isTrue: boolean }[];
  readonly elements: Map<string, string[]>;
  /** The number of facts that were used. */
  known: number;
}

class Search {
  #steps: number;
  #isSpent = false;
  readonly #facts: readonly Formula[];

  constructor(steps: number, facts: readonly Formula[]) {
    this.#steps = steps;
    this.#facts = facts;
  }

  run(formulas: readonly Formula[]): Answer {
    const todo = formulas.map((formula) => ({ formula, isTrue: true }));
    const model = this.#explore({
      facts: new Facts(),
      todo,
      splits: [],
      universals: [],
      elements: new Map(),
      known: 0,
    });
    if (this.#isSpent) return { kind: "spent" };
    return model === undefined ? { kind: "impossible" } : { kind: "possible", model };
  }

  /** Undefined if the branch is closed, or the search was given up. */
  #explore(branch: Branch): Model | undefined {
    if (this.#steps-- <= 0) {
      this.#isSpent = true;
      return undefined;
    }
    if (!this.#expand(branch)) return undefined;
    const split = branch.splits.sort((left, right) => right.length - left.length).pop();
    if (split === undefined) return branch.facts.solve();
    if (!branch.facts.arePossible()) return undefined;
    for (const [index, part] of split.entries()) {
      const earlier = split.slice(0, index).map(({ formula, isTrue }) => ({ formula, isTrue: !isTrue }));
      const model = this.#explore(copyBranch(branch, [part, ...earlier.filter(isSimple)]));
      if (model !== undefined || this.#isSpent) return model;
    }
    return undefined;
  }

  /** Expands formulas without a choice; false if that is a contradiction. */
  #expand(branch: Branch): boolean {
    for (;;) {
      for (let next = branch.todo.pop(); next !== undefined; next = branch.todo.pop()) {
        if (!this.#take(next, branch)) return false;
      }
      const more = this.#facts.slice(branch.known);
      branch.known += more.length;
      for (const formula of more) branch.todo.push({ formula, isTrue: true });
      if (more.length > 0) continue;
      const left = branch.splits.splice(0).map((split) => simplify(split, branch.facts));
      for (const split of left) {
        if (split === undefined) continue;
        const [only, second] = split;
        if (only === undefined) return false;
        if (second === undefined) branch.todo.push(only);
        else branch.splits.push(split);
      }
      if (branch.todo.length === 0) return true;
    }
  }

  #take({ formula, isTrue }: Signed, branch: Branch): boolean {
    switch (formula.op) {
      case "true":
        return isTrue;
      case "false":
        return !isTrue;
      case "not":
        branch.todo.push({ formula: formula.part, isTrue: !isTrue });
        return true;
      case "and":
      case "or": {
        const parts = formula.parts.map((part) => ({ formula: part, isTrue }));
        if ((formula.op === "and") === isTrue) branch.todo.push(...parts);
        else branch.splits.push(parts);
        return true;
      }
      case "literal":
        return this.#literal(formula.literal, isTrue, branch);
      case "named": {
        const known = branch.facts.truthOf(nameLiteral(formula.name));
        if (known === undefined) branch.todo.push({ formula: formula.part, isTrue });
        return branch.facts.assume(nameLiteral(formula.name), isTrue);
      }
      case "element":
        // The negation says nothing: there may be other elements.
        if (isTrue) this.#element(formula.range, formula.element, branch);
        return true;
      case "every":
      case "some":
        this.#quantified(formula, isTrue, branch);
        return true;
    }
  }

  #literal(literal: Literal, isTrue: boolean, branch: Branch): boolean {
    const isUnequal = literal.kind === "int" && literal.relation === "==" && !isTrue && literal.linear.terms.size > 1;
    if (branch.facts.truthOf(literal) === undefined && isUnequal) {
      // Unequal sums are below or above: the theory of integers needs the split.
      const { linear } = literal;
      const below: Literal = { kind: "int", linear: { ...linear, constant: linear.constant + 1n }, relation: "<=" };
      const above: Literal = { kind: "int", linear, relation: "<=" };
      branch.splits.push([
        { formula: { op: "literal", literal: below }, isTrue: true },
        { formula: { op: "literal", literal: above }, isTrue: false },
      ]);
    }
    return branch.facts.assume(literal, isTrue);
  }

  #quantified(formula: Quantified, isTrue: boolean, branch: Branch): void {
    const { name } = formula.range;
    const elements = branch.elements.get(name) ?? [];
    if ((formula.op === "every") === isTrue) {
      branch.universals.push({ formula, isTrue });
      for (const element of elements) branch.todo.push({ formula: bodyOf(formula, element), isTrue });
      return;
    }
    // If there are too many elements the requirement is dropped, which is safe: fewer assumptions prove less.
    if (elements.length >= MAX_ELEMENTS) return;
    // Branches do not share facts, so they may share names: what was translated for one serves the others.
    const element = `${name}[#${elements.length}]`;
    branch.todo.push({ formula: bodyOf(formula, element), isTrue });
    this.#element(formula.range, element, branch);
  }

  /** Applies what holds for every element. */
  #element({ name, facts }: Range, element: string, branch: Branch): void {
    const elements = branch.elements.get(name) ?? [];
    if (elements.includes(element)) return;
    branch.elements.set(name, [...elements, element]);
    for (const each of branch.universals) {
      if (each.formula.range.name === name)
        branch.todo.push({ formula: bodyOf(each.formula, element), isTrue: each.isTrue });
    }
    // Last: what holds for the element is asked for as far as the others look at it.
    const isThere = atMost(constantLinear(1n), variable(sizeName(name)));
    for (const fact of [facts(element), isThere]) branch.todo.push({ formula: fact, isTrue: true });
  }
}

const bodies = new WeakMap<Quantified, Map<string, Formula>>();

/** The body for an element, translated once. */
function bodyOf(formula: Quantified, element: string): Formula {
  const known = bodies.get(formula) ?? new Map<string, Formula>();
  bodies.set(formula, known);
  const before = known.get(element);
  if (before !== undefined) return before;
  const body = formula.body(element);
  known.set(element, body);
  return body;
}

/** Undefined if one part is already true; otherwise without the parts that are false. */
function simplify(split: readonly Signed[], facts: Facts): Signed[] | undefined {
  const left: Signed[] = [];
  for (const part of split) {
    const truth = quickTruth(part, facts);
    if (truth === true) return undefined;
    if (truth === undefined) left.push(part);
  }
  return left;
}

/** The depth to which a formula is evaluated before it is split: shared parts would be visited repeatedly. */
const QUICK_DEPTH = 4;

function quickTruth({ formula, isTrue }: Signed, facts: Facts, depth = QUICK_DEPTH): boolean | undefined {
  if (formula.op === "true" || formula.op === "false") return (formula.op === "true") === isTrue;
  if (formula.op === "not") return quickTruth({ formula: formula.part, isTrue: !isTrue }, facts, depth);
  if (formula.op === "literal") {
    const known = facts.truthOf(formula.literal);
    return known === undefined ? undefined : known === isTrue;
  }
  if (formula.op === "named") {
    const known = facts.truthOf(nameLiteral(formula.name));
    return known === undefined ? undefined : known === isTrue;
  }
  if ((formula.op !== "and" && formula.op !== "or") || depth === 0) return undefined;
  const truths = formula.parts.map((part) => quickTruth({ formula: part, isTrue }, facts, depth - 1));
  const deciding = (formula.op === "and") !== isTrue;
  if (truths.includes(deciding)) return deciding;
  return truths.includes(undefined) ? undefined : !deciding;
}

function nameLiteral(name: string): Literal {
  return { kind: "flag", name };
}

function isSimple({ formula }: Signed): boolean {
  return formula.op === "literal" || (formula.op === "not" && formula.part.op === "literal");
}

function copyBranch(branch: Branch, first: readonly Signed[]): Branch {
  return {
    facts: new Facts(branch.facts),
    todo: [...first],
    splits: branch.splits.map((split) => [...split]),
    universals: [...branch.universals],
    elements: new Map(branch.elements),
    known: branch.known,
  };
}
