/**
 * Values that upstream accepts by accident. No client relies on them, so a change that refuses nothing else is a note.
 *
 * A `format` lets a list pass where a string or a number is declared; a float64 within 1e-9 of a multiple counts as
 * one; a float64 such as `1.0` passes as an integer but is an error as soon as a rule reads it. Fields that the old CRD
 * drops count too, because their values were never validated.
 */
import type { FieldError } from "../../field/error.ts";
import { memberSchema, type Structural } from "../../schema/structural.ts";
import { Float64, isArray, isNumber, isObject, type JsonValue } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";
import { undeclared } from "../pairs.ts";
import { RESOURCE_MEMBERS } from "../resource-members.ts";

/** Whether the object is accepted by accident, in the parts that the errors are about. */
export function isQuirk(value: JsonValue, schema: Structural | undefined, errors: readonly FieldError[]): boolean {
  const isRead = errors.length > 0 && errors.every(({ origin }) => origin === "rule");
  return hasQuirk(value, schema, isRead) || hasDropped(value, schema, true);
}

/** Whether the old CRD drops a part of it. */
function hasDropped(value: JsonValue, schema: Structural | undefined, isRoot = false): boolean {
  if (schema === undefined) return false;
  if (isArray(value)) return value.some((item) => hasDropped(item, schema.items));
  if (!isObject(value)) return false;
  const isResource = isRoot || schema.embeddedResource;
  return Object.entries(value).some(([key, member]) => {
    if (isResource && RESOURCE_MEMBERS.includes(key)) return false;
    const inner = schema.properties.get(key) ?? undeclared(schema);
    return inner === undefined ? schema.type === "object" || isRoot : hasDropped(member, inner);
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
