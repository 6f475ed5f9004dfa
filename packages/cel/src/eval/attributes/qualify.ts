/**
 * One step into a value: `object.field`, `object[key]`, and the presence test.
 *
 * Follows refQualify in cel-go interpreter/attributes.go. A step into a value that has no parts is a missing
 * key rather than a missing overload, and a presence test there is simply false.
 */

import { goDataTypeName, goTypeName } from "../../values/go-type.ts";
import { JsonMap } from "../../values/json.ts";
import { listIndex } from "../../values/list.ts";
import { noSuchKey } from "../../values/messages.ts";
import { displayText } from "../../values/text.ts";
import { CelError, Double, ListValue, MapValue, OpaqueValue, Uint, type Value } from "../../values/value.ts";
import { indexOutOfBounds, invalidQualifier } from "../messages.ts";

export function selectField(object: Value, name: string): Value {
  const found = findField(object, name);
  return found === undefined ? noSuchKey(name) : found;
}

export function selectKey(object: Value, key: Value): Value {
  const found = findKey(object, key);
  return found === undefined ? missing(object, key) : found;
}

/** The part, undefined if there is none, or an error if there cannot be one. */
export function findField(object: Value, name: string): Value | undefined {
  if (object instanceof MapValue || object instanceof OpaqueValue) return object.field(name);
  return findKey(object, name);
}

export function findKey(object: Value, key: Value): Value | undefined {
  if (object instanceof MapValue) return object.get(key);
  if (object instanceof ListValue) return findElement(object, key);
  if (object instanceof CelError) return object;
  return object instanceof OpaqueValue && typeof key === "string" ? object.field(key) : undefined;
}

export function isFieldPresent(object: Value, name: string): boolean | CelError {
  if (object instanceof JsonMap) return object.hasField(name);
  // Data that does not fit its schema is an error in presence tests too.
  const found = findField(object, name);
  if (found instanceof CelError) return found;
  // Some objects return null for missing fields.
  return found === null && object instanceof MapValue ? object.hasField(name) : found !== undefined;
}

function findElement(list: ListValue, key: Value): Value | undefined {
  if (typeof key === "number") return key >= 0 && key < list.size ? elementAt(list, key) : undefined;
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  if (typeof index !== "number" || index < 0 || index >= list.size) return undefined;
  return list.checkIndex(key) ?? elementAt(list, index);
}

/** An element that is bad data. Upstream counts it as found; the step after it fails. */
class BadElement extends CelError {}

function elementAt(list: ListValue, index: number): Value {
  const element = list.at(index);
  return element instanceof CelError ? new BadElement(element.message) : element;
}

/** Whether no further step can be taken after this one. */
export function hasFailed(from: Value, to: Value): to is CelError {
  return to instanceof CelError && (from instanceof CelError || !(to instanceof BadElement));
}

function missing(object: Value, key: Value): CelError {
  return object instanceof ListValue ? indexOutOfBounds(displayText(key)) : noSuchKey(displayText(key));
}

/** An error if a value cannot be a key at all. `isData`: it was read from a variable. */
export function checkKey(key: Value, isData: boolean): CelError | undefined {
  if (typeof key !== "object") return undefined;
  if (key instanceof Uint || key instanceof Double) return undefined;
  return key instanceof CelError ? key : invalidQualifier(isData ? goDataTypeName(key) : goTypeName(key));
}
