/** `&&`, `||`, `!`, the loop test of comprehensions, and the optional `or`: operators that may skip an operand. */
import { noSuchOverload } from "../../values/messages.ts";
import { CelError, OptionalValue, type Value } from "../../values/value.ts";
import type { Run } from "../frame.ts";
import type { Plan, Planning } from "../plan.ts";
import { combineTextTests } from "./text-tests.ts";

/**
 * False takes precedence over an error; of two errors the first one stays. That does not depend on how `a && b && c` is
 * parenthesized, so a chain is one run.
 */
export function planAnd(planning: Planning, left: Plan, right: Plan): Plan {
  const operands = planning.exact ? [left, right] : [...(left.conjuncts ?? [left]), ...(right.conjuncts ?? [right])];
  return { ...planning.node(chainRun(operands, false), 0, operands.slice(0, 1)), conjuncts: operands };
}

export function planOr(planning: Planning, left: Plan, right: Plan): Plan {
  const operands = planning.exact ? [left, right] : [...(left.disjuncts ?? [left]), ...(right.disjuncts ?? [right])];
  return { ...planning.node(chainRun(operands, true), 0, operands.slice(0, 1)), disjuncts: operands };
}

/** Runs operands until one decides the result. The first is already charged. */
function chainRun(operands: readonly Plan[], decisive: boolean): Run {
  const combined = combineTextTests(operands, decisive, (group) => plainChainRun(group, decisive));
  const [only] = combined;
  return combined.length === 1 && only !== undefined ? only.run : plainChainRun(combined, decisive);
}

function plainChainRun(operands: readonly Plan[], decisive: boolean): Run {
  const [first, second, third, ...more] = operands;
  if (first === undefined || second === undefined) throw new Error("a chain of less than two operands");
  if (third === undefined) return decisive ? orRun(first.run, second) : andRun(first.run, second);
  const rest = more.length === 0 ? third : chainPlan([third, ...more], decisive);
  return decisive ? eitherRun(first.run, second, rest) : allRun(first.run, second, rest);
}

function chainPlan(operands: readonly Plan[], decisive: boolean): Plan {
  return { run: plainChainRun(operands, decisive), fixed: operands[0]?.fixed ?? 0, constant: undefined };
}

function andRun(runFirst: Run, { run: runSecond, fixed }: Plan): Run {
  return (frame) => {
    const first = runFirst(frame);
    if (first === false) return false;
    frame.cost += fixed;
    const second = runSecond(frame);
    if (second === false) return false;
    if (first === true && second === true) return true;
    return firstFailure(first, second);
  };
}

function orRun(runFirst: Run, { run: runSecond, fixed }: Plan): Run {
  return (frame) => {
    const first = runFirst(frame);
    if (first === true) return true;
    frame.cost += fixed;
    const second = runSecond(frame);
    if (second === true) return true;
    if (first === false && second === false) return false;
    return firstFailure(first, second);
  };
}

function allRun(
  runFirst: Run,
  { run: runSecond, fixed: secondCost }: Plan,
  { run: runThird, fixed: thirdCost }: Plan,
): Run {
  return (frame) => {
    const first = runFirst(frame);
    if (first === false) return false;
    frame.cost += secondCost;
    const second = runSecond(frame);
    if (second === false) return false;
    frame.cost += thirdCost;
    const third = runThird(frame);
    if (third === false) return false;
    if (first === true && second === true && third === true) return true;
    return firstFailure(first === true ? second : first, third);
  };
}

function eitherRun(
  runFirst: Run,
  { run: runSecond, fixed: secondCost }: Plan,
  { run: runThird, fixed: thirdCost }: Plan,
): Run {
  return (frame) => {
    const first = runFirst(frame);
    if (first === true) return true;
    frame.cost += secondCost;
    const second = runSecond(frame);
    if (second === true) return true;
    frame.cost += thirdCost;
    const third = runThird(frame);
    if (third === true) return true;
    if (first === false && second === false && third === false) return false;
    return firstFailure(first === false ? second : first, third);
  };
}

function firstFailure(first: Value, second: Value): Value {
  return asFailure(typeof first === "boolean" ? second : first);
}

/** The error itself, or the error for a value that is not a bool. */
export function asFailure(value: Value): CelError {
  return value instanceof CelError ? value : noSuchOverload();
}

export function planNot(planning: Planning, operand: Plan): Plan {
  if (operand.inverse !== undefined && !planning.exact) {
    const { textTest } = operand;
    const plan = planning.node(operand.inverse, 1, [operand]);
    return textTest === undefined ? plan : { ...plan, textTest: { ...textTest, wanted: !textTest.wanted } };
  }
  return planning.node(negated(operand.run), 1, [operand]);
}

/** The negation of a run that may return any value. */
export function negated(runOperand: Run): Run {
  return (frame) => negatedValue(runOperand(frame));
}

export function negatedValue(value: Value): Value {
  if (value === true) return false;
  return value === false ? true : asFailure(value);
}

/** A loop continues after errors: only false ends it. */
export function planNotStrictlyFalse(planning: Planning, operand: Plan): Plan {
  const { run: runOperand } = operand;
  return planning.node((frame) => runOperand(frame) !== false, 1, [operand]);
}

/** `a.or(b)` and `a.orValue(b)` cost nothing themselves. */
export function planOptionalOr(planning: Planning, left: Plan, right: Plan, unwrap: boolean): Plan {
  const runLeft = left.run;
  const { run: runRight, fixed: rightCost } = right;
  const isStrict = planning.environment.celGo === "0.29";
  const run: Run = (frame) => {
    const first = runLeft(frame);
    if (!(first instanceof OptionalValue)) return isStrict && !(first instanceof CelError) ? noSuchOverload() : first;
    if (first.value !== undefined) return unwrap ? first.value : first;
    frame.cost += rightCost;
    return runRight(frame);
  };
  return planning.node(run, 0, [left]);
}
