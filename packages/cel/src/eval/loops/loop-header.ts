/** What the loops of all macros have in common: a range, the variables it is bound to, and a loop over its entries. */
import type { ComprehensionExpr } from "../../ast/expr.ts";
import { CelError, type Value } from "../../values/value.ts";
import type { Frame, Run } from "../frame.ts";
import type { Local, Plan, Planning } from "../plan.ts";
import { planChainScan } from "./chain-scan.ts";
import { planComparisonScan } from "./comparison-scan.ts";
import { type Entries, entriesOf, type LoopVariables, loopVariables } from "./entries.ts";
import type { StartScan } from "./scan.ts";

/** The range of a loop and the names it declares. */
export interface Header {
  readonly range: Plan;
  readonly locals: readonly Local[];
  readonly variables: LoopVariables;
  readonly hasTwo: boolean;
}

// The range is planned first: of several problems the one that comes first is reported.
export function planHeader(planning: Planning, expr: ComprehensionExpr): Header {
  const range = planning.plan(expr.range);
  const first = planning.newSlot();
  const second = expr.iterVar2 === undefined ? undefined : planning.newSlot(first);
  const locals: Local[] = [{ name: expr.iterVar, variable: first }];
  if (expr.iterVar2 !== undefined && second !== undefined) locals.push({ name: expr.iterVar2, variable: second });
  return { range, locals, variables: loopVariables(first, second), hasTwo: second !== undefined };
}

/** Of a program that may end expressions; an iteration may call functions that take long for their cost. */
export const WORK_OF_ITERATION = 64;

export type Loop = (frame: Frame, entries: Entries) => Value;

export function loopPlan(planning: Planning, { range, hasTwo }: Header, loop: Loop): Plan {
  const { run: runRange } = range;
  const run: Run = (frame) => {
    const entries = entriesOf(runRange(frame), hasTwo);
    return entries instanceof CelError ? entries : loop(frame, entries);
  };
  return planning.node(run, 0, [range]);
}

/** Undefined if the condition must be run. */
export function planScan(condition: Plan, variables: LoopVariables): StartScan | undefined {
  if (variables.second >= 0) return undefined;
  return planComparisonScan(condition, variables) ?? planChainScan(condition, variables);
}
