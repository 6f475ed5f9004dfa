/**
 * Attributes whose steps are all taken unless one fails: their cost is charged beforehand, and a failing step gives
 * back that of the later ones.
 *
 * Leading fields of a variable are looked up once per evaluation and remembered, so that what is read in a loop, or
 * several times over, is found in a slot of the frame.
 */
import { CelError, ListValue, MapValue, OptionalValue, type Value } from "../values/value.ts";
import type { Frame, Run } from "./frame.ts";
import { NOT_FOUND, type Plan, type Planning, readVariable, type Variable } from "./plan.ts";
import { SELECT_COST } from "./price.ts";
import type { Qualifier } from "./qualifier.ts";
import { hasFailed } from "./qualify.ts";
import { type FieldRead, fieldRun } from "./read.ts";
import { walk } from "./walk.ts";

/** `variable` is where the operand is read from, if it is one. */
export function planStraight(
  planning: Planning,
  operand: Plan,
  variable: Variable | undefined,
  qualifiers: readonly Qualifier[],
): Plan {
  const unused = costsFrom(qualifiers);
  const steps = stepsOf(qualifiers, unused);
  const { run: runOperand } = operand;
  const whole: Run = (frame) => steps(frame, runOperand(frame));
  const fixed = operand.fixed + (unused[0] ?? 0);
  if (variable === undefined) return { run: whole, fixed, constant: undefined };
  return { ...variablePlan(planning, variable, { qualifiers, unused, whole }), fixed, constant: undefined };
}

interface StraightSteps {
  readonly qualifiers: readonly Qualifier[];
  readonly unused: readonly number[];
  /** All steps from the start, however they end. */
  readonly whole: Run;
}

function variablePlan(
  planning: Planning,
  variable: Variable,
  { qualifiers, unused, whole }: StraightSteps,
): Pick<Plan, "run" | "read"> {
  const names = leadingFields(qualifiers);
  const rest = qualifiers.slice(names.length);
  const kept = planning.sharedPrefix(variable, names);
  const base = kept === 0 ? variable : planning.path(variable, names.slice(0, kept));
  const fields = names.slice(kept);
  if (rest.length > 0) return { run: restRun(headRun(base, fields), rest, unused.slice(names.length), whole) };
  const [name, further] = fields;
  if (name === undefined || further !== undefined) return { run: fieldsRun(base, fields, whole) };
  const { slot, missing } = base;
  const read: FieldRead = { slot, missing, name, retry: whole };
  return { run: fieldRun(read), read };
}

/** No field or several fields of a variable, and nothing after them. */
function fieldsRun({ slot, missing }: Variable, fields: readonly string[], retry: Run): Run {
  if (fields.length === 0) {
    return (frame) => {
      const kept = frame.get(slot);
      if (kept !== undefined) return kept;
      const value = missing(frame);
      return value === NOT_FOUND ? retry(frame) : value;
    };
  }
  return (frame) => {
    const kept = frame.get(slot);
    const object = descend(kept === undefined ? missing(frame) : kept, fields);
    return object instanceof CelError ? retry(frame) : object;
  };
}

function descend(start: Value, fields: readonly string[]): Value {
  let object = start;
  for (const field of fields) {
    const value = typeof object === "object" && object !== null ? object.field(field) : undefined;
    if (value === undefined) return NOT_FOUND;
    object = value;
  }
  return object;
}

/** At index i: the cost of the qualifiers from i on. */
function costsFrom(qualifiers: readonly Qualifier[]): readonly number[] {
  const costs = new Array<number>(qualifiers.length + 1).fill(0);
  for (let index = qualifiers.length - 1; index >= 0; index--) {
    costs[index] = (costs[index + 1] ?? 0) + SELECT_COST + (qualifiers[index]?.fixed ?? 0);
  }
  return costs;
}

function leadingFields(qualifiers: readonly Qualifier[]): readonly string[] {
  const names: string[] = [];
  for (const { field } of qualifiers) {
    if (field === undefined) break;
    names.push(field);
  }
  return names;
}

/** What further steps start from; not a map or list where something is missing. */
function headRun(base: Variable, fields: readonly string[]): Run {
  const { slot, missing } = base;
  if (fields.length === 0) return readVariable(base);
  return (frame) => {
    const kept = frame.get(slot);
    return descend(kept === undefined ? missing(frame) : kept, fields);
  };
}

/**
 * The steps after the leading fields. `retry` starts all over to find out what went wrong, so up to there nothing may
 * have run that costs anything: reading a variable and its fields does not, working out a key might.
 */
function restRun(head: Run, rest: readonly Qualifier[], unused: readonly number[], retry: Run): Run {
  const [next, further] = rest;
  if (next === undefined) return retry;
  if (further === undefined) return next.presence ? presenceRun(head, next, retry) : lastStepRun(head, next, retry);
  const steps = stepsOf(rest, unused);
  return (frame) => {
    const object = head(frame);
    return object instanceof MapValue || object instanceof ListValue ? steps(frame, object) : retry(frame);
  };
}

function presenceRun(head: Run, { select }: Qualifier, retry: Run): Run {
  return (frame) => {
    const object = head(frame);
    return object instanceof MapValue ? select(frame, object) : retry(frame);
  };
}

function lastStepRun(head: Run, { select }: Qualifier, retry: Run): Run {
  return (frame) => {
    const object = head(frame);
    return object instanceof MapValue || object instanceof ListValue ? select(frame, object) : retry(frame);
  };
}

function stepsOf(qualifiers: readonly Qualifier[], unused: readonly number[]): (frame: Frame, start: Value) => Value {
  const total = unused[0] ?? 0;
  return (frame, start) => {
    if (start instanceof CelError || start instanceof OptionalValue) {
      frame.cost -= total;
      return start instanceof CelError ? start : walk(frame, start, qualifiers);
    }
    let object: Value = start;
    let index = 0;
    for (const { select } of qualifiers) {
      const next = select(frame, object);
      index++;
      if (hasFailed(object, next)) {
        frame.cost -= unused[index] ?? 0;
        return next;
      }
      object = next;
    }
    return object;
  };
}
