/**
 * Fields of a variable, the commonest operands there are. Those of a bare object are read off it without a view in
 * between, and operators that know their operand is a field read it themselves, which spares a call for each.
 */
import { type Bare, fromJson, isBare } from "../values/json.ts";
import { CelError, MapValue, type Value } from "../values/value.ts";
import type { Frame, Run } from "./frame.ts";
import { type FieldRead, readVariable, type Variable } from "./plan.ts";

/** `retry` finds out what went wrong. */
export function fieldRead(variable: Variable, name: string, retry: Run): FieldRead {
  const otherwise: Run = (frame) => {
    const data = bareOf(frame, variable)?.[name];
    if (data !== undefined) return fromJson(data, frame.adapt);
    const object = frame.get(variable.slot);
    const value = typeof object === "object" && object !== null ? object.field(name) : undefined;
    return value === undefined ? retry(frame) : value;
  };
  return { slot: variable.slot, name, otherwise };
}

/** The same as a run of its own. */
export function fieldRun({ slot, name, otherwise }: FieldRead): Run {
  return (frame) => {
    const value = frame.field(slot, name);
    return value === undefined ? otherwise(frame) : value;
  };
}

/** The object a variable holds, if it is a bare one. */
export function bareOf(frame: Frame, { slot, fill }: Variable): Bare | undefined {
  const bare = frame.bare(slot);
  if (bare !== undefined || frame.get(slot) !== undefined) return bare;
  fill(frame);
  return frame.bare(slot);
}

/** What fields lead to, where there are only bare objects on the way. */
export function bareAt(frame: Frame, variable: Variable, fields: readonly string[]): Bare | undefined {
  let bare = bareOf(frame, variable);
  for (const field of fields) {
    const data = bare?.[field];
    if (!isBare(data)) return undefined;
    bare = data;
  }
  return bare;
}

/** Puts a field of a variable into a slot, which stays empty where there is none or only an error. */
export function fillWithField(frame: Frame, slot: number, variable: Variable, name: string): void {
  const bare = bareOf(frame, variable);
  if (bare === undefined) {
    const object = readVariable(variable)(frame);
    fillWithValue(frame, slot, object instanceof MapValue ? object.field(name) : undefined);
  } else {
    const data = bare[name];
    if (isBare(data)) frame.set(slot, undefined, data);
    else if (data !== undefined) fillWithValue(frame, slot, fromJson(data, frame.adapt));
  }
}

function fillWithValue(frame: Frame, slot: number, value: Value | undefined): void {
  if (!(value instanceof CelError)) frame.set(slot, value, undefined);
}
