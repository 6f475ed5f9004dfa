/**
 * The loops of `all`, `exists`, `exists_one`, `map` and `filter` and their two-variable forms, recognized by their
 * expansion and run without an accumulator. Results and costs are exactly those of the general loop.
 */
import { countWork } from "@portcullis/gostd/work";
import type { ComprehensionExpr } from "../../ast/expr.ts";
import type { CelError, Value } from "../../values/value.ts";
import { COST_LIMIT_STOP } from "../frame.ts";
import { asFailure } from "../operators/logic.ts";
import type { Plan, Planning } from "../plan.ts";
import { planCollection } from "./collection-loop.ts";
import { loopPlan, planHeader, planScan, WORK_OF_ITERATION } from "./loop-header.ts";
import { CALL, countShape, quantifierShape, READ } from "./macro-shapes.ts";

export function planMacroLoop(planning: Planning, expr: ComprehensionExpr): Plan | undefined {
  return planQuantifier(planning, expr) ?? planCount(planning, expr) ?? planCollection(planning, expr);
}

/** `all` and `exists`: the same loop with opposite results. */
function planQuantifier(planning: Planning, expr: ComprehensionExpr): Plan | undefined {
  const shape = quantifierShape(expr);
  if (shape === undefined) return undefined;
  const header = planHeader(planning, expr);
  const predicate = planning.within(header.locals, () => planning.plan(shape.predicate));
  const { run } = predicate;
  const { variables } = header;
  const { first: slot } = variables;
  const { decisive, testCost } = shape;
  const cost = testCost + READ + predicate.fixed;
  const startScan = planScan(predicate, variables);
  return loopPlan(planning, header, (frame, entries) => {
    const { size } = entries;
    const data = entries.plainData(variables);
    const scan = startScan?.(frame, entries);
    let failure: CelError | undefined;
    for (let index = 0; index < size; index++) {
      const next = scan === undefined ? ~index : scan.next(frame, index, decisive, cost);
      let value: Value = decisive;
      if (next >= 0) index = next;
      else {
        index = ~next;
        countWork(WORK_OF_ITERATION);
        frame.cost += cost;
        if (data === undefined) entries.bind(frame, variables, index);
        else frame.put(slot, data[index]);
        value = run(frame);
      }
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      if (index === size) break;
      // Two comparisons with a constant are quicker than one with a variable.
      if (decisive ? value === true : value === false) {
        // The loop test that ends the loop, if there is another iteration, and the result.
        frame.cost += (index + 1 < size ? testCost : 0) + READ;
        return decisive;
      }
      if (typeof value !== "boolean") failure ??= asFailure(value);
    }
    frame.cost += READ;
    return failure ?? !decisive;
  });
}

/** `exists_one`: counts the matches, then compares with 1. The last error, if any, is the result. */
function planCount(planning: Planning, expr: ComprehensionExpr): Plan | undefined {
  const condition = countShape(expr);
  if (condition === undefined) return undefined;
  const header = planHeader(planning, expr);
  const predicate = planning.within(header.locals, () => planning.plan(condition));
  const { run, fixed } = predicate;
  const { variables } = header;
  const { first: slot } = variables;
  const startScan = planScan(predicate, variables);
  return loopPlan(planning, header, (frame, entries) => {
    const { size } = entries;
    const data = entries.plainData(variables);
    const scan = startScan?.(frame, entries);
    let count = 0;
    let failure: CelError | undefined;
    for (let index = 0; index < size; index++) {
      const next = scan === undefined ? ~index : scan.next(frame, index, true, fixed);
      let value: Value = true;
      if (next >= 0) index = next;
      else {
        index = ~next;
        countWork(WORK_OF_ITERATION);
        frame.cost += fixed;
        if (data === undefined) entries.bind(frame, variables, index);
        else frame.put(slot, data[index]);
        value = run(frame);
      }
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      if (index === size) break;
      if (value === true) {
        frame.cost += READ + CALL;
        count++;
      } else if (value !== false) failure = asFailure(value);
    }
    frame.cost += READ + CALL;
    return failure ?? count === 1;
  });
}
