/**
 * The loops of `all`, `exists`, `exists_one`, `map` and `filter` and their two-variable forms, recognized by their
 * expansion and run without an accumulator. Results and costs are exactly those of the general loop.
 */
import type { ComprehensionExpr } from "../../ast/expr.ts";
import { type Bare, DataList, isBare } from "../../values/json.ts";
import { CelError, type Value } from "../../values/value.ts";
import { COST_LIMIT_STOP, type Frame, type Run } from "../frame.ts";
import { asFailure } from "../operators/logic.ts";
import { constantPlan, type Local, type Plan, type Planning } from "../plan.ts";
import { LIST_COST } from "../price.ts";
import { type Entries, entriesOf, type LoopVariables, loopVariables } from "./entries.ts";
import { CALL, collectionShape, countShape, isIdent, quantifierShape, READ } from "./macro-shapes.ts";
import { planScan } from "./scan.ts";

export function planMacroLoop(planning: Planning, expr: ComprehensionExpr): Plan | undefined {
  return planQuantifier(planning, expr) ?? planCount(planning, expr) ?? planCollection(planning, expr);
}

/** The range of a loop and the names it declares. */
interface Header {
  readonly range: Plan;
  readonly locals: readonly Local[];
  readonly variables: LoopVariables;
  readonly hasTwo: boolean;
}

// The range is planned first: of several problems the one that comes first is reported.
function planHeader(planning: Planning, expr: ComprehensionExpr): Header {
  const range = planning.plan(expr.range);
  const first = planning.newSlot();
  const second = expr.iterVar2 === undefined ? undefined : planning.newSlot(first);
  const locals: Local[] = [{ name: expr.iterVar, variable: first }];
  if (expr.iterVar2 !== undefined && second !== undefined) locals.push({ name: expr.iterVar2, variable: second });
  return { range, locals, variables: loopVariables(first, second), hasTwo: second !== undefined };
}

type Loop = (frame: Frame, entries: Entries) => Value;

function loopPlan(planning: Planning, { range, hasTwo }: Header, loop: Loop): Plan {
  const { run: runRange } = range;
  const run: Run = (frame) => {
    const entries = entriesOf(runRange(frame), hasTwo);
    return entries instanceof CelError ? entries : loop(frame, entries);
  };
  return planning.node(run, 0, [range]);
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
      frame.cost += cost;
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      let value: Value | undefined = scan?.test(frame, index);
      if (value === undefined) {
        if (data === undefined) entries.bind(frame, variables, index);
        else frame.put(slot, data[index]);
        value = run(frame);
      }
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
      frame.cost += fixed;
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      let value: Value | undefined = scan?.test(frame, index);
      if (value === undefined) {
        if (data === undefined) entries.bind(frame, variables, index);
        else frame.put(slot, data[index]);
        value = run(frame);
      }
      if (value === true) {
        frame.cost += READ + CALL;
        count++;
      } else if (value !== false) failure = asFailure(value);
    }
    frame.cost += READ + CALL;
    return failure ?? count === 1;
  });
}

/** `map` and `filter`. An error in place of the list stays, unless a later condition is an error too. */
function planCollection(planning: Planning, expr: ComprehensionExpr): Plan | undefined {
  const shape = collectionShape(expr);
  if (shape === undefined) return undefined;
  const header = planHeader(planning, expr);
  const { condition, element } = planning.within(header.locals, () => ({
    condition: shape.condition === undefined ? constantPlan(true) : planning.plan(shape.condition),
    element: planning.plan(shape.element),
  }));
  const { run: runCondition, fixed: conditionCost } = condition;
  const { run: runElement } = element;
  // A list of a constant is a constant, and free.
  const listCost = element.constant === undefined ? LIST_COST : 0;
  const elementCost = READ + listCost + element.fixed + CALL;
  const { variables } = header;
  const { first: slot } = variables;
  const startScan = planScan(condition, variables);
  const takesAll = condition.constant === true;
  // The field of plain elements that is collected, if it is only one.
  const name = element.slot === slot ? element.read?.name : undefined;
  // Whether bare objects are collected as they are, without a view of each.
  const keepsAll = isIdent(shape.element, expr.iterVar) && variables.second < 0;
  return loopPlan(planning, header, (frame, entries) => {
    const { size } = entries;
    const data = entries.plainData(variables);
    const scan = startScan?.(frame, entries);
    const elements: (Value | Bare)[] = [];
    let failure: CelError | undefined;
    for (let index = 0; index < size; index++) {
      frame.cost += conditionCost;
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      let chosen: Value | undefined = takesAll ? true : scan?.test(frame, index);
      const isDecided = chosen !== undefined;
      if (chosen === undefined) {
        if (data === undefined) entries.bind(frame, variables, index);
        else frame.put(slot, data[index]);
        chosen = runCondition(frame);
      }
      if (chosen === true) {
        frame.cost += elementCost;
        const read = data === undefined || name === undefined ? undefined : plainField(data[index], name);
        if (read !== undefined) {
          elements.push(read);
          continue;
        }
        const whole = keepsAll ? entries.data?.[index] : undefined;
        if (isDecided && !isBare(whole)) entries.bind(frame, variables, index);
        const bare = isBare(whole) ? whole : undefined;
        const value = bare === undefined ? runElement(frame) : bare;
        if (value instanceof CelError) failure ??= value;
        else elements.push(value);
      } else if (chosen !== false) failure = asFailure(chosen);
    }
    frame.cost += READ;
    return failure ?? new DataList(elements, frame.adapt);
  });
}

/** A string or a small int that is a field of a plain object. */
function plainField(object: unknown, name: string): string | number | undefined {
  const value = isBare(object) ? object[name] : undefined;
  if (typeof value === "string") return value;
  return typeof value === "number" && (value | 0) === value ? value : undefined;
}
