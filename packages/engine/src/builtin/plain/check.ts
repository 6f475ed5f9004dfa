/**
 * The parts that plain checks are made of.
 *
 * A plain check is true only for values that pass decoding, validation and warnings of every supported version without
 * any finding. False means nothing: the full rules decide. So a check may be simpler than the rule that it stands for,
 * and fields that are rare are left out.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";

export type Check = (value: JsonValue) => boolean;

export interface FieldsOptions {
  /** The fields that must be present. */
  readonly needs?: readonly string[];
  /** What fields say about one another. */
  readonly and?: (object: JsonObject) => boolean;
}

/** An object that has only these fields. */
export function fields(checks: Readonly<Record<string, Check>>, { needs = [], and }: FieldsOptions = {}): Check {
  const byName = new Map(Object.entries(checks));
  return (value) => {
    if (!isObject(value)) return false;
    for (const name in value) {
      const check = byName.get(name);
      if (check === undefined || !check(value[name] as JsonValue)) return false;
    }
    for (const name of needs) if (value[name] === undefined) return false;
    return and === undefined || and(value);
  };
}

/** An object with exactly one of these fields besides those that are common. */
export function oneField(checks: Readonly<Record<string, Check>>, common: Readonly<Record<string, Check>> = {}): Check {
  const isFine = fields({ ...common, ...checks }, { needs: Object.keys(common) });
  const names = Object.keys(checks);
  return (value) => isFine(value) && names.filter((name) => (value as JsonObject)[name] !== undefined).length === 1;
}

export interface ListOptions {
  readonly min?: number;
  /** The field whose value no two items share. */
  readonly key?: string;
}

/** Longer lists are rare, and looking for equal items takes long. */
const MAX_ITEMS = 100;

export function list(check: Check, { min = 0, key }: ListOptions = {}): Check {
  return (value) =>
    isArray(value) &&
    value.length >= min &&
    value.length <= MAX_ITEMS &&
    value.every(check) &&
    (key === undefined || areDistinct(value, (item) => (item as JsonObject)[key]));
}

export function areDistinct<T>(items: readonly T[], keyOf: (item: T) => unknown): boolean {
  for (let index = 1; index < items.length; index++) {
    const key = keyOf(items[index] as T);
    for (let before = 0; before < index; before++) if (keyOf(items[before] as T) === key) return false;
  }
  return true;
}

export function map(checkKey: (key: string) => boolean, check: Check): Check {
  return (value) => {
    if (!isObject(value)) return false;
    for (const key in value) if (!checkKey(key) || !check(value[key] as JsonValue)) return false;
    return true;
  };
}

export function integer(min: number, max = 2_147_483_647): Check {
  return (value) => typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

export function oneOf(...values: readonly string[]): Check {
  return (value) => typeof value === "string" && values.includes(value);
}

export function text(isFine: (text: string) => boolean): Check {
  return (value) => typeof value === "string" && isFine(value);
}

export function isText(value: JsonValue): boolean {
  return typeof value === "string";
}

export function isFlag(value: JsonValue): boolean {
  return typeof value === "boolean";
}

export function either(left: Check, right: Check): Check {
  return (value) => left(value) || right(value);
}

/** The member of a checked object; null stands for an absent one. */
export function at(object: JsonValue, ...names: readonly string[]): JsonValue {
  let place: JsonValue = object;
  for (const name of names) {
    if (!isObject(place)) return null;
    place = place[name] ?? null;
  }
  return place;
}

export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}
