/** The steps of an attribute: by a name, by a constant key, or by a key worked out on the spot. */
import { CelError, MapValue, type Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import type { Plan } from "./plan.ts";
import { checkKey, findField, findKey, isFieldPresent, selectField, selectKey } from "./qualify.ts";

export interface Qualifier {
  /** Written `.?name` or `[?key]`. */
  readonly optional: boolean;
  /** The last step of `has(…)`. */
  readonly presence: boolean;
  /** What working out the key costs; the step itself costs 1 more. */
  readonly fixed: number;
  /** The name of an ordinary field selection. */
  readonly field: string | undefined;
  select(frame: Frame, object: Value): Value;
  /** Undefined where there is nothing. */
  find(frame: Frame, object: Value): Value | undefined;
}

export function fieldQualifier(name: string): Qualifier {
  return {
    optional: false,
    presence: false,
    fixed: 0,
    field: name,
    select: (_frame, object) => selectField(object, name),
    find: (_frame, object) => findField(object, name),
  };
}

/** Answers whether the field is there; as an optional step it answers the field itself. */
export function presenceQualifier(name: string): Qualifier {
  return {
    optional: false,
    presence: true,
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
    presence: false,
    fixed: 0,
    field: undefined,
    select: (_frame, object) => selectKey(object, key),
    find: (_frame, object) => findKey(object, key),
  };
}

/** `isData`: the key is an attribute, whose value upstream takes in its Go form. */
export function computedQualifier(key: Plan, optional: boolean, isData: boolean): Qualifier {
  const { run } = key;
  return {
    optional,
    presence: false,
    fixed: key.fixed,
    field: undefined,
    select: (frame, object) => {
      const value = run(frame);
      if (typeof value === "string" && object instanceof MapValue) {
        const found = object.get(value);
        if (found !== undefined) return found;
      }
      return checkKey(value, isData) ?? selectKey(object, value);
    },
    find: (frame, object) => {
      const value = run(frame);
      return checkKey(value, isData) ?? findKey(object, value);
    },
  };
}

export function isConstantKey(key: Value): boolean {
  return !(key instanceof CelError) && checkKey(key, false) === undefined;
}
