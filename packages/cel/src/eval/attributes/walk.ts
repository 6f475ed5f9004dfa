/** The steps of an attribute taken one by one, each charged when it is taken. The general case; slower than the others. */
import { OptionalValue, type Value } from "../../values/value.ts";
import { charge, type Frame, type Run } from "../frame.ts";
import { SELECT_COST } from "../price.ts";
import type { Qualifier } from "./qualifier.ts";
import { hasFailed } from "./qualify.ts";

/** INVARIANT: `start` is not an error. */
export function walk(frame: Frame, start: Value, qualifiers: readonly Qualifier[]): Value {
  let object = start;
  let optional = false;
  if (start instanceof OptionalValue) {
    if (start.value === undefined) return start;
    object = start.value;
    optional = true;
  }
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    charge(frame, qualifier.fixed);
    const found = optional ? qualifier.find(frame, object) : qualifier.select(frame, object);
    if (found === undefined) return OptionalValue.none;
    const failed = hasFailed(object, found);
    if (!(optional && failed)) charge(frame, SELECT_COST);
    if (failed) return found;
    object = found;
  }
  return optional ? new OptionalValue(object) : object;
}

/** Steps into an optional return an optional. */
export function testRun(run: Run): Run {
  return (frame) => {
    const value = run(frame);
    return value instanceof OptionalValue ? value.value !== undefined : value;
  };
}
