/**
 * Attributes whose steps are all taken unless one fails: their cost is charged in advance, and a failing step
 * refunds the cost of the later ones.
 *
 * Leading fields of a variable are looked up once per evaluation and cached in a slot of the frame, for paths that are
 * read in a loop or several times.
 */
import { fromJson, JsonMap } from "../../values/json.ts";
import { CelError, ListValue, MapValue, OptionalValue, type Value } from "../../values/value.ts";
import type { Frame, Run } from "../frame.ts";
import { negated } from "../operators/logic.ts";
import { NOT_FOUND, type Plan, type Planning, readVariable, type Variable } from "../plan.ts";
import { SELECT_COST } from "../price.ts";
import type { ComputedKey, Qualifier } from "./qualifier.ts";
import { hasFailed } from "./qualify.ts";
import { bareAt, fieldRead, fieldRun } from "./read.ts";
import { testRun, walk } from "./walk.ts";

/** `variable` is set if the operand is a variable. */
export function planUnconditional(
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

interface UnconditionalSteps {
  readonly qualifiers: readonly Qualifier[];
  readonly unused: readonly number[];
  /** All steps from the start, errors included. */
  readonly whole: Run;
}

function variablePlan(
  planning: Planning,
  variable: Variable,
  { qualifiers, unused, whole }: UnconditionalSteps,
): Pick<Plan, "run" | "read" | "slot" | "isTest" | "inverse"> {
  const names = leadingFields(qualifiers);
  const rest = qualifiers.slice(names.length);
  const kept = planning.sharedPrefix(variable, names);
  const base = kept === 0 ? variable : planning.path(variable, names.slice(0, kept));
  const fields = names.slice(kept);
  const [next, further] = rest;
  if (next !== undefined) {
    const run = restRun(headRun(base, fields), rest, unused.slice(names.length), whole);
    return further === undefined ? lastStep(base, fields, next, run) : { run };
  }
  const last = fields.at(-1);
  if (last === undefined) return { run: keptRun(base, whole), slot: base.slot };
  if (fields.length > 1) return { run: fieldsRun(base, fields, last, whole) };
  const read = fieldRead(base, last, whole);
  return { run: fieldRun(read), read, slot: base.slot };
}

/** The cached part of a variable. */
function keptRun({ slot, missing }: Variable, retry: Run): Run {
  return (frame) => {
    const kept = frame.get(slot);
    if (kept !== undefined) return kept;
    const value = missing(frame);
    return value === NOT_FOUND ? retry(frame) : value;
  };
}

/** Several fields of a variable, and nothing after them. */
function fieldsRun(base: Variable, fields: readonly string[], last: string, retry: Run): Run {
  const leading = fields.slice(0, -1);
  const read = readVariable(base);
  const stepwise: Run = (frame) => {
    const data = bareAt(frame, base, leading)?.[last];
    const object = data === undefined ? descend(read(frame), fields) : fromJson(data, frame.adapt);
    return object instanceof CelError ? retry(frame) : object;
  };
  const { slot } = base;
  const [first, second] = leading;
  if (first === undefined || second !== undefined) return stepwise;
  return (frame) => {
    const value = frame.innerField(slot, first, last);
    return value === undefined ? stepwise(frame) : value;
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

/** Where further steps start; not a map or list if something is missing. */
function headRun(base: Variable, fields: readonly string[]): Run {
  const read = readVariable(base);
  return fields.length === 0 ? read : (frame) => descend(read(frame), fields);
}

/**
 * The steps after the leading fields. `retry` starts over to determine the error, so nothing that has a cost may have
 * run before: reading a variable and its fields has none, computing a key may have.
 */
function restRun(head: Run, rest: readonly Qualifier[], unused: readonly number[], retry: Run): Run {
  const [next, further] = rest;
  if (next === undefined) return retry;
  if (further === undefined) return lastStepRun(head, next, retry);
  const steps = stepsOf(rest, unused);
  return (frame) => {
    const object = head(frame);
    return object instanceof MapValue || object instanceof ListValue ? steps(frame, object) : retry(frame);
  };
}

/** The step after the leading fields if it is the last. `otherwise` handles anything but a bare object. */
function lastStep(
  base: Variable,
  fields: readonly string[],
  { presenceOf, key }: Qualifier,
  otherwise: Run,
): Pick<Plan, "run" | "isTest" | "inverse"> {
  if (presenceOf === undefined) return { run: key === undefined ? otherwise : entryRun(base, fields, key, otherwise) };
  const test = testRun(otherwise);
  return {
    run: presenceRun(base, fields, presenceOf, true, test),
    inverse: presenceRun(base, fields, presenceOf, false, negated(test)),
    isTest: true,
  };
}

/** `wanted` is the result for a field that exists. */
function presenceRun(base: Variable, fields: readonly string[], name: string, wanted: boolean, otherwise: Run): Run {
  const { slot } = base;
  const stepwise: Run = (frame) => {
    const bare = frame.get(slot) === undefined ? bareAt(frame, base, fields) : undefined;
    return bare === undefined ? otherwise(frame) : (bare[name] !== undefined) === wanted;
  };
  if (fields.length > 0) return stepwise;
  return (frame) => {
    const bare = frame.bare(slot);
    return bare === undefined ? stepwise(frame) : (bare[name] !== undefined) === wanted;
  };
}

function entryRun(
  base: Variable,
  fields: readonly string[],
  { run: runKey, select }: ComputedKey,
  otherwise: Run,
): Run {
  return (frame) => {
    const bare = bareAt(frame, base, fields);
    if (bare === undefined) return otherwise(frame);
    const key = runKey(frame);
    const data = typeof key === "string" ? bare[key] : undefined;
    if (typeof data === "string") return data;
    return data === undefined ? select(new JsonMap(bare, frame.adapt, true), key) : fromJson(data, frame.adapt);
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
