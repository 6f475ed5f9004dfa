/**
 * Comprehensions. Follows evalFold in cel-go interpreter/interpretable.go.
 *
 * The accumulator is initialized when it is first read: if nothing reads it, its first value is neither computed
 * nor charged. An accumulator that starts as an empty list or map is changed in place until the result is read.
 */
import { countWork } from "@portcullis/gostd/work";
import type { ComprehensionExpr } from "../../ast/expr.ts";
import { MutableList } from "../../values/list.ts";
import { MutableMap } from "../../values/map.ts";
import { CelError, ListValue, MapValue, type Value } from "../../values/value.ts";
import { COST_LIMIT_STOP, type Frame, type Run } from "../frame.ts";
import type { Local, Plan, Planning, Variable } from "../plan.ts";
import { type Entries, entriesOf, type LoopVariables, loopVariables } from "./entries.ts";
import { WORK_OF_ITERATION } from "./loop-header.ts";
import { planMacroLoop } from "./macro-loops.ts";

export function planFold(planning: Planning, expr: ComprehensionExpr): Plan {
  const quick = planning.exact ? undefined : planMacroLoop(planning, expr);
  return quick ?? planGeneralFold(planning, expr);
}

interface FoldParts {
  readonly accumulator: Accumulator;
  readonly condition: Plan;
  readonly step: Plan;
  readonly result: Plan;
  readonly variables: LoopVariables;
  readonly hasTwoVariables: boolean;
}

function planGeneralFold(planning: Planning, expr: ComprehensionExpr): Plan {
  const accumulator = planAccumulator(planning, planning.plan(expr.accuInit));
  const range = planning.plan(expr.range);
  const first = planning.newSlot();
  const second = expr.iterVar2 === undefined ? undefined : planning.newSlot(first);
  const outside: Local[] = [{ name: expr.accuVar, variable: accumulator.variable }];
  const inside: Local[] = [...outside, { name: expr.iterVar, variable: first }];
  if (expr.iterVar2 !== undefined && second !== undefined) inside.push({ name: expr.iterVar2, variable: second });
  const parts: FoldParts = {
    accumulator,
    condition: planning.within(inside, () => planning.plan(expr.loopCondition)),
    step: planning.within(inside, () => planning.plan(expr.loopStep)),
    result: planning.within(outside, () => planning.plan(expr.result)),
    variables: loopVariables(first, second),
    hasTwoVariables: second !== undefined,
  };
  return planning.node(foldRun(range.run, parts), 0, [range]);
}

interface Accumulator {
  readonly variable: Variable;
  /** The slot's value when the loop starts; undefined leaves it to the first read. */
  readonly start: () => Value | undefined;
}

function planAccumulator(planning: Planning, init: Plan): Accumulator {
  const { run, fixed, constant } = init;
  const variable = planning.newAccumulator((frame) => {
    frame.cost += fixed;
    return mutable(run(frame));
  });
  return {
    variable,
    start: constant === undefined ? () => undefined : () => mutable(constant),
  };
}

function mutable(value: Value): Value {
  if (value instanceof ListValue && value.size === 0) return new MutableList();
  return value instanceof MapValue && value.size === 0 ? new MutableMap() : value;
}

function foldRun(runRange: Run, parts: FoldParts): Run {
  const { run: runResult, fixed: resultCost } = parts.result;
  const { start, variable } = parts.accumulator;
  const { hasTwoVariables } = parts;
  const loop = loopRun(parts);
  return (frame) => {
    const entries = entriesOf(runRange(frame), hasTwoVariables);
    if (entries instanceof CelError) return entries;
    frame.set(variable.slot, start(), undefined);
    loop(frame, entries);
    frame.cost += resultCost;
    const result = runResult(frame);
    return result instanceof MutableList ? result.toList() : result;
  };
}

function loopRun(parts: FoldParts): (frame: Frame, entries: Entries) => void {
  const { run: runCondition, fixed: conditionCost } = parts.condition;
  const { run: runStep, fixed: stepCost } = parts.step;
  const { slot } = parts.accumulator.variable;
  const { variables } = parts;
  return (frame, entries) => {
    const { size } = entries;
    for (let index = 0; index < size; index++) {
      countWork(WORK_OF_ITERATION);
      entries.bind(frame, variables, index);
      frame.cost += conditionCost;
      if (runCondition(frame) === false) return;
      frame.cost += stepCost;
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      frame.set(slot, runStep(frame), undefined);
    }
  };
}
