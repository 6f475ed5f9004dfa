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
import { type Meter, nameLiteral, newSplit, type Signed, type Split, simplify } from "./splits.ts";

export type Answer =
  | { readonly kind: "impossible" }
  /** The model satisfies everything that the theories know: a hint where to look. */
  | { readonly kind: "possible"; readonly model: Model }
  /** Given up after the steps were used up. */
  | { readonly kind: "spent" };

const DEFAULT_STEPS = 1500;
/** The number of formulas that may be looked at for each branch, on average. */
const WORK_PER_STEP = 1000;
/** What the translation of the body of a loop counts. */
const WORK_PER_BODY = 100;
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

interface Branch {
  readonly facts: Facts;
  readonly todo: Signed[];
  readonly splits: Split[];
  /** Splits that were added since the others were simplified. */
  readonly fresh: Split[];
  readonly universals: { readonly formula: Quantified; readonly isTrue: boolean }[];
  readonly elements: Map<string, string[]>;
  /** The number of facts that were used. */
  known: number;
}

class Search {
  #steps: number;
  readonly #meter: Meter = { work: 0 };
  readonly #mostWork: number;
  #isSpent = false;
  readonly #facts: readonly Formula[];

  constructor(steps: number, facts: readonly Formula[]) {
    this.#steps = steps;
    this.#mostWork = steps * WORK_PER_STEP;
    this.#facts = facts;
  }

  run(formulas: readonly Formula[]): Answer {
    const todo = formulas.map((formula) => ({ formula, isTrue: true }));
    const model = this.#explore({
      facts: new Facts(),
      todo,
      splits: [],
      fresh: [],
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
    const split = takeSplit(branch.splits);
    if (split === undefined) return branch.facts.solve();
    if (!branch.facts.arePossible()) return undefined;
    const { parts } = split;
    for (const [index, part] of parts.entries()) {
      const earlier = parts.slice(0, index).map(({ formula, isTrue }) => ({ formula, isTrue: !isTrue }));
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
      if (!this.#simplify(branch)) return false;
      if (branch.todo.length === 0) return true;
      if (this.#isSpent) return false;
    }
  }

  /** Removes parts that are false and splits that hold; false if no part of a split is left. */
  #simplify(branch: Branch): boolean {
    const changed = branch.facts.takeChanged();
    const isChanged = ({ keys }: Split): boolean => changed.some((key) => keys.has(key));
    const [kept, asked] = [[] as Split[], branch.fresh.splice(0)];
    for (const split of branch.splits.splice(0)) (isChanged(split) ? asked : kept).push(split);
    branch.splits.push(...kept);
    for (const split of asked) {
      const left = simplify(split, branch.facts, this.#meter);
      if (left === undefined) continue;
      const [only, second] = left.parts;
      if (only === undefined) return false;
      if (second === undefined) branch.todo.push(only);
      else branch.splits.push(left);
    }
    this.#meter.work += kept.length;
    if (this.#meter.work > this.#mostWork) this.#isSpent = true;
    return true;
  }

  #take({ formula, isTrue }: Signed, branch: Branch): boolean {
    this.#meter.work++;
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
        else branch.fresh.push(newSplit(parts));
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
      const parts = [
        { formula: { op: "literal", literal: below }, isTrue: true },
        { formula: { op: "literal", literal: above }, isTrue: false },
      ] as const;
      branch.fresh.push(newSplit(parts));
    }
    return branch.facts.assume(literal, isTrue);
  }

  #quantified(formula: Quantified, isTrue: boolean, branch: Branch): void {
    const { name } = formula.range;
    const elements = branch.elements.get(name) ?? [];
    if ((formula.op === "every") === isTrue) {
      branch.universals.push({ formula, isTrue });
      for (const element of elements) branch.todo.push({ formula: this.#body(formula, element), isTrue });
      return;
    }
    // If there are too many elements the requirement is dropped, which is safe: fewer assumptions prove less.
    if (elements.length >= MAX_ELEMENTS) return;
    // Branches do not share facts, so they may share names: what was translated for one serves the others.
    const element = `${name}[#${elements.length}]`;
    branch.todo.push({ formula: this.#body(formula, element), isTrue });
    this.#element(formula.range, element, branch);
  }

  /** The body for an element, translated once. */
  #body(formula: Quantified, element: string): Formula {
    const known = bodies.get(formula) ?? new Map<string, Formula>();
    bodies.set(formula, known);
    const before = known.get(element);
    if (before !== undefined) return before;
    this.#meter.work += WORK_PER_BODY;
    const body = formula.body(element);
    known.set(element, body);
    return body;
  }

  /** Applies what holds for every element. */
  #element({ name, facts }: Range, element: string, branch: Branch): void {
    const elements = branch.elements.get(name) ?? [];
    if (elements.includes(element)) return;
    branch.elements.set(name, [...elements, element]);
    for (const each of branch.universals) {
      if (each.formula.range.name === name)
        branch.todo.push({ formula: this.#body(each.formula, element), isTrue: each.isTrue });
    }
    // Last: what holds for the element is asked for as far as the others look at it.
    const isThere = atMost(constantLinear(1n), variable(sizeName(name)));
    for (const fact of [facts(element), isThere]) branch.todo.push({ formula: fact, isTrue: true });
  }
}

/** The split with the fewest parts; those that only add what holds for an element come last. */
function takeSplit(splits: Split[]): Split | undefined {
  const weight = ({ parts }: Split): number =>
    parts.length + (parts.some(({ formula }) => formula.op === "element") ? ELEMENT_WEIGHT : 0);
  return splits.sort((left, right) => weight(right) - weight(left)).pop();
}

const ELEMENT_WEIGHT = 1000;

const bodies = new WeakMap<Quantified, Map<string, Formula>>();

function isSimple({ formula }: Signed): boolean {
  return formula.op === "literal" || (formula.op === "not" && formula.part.op === "literal");
}

function copyBranch(branch: Branch, first: readonly Signed[]): Branch {
  return {
    facts: new Facts(branch.facts),
    todo: [...first],
    splits: [...branch.splits],
    fresh: [],
    universals: [...branch.universals],
    elements: new Map(branch.elements),
    known: branch.known,
  };
}
