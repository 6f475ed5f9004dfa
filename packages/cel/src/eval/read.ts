/**
 * A field of a variable, the commonest operand there is. Operators that know theirs is one read it themselves, which
 * spares a call for each.
 */
import type { Value } from "../values/value.ts";
import type { Frame, Run } from "./frame.ts";

export interface FieldRead {
  /** Where the variable is, and what fills the slot when it is read while undefined. */
  readonly slot: number;
  readonly missing: Run;
  readonly name: string;
  /** Finds out what went wrong. */
  readonly retry: Run;
}

export function readField(frame: Frame, { slot, missing, name, retry }: FieldRead): Value {
  const kept = frame.get(slot);
  const object = kept === undefined ? missing(frame) : kept;
  if (typeof object === "object" && object !== null) {
    const value = object.field(name);
    if (value !== undefined) return value;
  }
  return retry(frame);
}

/** The same as a run of its own. Written out, since engines are slow to put one into the other. */
export function fieldRun({ slot, missing, name, retry }: FieldRead): Run {
  return (frame) => {
    const kept = frame.get(slot);
    const object = kept === undefined ? missing(frame) : kept;
    if (typeof object === "object" && object !== null) {
      const value = object.field(name);
      if (value !== undefined) return value;
    }
    return retry(frame);
  };
}
