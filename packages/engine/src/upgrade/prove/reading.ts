/** How rules read data under a schema, and whether two schemas let them read the same. */
import { escapeName } from "../../kubecel/escaping.ts";
import { withResourceFields } from "../../kubecel/resource-fields.ts";
import type { Structural } from "../../schema/structural.ts";
import type { Sort } from "../../symbolic/term.ts";
import { canonicalJson } from "../../value/text.ts";
import { undeclared } from "../pairs.ts";

/** Formats that rules do not read as strings. */
const SPECIAL: readonly string[] = ["byte", "date", "date-time", "datetime", "duration"];

export function sortOf(schema: Structural): Sort {
  if (schema.intOrString) return "other";
  switch (schema.type) {
    case "integer":
      return "int";
    case "number":
      return "double";
    case "string":
      return SPECIAL.includes(schema.format) ? "other" : "text";
    case "boolean":
      return "bool";
    case "array":
      return schema.items === undefined ? "other" : "list";
    case "object":
      if (schema.properties.size > 0 || schema.embeddedResource) return "object";
      return schema.additionalProperties?.schema === undefined ? "other" : "map";
    default:
      return "other";
  }
}

/** The keywords that decide how the value itself is read; members and items are separate. */
function readingOf(schema: Structural): string {
  const known = readings.get(schema);
  if (known !== undefined) return known;
  const reading = newReading(schema);
  readings.set(schema, reading);
  return reading;
}

const readings = new WeakMap<Structural, string>();

function newReading(schema: Structural): string {
  const { type, intOrString, format, listType, listMapKeys, preserveUnknownFields, embeddedResource } = schema;
  const special = type === "string" && SPECIAL.includes(format) ? format : "";
  const list = type === "array" ? [listType === "atomic" ? "" : (listType ?? ""), ...listMapKeys] : [];
  return JSON.stringify([
    type,
    intOrString,
    special,
    list,
    preserveUnknownFields === true,
    embeddedResource,
    sortOf(schema),
  ]);
}

/** Whether rules read data that the old schema accepts in the same way under the new one. */
export function isReadAlike(old: Structural, next: Structural): boolean {
  return old === next || readingOf(old) === readingOf(next) || isWidened(old, next);
}

/** An integer or a string stays the same value if either becomes allowed. */
function isWidened(old: Structural, next: Structural): boolean {
  const sort = sortOf(old);
  return next.intOrString && !old.intOrString && (sort === "int" || sort === "text");
}

/** The type of data accepted by the old schema, as rules of the new one read it. */
export function sortUnder(old: Structural | undefined, next: Structural): Sort {
  return old !== undefined && isWidened(old, next) ? sortOf(old) : sortOf(next);
}

const compared = new WeakMap<Structural, WeakMap<Structural, boolean>>();

/**
 * Whether the same data is the same value for every rule under both schemas: nothing is filled in, dropped or read
 * differently at the node or below.
 */
export function isSeenAlike(old: Structural, next: Structural): boolean {
  if (old === next) return true;
  const known = compared.get(old)?.get(next);
  if (known !== undefined) return known;
  const isAlike = compareNodes(old, next);
  const row = compared.get(old) ?? new WeakMap<Structural, boolean>();
  compared.set(old, row.set(next, isAlike));
  return isAlike;
}

function compareNodes(old: Structural, next: Structural): boolean {
  if (!isReadAlike(old, next) || old.nullable !== next.nullable || !isSameDefault(old, next)) return false;
  if ((old.items === undefined) !== (next.items === undefined)) return false;
  if (old.items !== undefined && next.items !== undefined && !isSeenAlike(old.items, next.items)) return false;
  const [before, after] = [old.additionalProperties, next.additionalProperties];
  if ((before === undefined) !== (after === undefined) || before?.allows !== after?.allows) return false;
  if ((before?.schema === undefined) !== (after?.schema === undefined)) return false;
  if (before?.schema !== undefined && after?.schema !== undefined && !isSeenAlike(before.schema, after.schema))
    return false;
  for (const [name, property] of old.properties) {
    const other = next.properties.get(name);
    if (other === undefined || !isSeenAlike(property, other)) return false;
  }
  for (const [name, property] of next.properties) {
    if (old.properties.has(name)) continue;
    // If nothing was kept, nothing is there, unless it is filled in.
    if (property.default !== undefined || old.preserveUnknownFields === true || before !== undefined) return false;
  }
  return true;
}

