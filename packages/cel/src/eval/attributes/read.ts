/**
 * Fields of a variable, the most common operands. Fields of a bare object are read without a view in between, and
 * operators whose operand is a field read it themselves, which saves a call.
 */
import { type Bare, fromJson, isBare } from "../../values/json.ts";
import { CelError, MapValue } from "../../values/value.ts";
import type { Frame, Run } from "../frame.ts";
import type { FieldRead, Variable } from "../plan.ts";

/** `retry` determines the error. */
export function fieldRead(variable: Variable, name: string, retry: Run): FieldRead {
  const { slot, fill } = variable;
  const otherwise: Run = (frame) => {
    if (frame.bare(slot) !== undefined || frame.get(slot) !== undefined) return retry(frame);
    fill(frame);
    const value = frame.field(slot, name);
    return value === undefined ? retry(frame) : value;
  };
  return { slot, name, otherwise };
}

/** The same as a separate run. */
export function fieldRun({ slot, name, otherwise }: FieldRead): Run {
  return (frame) => {
    const value = frame.field(slot, name);
    return value === undefined ? otherwise(frame) : value;
  };
}

/** The object that a variable holds, if it is a bare object. */
function bareOf(frame: Frame, { slot, fill }: Variable): Bare | undefined {
  const bare = frame.bare(slot);
  if (bare !== undefined || frame.get(slot) !== undefined) return bare;
  fill(frame);
  return frame.bare(slot);
}

/** The target of a path of fields, if there are only bare objects on the way. */
export function bareAt(frame: Frame, variable: Variable, fields: readonly string[]): Bare | undefined {
  let bare = bareOf(frame, variable);
  for (const field of fields) {
    const data = bare?.[field];
    if (!isBare(data)) return undefined;
    bare = data;
  }
  return bare;
}

/** Puts a field of a variable into a slot, which stays empty if there is none or only an error. */
export function fillWithField(frame: Frame, slot: number, variable: Variable, name: string): void {
  const data = bareOf(frame, variable)?.[name];
  if (isBare(data)) {
    frame.set(slot, undefined, data);
    return;
  }
  const object = frame.get(variable.slot);
  const found = object instanceof MapValue ? object.field(name) : undefined;
  const value = data === undefined ? found : fromJson(data, frame.adapt);
  if (!(value instanceof CelError)) frame.set(slot, value, undefined);
}
