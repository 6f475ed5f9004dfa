/**
 * The loops of `all`, `exists`, `exists_one`, `map` and `filter` and their two-variable forms, recognized by their
 * expansion and run without an accumulator. Results and costs are exactly those of the general loop.
 */
import type { CallExpr, ComprehensionExpr, Expr, ListExpr } from "../../ast/expr.ts";
import { type Bare, DataList } from "../../values/json.ts";
import { CelError, type Value } from "../../values/value.ts";
import { COST_LIMIT_STOP, type Frame, type Run } from "../frame.ts";
import { asFailure } from "../operators/logic.ts";
import { constantPlan, type Local, type Plan, type Planning } from "../plan.ts";
import { LIST_COST } from "../price.ts";
import { type Entries, entriesOf, type LoopVariables, loopVariables } from "./entries.ts";

/** A read of the accumulator and a call at the usual cost. */
const READ = 1;
const CALL = 1;

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
  return loopPlan(planning, header, (frame, entries) => {
    const { size } = entries;
    const data = entries.plainData(variables);
    let failure: CelError | undefined;
    for (let index = 0; index < size; index++) {
      frame.cost += cost;
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      if (data === undefined) entries.bind(frame, variables, index);
      else frame.put(slot, data[index]);
      const value = run(frame);
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

interface QuantifierShape {
  readonly predicate: Expr;
  /** The result that ends the loop. */
  readonly decisive: boolean;
  /** The cost of the loop test: `@not_strictly_false(accu)` or `@not_strictly_false(!accu)`. */
  readonly testCost: number;
}

function quantifierShape(expr: ComprehensionExpr): QuantifierShape | undefined {
  const { accuInit, accuVar, loopCondition, loopStep, result } = expr;
  if (accuInit.kind !== "literal" || typeof accuInit.value !== "boolean" || !isIdent(result, accuVar)) return undefined;
  const isAll = accuInit.value;
  const predicate = operandAfter(loopStep, isAll ? "_&&_" : "_||_", accuVar);
  if (predicate === undefined || !isCall(loopCondition, "@not_strictly_false", 1)) return undefined;
  const tested = loopCondition.args[0];
  if (isAll) return isIdent(tested, accuVar) ? { predicate, decisive: false, testCost: READ + CALL } : undefined;
  const negates = isCall(tested, "!_", 1) && isIdent(tested.args[0], accuVar);
  return negates ? { predicate, decisive: true, testCost: READ + CALL + CALL } : undefined;
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
  return loopPlan(planning, header, (frame, entries) => {
    const { size } = entries;
    const data = entries.plainData(variables);
    let count = 0;
    let failure: CelError | undefined;
    for (let index = 0; index < size; index++) {
      frame.cost += fixed;
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      if (data === undefined) entries.bind(frame, variables, index);
      else frame.put(slot, data[index]);
      const value = run(frame);
      if (value === true) {
        frame.cost += READ + CALL;
        count++;
      } else if (value !== false) failure = asFailure(value);
    }
    frame.cost += READ + CALL;
    return failure ?? count === 1;
  });
}

function countShape(expr: ComprehensionExpr): Expr | undefined {
  const { accuInit, accuVar, loopCondition, loopStep, result } = expr;
  if (accuInit.kind !== "literal" || accuInit.value !== 0 || !isTrue(loopCondition)) return undefined;
  if (!isOne(operandAfter(result, "_==_", accuVar)) || !isCall(loopStep, "_?_:_", 3)) return undefined;
  const [condition, truthy, falsy] = loopStep.args;
  return isOne(operandAfter(truthy, "_+_", accuVar)) && isIdent(falsy, accuVar) ? condition : undefined;
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
  // The slot of a variable whose bare objects are collected as they are, without a view of each.
  const kept = isIdent(shape.element, expr.iterVar) ? variables.first : -1;
  return loopPlan(planning, header, (frame, entries) => {
    const { size } = entries;
    const data = entries.plainData(variables);
    const elements: (Value | Bare)[] = [];
    let failure: CelError | undefined;
    for (let index = 0; index < size; index++) {
      frame.cost += conditionCost;
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      if (data === undefined) entries.bind(frame, variables, index);
      else frame.put(slot, data[index]);
      const chosen = runCondition(frame);
      if (chosen === true) {
        frame.cost += elementCost;
        const bare = kept < 0 ? undefined : frame.bare(kept);
        const value = bare === undefined ? runElement(frame) : bare;
        if (value instanceof CelError) failure ??= value;
        else elements.push(value);
      } else if (chosen !== false) failure = asFailure(chosen);
    }
    frame.cost += READ;
    return failure ?? new DataList(elements, frame.adapt);
  });
}

interface CollectionShape {
  readonly condition: Expr | undefined;
  readonly element: Expr;
}

function collectionShape(expr: ComprehensionExpr): CollectionShape | undefined {
  const { accuInit, accuVar, loopCondition, loopStep, result } = expr;
  if (accuInit.kind !== "list" || accuInit.elements.length > 0) return undefined;
  if (!isTrue(loopCondition) || !isIdent(result, accuVar)) return undefined;
  if (!isCall(loopStep, "_?_:_", 3)) return appending(undefined, loopStep, accuVar);
  const [condition, truthy, falsy] = loopStep.args;
  return isIdent(falsy, accuVar) ? appending(condition, truthy, accuVar) : undefined;
}

function appending(condition: Expr | undefined, step: Expr | undefined, accuVar: string): CollectionShape | undefined {
  const list = operandAfter(step, "_+_", accuVar);
  if (list === undefined || !isPlainList(list)) return undefined;
  const [element] = list.elements;
  return element === undefined ? undefined : { condition, element };
}

function isPlainList(expr: Expr): expr is ListExpr {
  return expr.kind === "list" && expr.elements.length === 1 && expr.optionalIndices.length === 0;
}

/** The second operand of a call whose first is the accumulator. */
function operandAfter(expr: Expr | undefined, functionName: string, accuVar: string): Expr | undefined {
  return isCall(expr, functionName, 2) && isIdent(expr.args[0], accuVar) ? expr.args[1] : undefined;
}

function isCall(expr: Expr | undefined, functionName: string, argCount: number): expr is CallExpr {
  return (
    expr?.kind === "call" &&
    expr.function === functionName &&
    expr.target === undefined &&
    expr.args.length === argCount
  );
}

function isIdent(expr: Expr | undefined, name: string): boolean {
  return expr?.kind === "ident" && expr.name === name;
}

function isTrue(expr: Expr): boolean {
  return expr.kind === "literal" && expr.value === true;
}

function isOne(expr: Expr | undefined): boolean {
  return expr?.kind === "literal" && expr.value === 1;
}