/** The same for a value that is given: neither null nor filled in. */
export function isGivenAlike(old: Structural, next: Structural): boolean {
  return isSeenAlike(old, next) || compareNodes(old, { ...next, nullable: old.nullable, default: old.default });
}

const widened = new WeakMap<Structural, WeakMap<Structural, boolean>>();

/** Whether the new schema keeps members of a manifest, at the node or below, that the old one drops. */
export function keepsMore(old: Structural, next: Structural): boolean {
  if (old === next) return false;
  const known = widened.get(old)?.get(next);
  if (known !== undefined) return known;
  const isWider = hasMoreMembers(old, next);
  const row = widened.get(old) ?? new WeakMap<Structural, boolean>();
  widened.set(old, row.set(next, isWider));
  return isWider;
}

function hasMoreMembers(old: Structural, next: Structural): boolean {
  const [before, after] = [undeclared(old), undeclared(next)];
  if (before === undefined && after !== undefined) return true;
  if (before !== undefined && after !== undefined && keepsMore(before, after)) return true;
  if (old.items !== undefined && next.items !== undefined && keepsMore(old.items, next.items)) return true;
  return [...next.properties].some(([name, property]) => {
    const other = old.properties.get(name) ?? before;
    return other === undefined || keepsMore(other, property);
  });
}

/**
 * Whether both schemas do the same with a null in a list or map. A null stays if it is nullable, and is otherwise
 * replaced by the default. Without a default it is refused in a list and dropped from a map.
 */
export function isSteadyElement(old: Structural, next: Structural, isItem: boolean): boolean {
  if (old.nullable && next.nullable) return true;
  const isRefused = isItem && !old.nullable && old.default === undefined;
  return isRefused || (old.nullable === next.nullable && isSameDefault(old, next));
}

/** Whether a map has the same keys under both schemas: a null that only one of them drops is a key of the other. */
export function hasSteadyKeys(old: Structural, next: Structural): boolean {
  if (old.items !== undefined || next.items !== undefined) return true;
  const [before, after] = [undeclared(old), undeclared(next)];
  return before === undefined || after === undefined || isSteadyElement(before, after, false);
}

/** Whether a map keeps keys with a null, as it is or as the default, that it dropped before. */
export function keepsDroppedNulls(old: Structural, next: Structural): boolean {
  const [before, after] = [undeclared(old), undeclared(next)];
  if (before === undefined || after === undefined || before.nullable || before.default !== undefined) return false;
  return after.nullable || after.default !== undefined;
}

/** Whether items have the same keys, which read the same. */
export function isSameListMap(old: Structural, next: Structural): boolean {
  if (old.listType !== next.listType || old.listMapKeys.join("\0") !== next.listMapKeys.join("\0")) return false;
  return old.listMapKeys.every((key) => {
    const [before, after] = [old.items?.properties.get(key), next.items?.properties.get(key)];
    return before !== undefined && after !== undefined && isSeenAlike(before, after);
  });
}

/**
 * Whether the equality of two such objects compares all their members by the names that rules use. It ignores nulls,
 * fields that are not declared, and names that rules write in another way.
 */
export function isComparedWhole({ type, properties, preserveUnknownFields, embeddedResource }: Structural): boolean {
  if (type !== "object" || embeddedResource || preserveUnknownFields === true) return false;
  return [...properties].every(([name, { nullable }]) => !nullable && escapeName(name) === name);
}

export function isSameDefault(one: Structural, other: Structural): boolean {
  const [left, right] = [one.default, other.default];
  if (left === undefined || right === undefined) return left === right;
  return canonicalJson(left) === canonicalJson(right);
}

/** Adds the members that rules see in every resource. */
export function asRuleSees(schema: Structural, isRoot: boolean): Structural {
  return isRoot || schema.embeddedResource ? withResourceFields(schema) : schema;
}
