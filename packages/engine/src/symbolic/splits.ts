/** Formulas of which one must hold: what is known of them before the search tries one after another. */
import { type Facts, literalText } from "./facts.ts";
import type { Formula, Literal } from "./formula.ts";

/** A formula that must be true or false. */
export interface Signed {
  readonly formula: Formula;
  readonly isTrue: boolean;
}

/** Parts of which one must hold. */
export interface Split {
  readonly parts: readonly Signed[];
  /** What the truth of the parts depends on, as far as it is looked at before the split. */
  readonly keys: ReadonlySet<string>;
}

/** Counts the formulas that were looked at. */
export interface Meter {
  work: number;
}

export function newSplit(parts: readonly Signed[]): Split {
  return { parts, keys: new Set(parts.flatMap(({ formula }) => keysOf(formula))) };
}

/** Undefined if one part is already true; otherwise without the parts that are false. */
export function simplify(split: Split, facts: Facts, meter: Meter): Split | undefined {
  const left: Signed[] = [];
  for (const part of split.parts) {
    const truth = quickTruth(part, facts, meter);
    if (truth === true) return undefined;
    if (truth === undefined) left.push(part);
  }
  return left.length === split.parts.length ? split : newSplit(left);
}

const keys = new WeakMap<Formula, readonly string[]>();

/** The names that `quickTruth` looks up. */
function keysOf(formula: Formula): readonly string[] {
  const known = keys.get(formula);
  if (known !== undefined) return known;
  const found = new Set<string>();
  collectKeys(formula, found, QUICK_DEPTH);
  const list = [...found];
  keys.set(formula, list);
  return list;
}

function collectKeys(formula: Formula, found: Set<string>, depth: number): void {
  if (formula.op === "not") collectKeys(formula.part, found, depth);
  if (formula.op === "literal") found.add(literalText(formula.literal));
  if (formula.op === "named") found.add(formula.name);
  if ((formula.op !== "and" && formula.op !== "or") || depth === 0) return;
  for (const part of formula.parts) collectKeys(part, found, depth - 1);
}

/** The depth to which a formula is evaluated before it is split: shared parts would be visited repeatedly. */
const QUICK_DEPTH = 4;

function quickTruth({ formula, isTrue }: Signed, facts: Facts, meter: Meter, depth = QUICK_DEPTH): boolean | undefined {
  meter.work++;
  if (formula.op === "true" || formula.op === "false") return (formula.op === "true") === isTrue;
  if (formula.op === "not") return quickTruth({ formula: formula.part, isTrue: !isTrue }, facts, meter, depth);
  if (formula.op === "literal") {
    const known = facts.truthOf(formula.literal);
    return known === undefined ? undefined : known === isTrue;
  }
  if (formula.op === "named") {
    const known = facts.truthOf(nameLiteral(formula.name));
    return known === undefined ? undefined : known === isTrue;
  }
  if ((formula.op !== "and" && formula.op !== "or") || depth === 0) return undefined;
  const truths = formula.parts.map((part) => quickTruth({ formula: part, isTrue }, facts, meter, depth - 1));
  const deciding = (formula.op === "and") !== isTrue;
  if (truths.includes(deciding)) return deciding;
  return truths.includes(undefined) ? undefined : !deciding;
}

export function nameLiteral(name: string): Literal {
  return { kind: "flag", name };
}
