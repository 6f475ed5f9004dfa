/** The steps of an attribute: by a name, by a constant key, or by a computed key. */
import { CelError, MapValue, type Value } from "../../values/value.ts";
import type { Frame, Run } from "../frame.ts";
import type { Plan } from "../plan.ts";
import { checkKey, findField, findKey, isFieldPresent, selectField, selectKey } from "./qualify.ts";

export interface Qualifier {
  /** Written `.?name` or `[?key]`. */
  readonly optional: boolean;
  /** The last step of `has(…)`: the name of the field. */
  readonly presenceOf: string | undefined;
  /** The cost of computing the key; the step itself costs 1 more. */
  readonly fixed: number;
  /** The name of an ordinary field selection. */
  readonly field: string | undefined;
  /** How the key is computed, if it is. */
  readonly key?: ComputedKey;
  select(frame: Frame, object: Value): Value;
  /** Undefined if nothing is found. */
  find(frame: Frame, object: Value): Value | undefined;
}

export interface ComputedKey {
  readonly run: Run;
  /** The step with the key that was found. */
  readonly select: (object: Value, key: Value) => Value;
}

export function fieldQualifier(name: string): Qualifier {
  return {
    optional: false,
    presenceOf: undefined,
    fixed: 0,
    field: name,
    select: (_frame, object) => selectField(object, name),
    find: (_frame, object) => findField(object, name),
  };
}

/** Returns whether the field exists; as an optional step it returns the field itself. */
export function presenceQualifier(name: string): Qualifier {
  return {
    optional: false,
    presenceOf: name,
    fixed: 0,
    field: undefined,
    select: (_frame, object) => isFieldPresent(object, name),
    find: (_frame, object) => findField(object, name),
  };
}

export function optionalFieldQualifier(name: string): Qualifier {
  return { ...fieldQualifier(name), optional: true, field: undefined };
}

export function keyQualifier(key: Value, optional: boolean): Qualifier {
  return {
    optional,
    presenceOf: undefined,
    fixed: 0,
    field: undefined,
    select: (_frame, object) => selectKey(object, key),
    find: (_frame, object) => findKey(object, key),
  };
}

/** `isData`: the key is an attribute, whose value upstream takes in its Go form. */
export function computedQualifier(key: Plan, optional: boolean, isData: boolean): Qualifier {
  const { run } = key;
  const select = (object: Value, value: Value): Value => {
    if (typeof value === "string" && object instanceof MapValue) {
      const found = object.get(value);
      if (found !== undefined) return found;
    }
    return checkKey(value, isData) ?? selectKey(object, value);
  };
  return {
    optional,
    presenceOf: undefined,
    fixed: key.fixed,
    field: undefined,
    key: { run, select },
    select: (frame, object) => select(object, run(frame)),
    find: (frame, object) => {
      const value = run(frame);
      return checkKey(value, isData) ?? findKey(object, value);
    },
  };
}

export function isConstantKey(key: Value): boolean {
  return !(key instanceof CelError) && checkKey(key, false) === undefined;
}
