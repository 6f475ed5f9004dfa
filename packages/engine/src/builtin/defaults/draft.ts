/**
 * Fills in a draft. Defaults change it in place: it was made by decoding and is not shared.
 *
 * INVARIANT: a draft is as Go writes it, so a struct that is no pointer is always there, and an absent member is nil or
 * zero.
 */
import { deepCopy } from "../../value/copy.ts";
import { isObject, type JsonObject, type JsonValue, newEmptyMap, newObject } from "../../value/json.ts";
import { isEmpty } from "../object.ts";

export type Draft = JsonObject;

/** Fills a Draft of one Go type. */
export type Filler = (draft: Draft) => void;

/** By Go name, such as `v1.Container`. */
export type Fillers = Readonly<Record<string, Filler>>;

/** Sets a pointer that is nil. */
export function fill(draft: Draft, key: string, value: JsonValue): void {
  if (draft[key] === undefined || draft[key] === null) draft[key] = value;
}

/** Sets a field that is zero. */
export function fillZero(draft: Draft, key: string, value: JsonValue): void {
  if (draft[key] === undefined || draft[key] === "" || draft[key] === 0) draft[key] = value;
}

/** Sets a list or map that has nothing in it. */
export function fillEmpty(draft: Draft, key: string, value: JsonValue): void {
  if (isEmpty(draft[key])) draft[key] = value;
}

/** A struct inside, made where it is missing. */
export function inner(draft: Draft, key: string): Draft {
  const value = draft[key];
  if (isObject(value)) return value;
  const made = newObject();
  draft[key] = made;
  return made;
}

function mapIn(draft: Draft, key: string): Draft {
  if (!isObject(draft[key])) draft[key] = newEmptyMap();
  return inner(draft, key);
}

/** Adds what a map lacks from another. */
export function fillMap(draft: Draft, key: string, from: JsonValue | undefined): void {
  if (!isObject(from)) return;
  const map = mapIn(draft, key);
  for (const [name, value] of Object.entries(from)) fill(map, name, deepCopy(value));
}
