/**
 * Values that upstream accepts by accident. No client relies on them, so a change that refuses nothing else is a note.
 *
 * A `format` lets a list pass where a string or a number is declared; a float64 within 1e-9 of a multiple counts as
 * one; a float64 such as `1.0` passes as an integer but is an error as soon as a rule or the scale subresource reads it.
 * Values of fields that the old CRD drops count too, if the new schema of such a field refuses them: they were never
 * validated.
 */
import type { FieldError } from "../../field/error.ts";
import { memberSchema, type Structural } from "../../schema/structural.ts";
import { Float64, isArray, isNumber, isObject, type JsonValue } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";
import { undeclared } from "../pairs.ts";
import { type DataStep, formatDataPath, normalizePath } from "../place.ts";
import { RESOURCE_MEMBERS } from "../resource-members.ts";
import type { LocalCheck } from "./local-check.ts";
import { placeOfError } from "./target.ts";

/** The schemas of both sides. */
export interface SchemaSides {
  readonly old: Structural | undefined;
  readonly new: Structural | undefined;
}

/** Whether the object is accepted by accident, in the parts that the errors are about. */
export function isQuirk(
  value: JsonValue,
  sides: SchemaSides,
  errors: readonly FieldError[],
  check: LocalCheck,
): boolean {
  const isRead = errors.length > 0 && errors.every(({ origin }) => origin === "rule" || origin === "scale");
  if (hasQuirk(value, sides.old, isRead)) return true;
  return droppedFields(value, sides).some(
    (field) => hasQuirk(field.value, field.schema, isRead) || isOwnFault(field, errors, check),
  );
}

/** A field of the object that the old CRD drops and the new one keeps. */
export interface DroppedField {
  readonly path: readonly DataStep[];
  readonly value: JsonValue;
  readonly schema: Structural;
}

export function droppedFields(value: JsonValue, sides: SchemaSides): DroppedField[] {
  const found: DroppedField[] = [];
  collectDropped(value, sides, [], found);
  return found;
}

function collectDropped(value: JsonValue, sides: SchemaSides, path: readonly DataStep[], found: DroppedField[]): void {
  const { old, new: next } = sides;
  if (old === undefined || next === undefined) return;
  if (isArray(value)) {
    value.forEach((item, index) => {
      collectDropped(item, { old: old.items, new: next.items }, [...path, index], found);
    });
    return;
  }
  if (!isObject(value)) return;
  const isRoot = path.length === 0;
  for (const [key, member] of Object.entries(value)) {
    if ((isRoot || old.embeddedResource) && RESOURCE_MEMBERS.includes(key)) continue;
    const [before, after] = [memberOf(old, key), memberOf(next, key)];
    const isDropped = before === undefined && (old.type === "object" || isRoot);
    if (isDropped && after !== undefined) found.push({ path: [...path, key], value: member, schema: after });
    else collectDropped(member, { old: before, new: after }, [...path, key], found);
  }
}

function memberOf(schema: Structural, key: string): Structural | undefined {
  return schema.properties.get(key) ?? undeclared(schema);
}

/** Whether the new schema of the field, or a rule in it, refuses its value. */
function isOwnFault({ path, value, schema }: DroppedField, errors: readonly FieldError[], check: LocalCheck): boolean {
  if (value !== null && !check.accepts(schema, value)) return true;
  const place = normalizePath(formatDataPath(path));
  return errors.some((error) => {
    if (error.origin === "scale") return false;
    const at = normalizePath(placeOfError(error));
    return at === place || at.startsWith(`${place}.`);
  });
}

function hasQuirk(value: JsonValue, schema: Structural | undefined, isRead: boolean): boolean {
  if (schema === undefined) return false;
  if (isOfAnotherType(value, schema) || isNearMultiple(value, schema)) return true;
  if (isRead && schema.type === "integer" && value instanceof Float64) return true;
  if (isArray(value)) return value.some((item) => hasQuirk(item, schema.items, isRead));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, member]) => hasQuirk(member, memberSchema(schema, key), isRead));
}

function isOfAnotherType(value: JsonValue, { type, format }: Structural): boolean {
  if (format === "" || value === null) return false;
  if (type === "string") return typeof value !== "string";
  return (type === "integer" || type === "number") && !isNumber(value);
}

function isNearMultiple(value: JsonValue, schema: Structural): boolean {
  const factors = [schema, ...schema.allOf].flatMap(({ multipleOf }) => multipleOf ?? []);
  if (factors.length === 0 || !isNumber(value) || typeof value === "bigint") return false;
  const number = asFloat(value);
  return factors.some((factor) => Number.isInteger(factor) && number % factor !== 0);
}
