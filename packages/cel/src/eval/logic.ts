/** `&&`, `||`, `!`, the loop test of comprehensions, and the optional `or`: operators that may skip an operand. */
import { noSuchOverload } from "../values/messages.ts";
import { CelError, OptionalValue, type Value } from "../values/value.ts";
import type { Run } from "./frame.ts";
import type { Plan, Planning } from "./plan.ts";

/** False wins over an error; of two errors the first stays. */
export function planAnd(planning: Planning, left: Plan, right: Plan): Plan {
  const runLeft = left.run;
  const { run: runRight, fixed: rightCost } = right;
  const run: Run = (frame) => {
    const first = runLeft(frame);
    if (first === false) return false;
    frame.cost += rightCost;
    const second = runRight(frame);
    if (second === false) return false;
    if (first === true && second === true) return true;
    return firstFailure(first, second);
  };
  return planning.node(run, 0, [left]);
}

export function planOr(planning: Planning, left: Plan, right: Plan): Plan {
  const runLeft = left.run;
  const { run: runRight, fixed: rightCost } = right;
  const run: Run = (frame) => {
    const first = runLeft(frame);
    if (first === true) return true;
    frame.cost += rightCost;
    const second = runRight(frame);
    if (second === true) return true;
    if (first === false && second === false) return false;
    return firstFailure(first, second);
  };
  return planning.node(run, 0, [left]);
}

function firstFailure(first: Value, second: Value): Value {
  return asFailure(typeof first === "boolean" ? second : first);
}

/** The error itself, or the complaint that a value is no bool. */
export function asFailure(value: Value): CelError {
  return value instanceof CelError ? value : noSuchOverload();
}

export function planNot(planning: Planning, operand: Plan): Plan {
  const { run: runOperand } = operand;
  const run: Run = (frame) => {
    const value = runOperand(frame);
    if (value === true) return false;
    return value === false ? true : asFailure(value);
  };
  return planning.node(run, 1, [operand]);
}

/** A loop goes on past errors: only a plain false ends it. */
export function planNotStrictlyFalse(planning: Planning, operand: Plan): Plan {
  const { run: runOperand } = operand;
  return planning.node((frame) => runOperand(frame) !== false, 1, [operand]);
}

/** `a.or(b)` and `a.orValue(b)` cost nothing themselves. */
export function planOptionalOr(planning: Planning, left: Plan, right: Plan, unwrap: boolean): Plan {
  const runLeft = left.run;
  const { run: runRight, fixed: rightCost } = right;
  const run: Run = (frame) => {
    const first = runLeft(frame);
    if (!(first instanceof OptionalValue)) return first;
    if (first.value !== undefined) return unwrap ? first.value : first;
    frame.cost += rightCost;
    return runRight(frame);
  };
  return planning.node(run, 0, [left]);
}
