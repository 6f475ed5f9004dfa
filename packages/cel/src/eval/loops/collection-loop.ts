/** The loops of `map` and `filter`. An error in place of the list stays, unless a later condition is an error too. */
import { countWork } from "@portcullis/gostd/work";
import type { ComprehensionExpr } from "../../ast/expr.ts";
import { type Bare, DataList, isBare } from "../../values/json.ts";
import { CelError, type Value } from "../../values/value.ts";
import { COST_LIMIT_STOP, type Frame } from "../frame.ts";
import { asFailure } from "../operators/logic.ts";
import { constantPlan, type Plan, type Planning } from "../plan.ts";
import { LIST_COST } from "../price.ts";
import type { Entries, LoopVariables } from "./entries.ts";
import { loopPlan, planHeader, planScan, WORK_OF_ITERATION } from "./loop-header.ts";
import { CALL, collectionShape, isIdent, READ } from "./macro-shapes.ts";

export function planCollection(planning: Planning, expr: ComprehensionExpr): Plan | undefined {
  const shape = collectionShape(expr);
  if (shape === undefined) return undefined;
  const header = planHeader(planning, expr);
  const { variables } = header;
  const { condition, element } = planning.within(header.locals, () => ({
    condition: shape.condition === undefined ? constantPlan(true) : planning.plan(shape.condition),
    element: planning.plan(shape.element),
  }));
  const keepsAll = isIdent(shape.element, expr.iterVar) && variables.second < 0;
  const collect = collector({ condition, element, variables, keepsAll });
  return {
    ...loopPlan(planning, header, (frame, entries) => collect(frame, entries, false)),
    count: loopPlan(planning, header, (frame, entries) => collect(frame, entries, true)).run,
  };
}

interface Collection {
  readonly condition: Plan;
  readonly element: Plan;
  readonly variables: LoopVariables;
  /** Whether bare objects are collected as they are, without a view of each. */
  readonly keepsAll: boolean;
}

/** `isCounted`: the number of elements is enough. */
type Collect = (frame: Frame, entries: Entries, isCounted: boolean) => Value;

function collector({ condition, element, variables, keepsAll }: Collection): Collect {
  const { run: runCondition, fixed: conditionCost } = condition;
  const { run: runElement } = element;
  // A list of a constant is a constant, and free.
  const listCost = element.constant === undefined ? LIST_COST : 0;
  const elementCost = READ + listCost + element.fixed + CALL;
  const { first: slot } = variables;
  const startScan = planScan(condition, variables);
  const takesAll = condition.constant === true;
  // The field of plain elements that is collected, if it is only one.
  const name = element.slot === slot ? element.read?.name : undefined;
  return (frame, entries, isCounted) => {
    const { size } = entries;
    const data = entries.plainData(variables);
    const scan = startScan?.(frame, entries);
    // Without a condition the size is known: to grow an array takes longer than to fill it.
    const elements = isCounted ? undefined : new Array<Value | Bare>(takesAll ? size : 0);
    let count = 0;
    let failure: CelError | undefined;
    for (let index = 0; index < size; index++) {
      const next = takesAll ? index : scan === undefined ? ~index : scan.next(frame, index, true, conditionCost);
      const isDecided = next >= 0;
      let chosen: Value = true;
      if (isDecided) index = next;
      else {
        index = ~next;
        countWork(WORK_OF_ITERATION);
        frame.cost += conditionCost;
        if (data === undefined) entries.bind(frame, variables, index);
        else frame.put(slot, data[index]);
        chosen = runCondition(frame);
      }
      if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
      if (index === size) break;
      if (chosen === true) {
        frame.cost += elementCost;
        const read = data === undefined || name === undefined ? undefined : plainField(data[index], name);
        if (read !== undefined) {
          if (elements !== undefined) elements[count] = read;
          count++;
          continue;
        }
        const whole = keepsAll ? entries.data?.[index] : undefined;
        if (isDecided && !isBare(whole)) entries.bind(frame, variables, index);
        const bare = isBare(whole) ? whole : undefined;
        const value = bare === undefined ? runElement(frame) : bare;
        if (value instanceof CelError) failure ??= value;
        else {
          if (elements !== undefined) elements[count] = value;
          count++;
        }
      } else if (chosen !== false) failure = asFailure(chosen);
    }
    frame.cost += READ;
    return failure ?? (elements === undefined ? count : new DataList(elements, frame.adapt));
  };
}

/** A string or a small int that is a field of a plain object. */
function plainField(object: unknown, name: string): string | number | undefined {
  const value = isBare(object) ? object[name] : undefined;
  if (typeof value === "string") return value;
  return typeof value === "number" && (value | 0) === value ? value : undefined;
}
