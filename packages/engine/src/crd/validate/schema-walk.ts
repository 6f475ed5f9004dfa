/** Looking through all that a schema contains, combinators and unsupported keywords included. */
import { EMPTY_SCHEMA, type Structural } from "../../schema/structural.ts";

/** Whether any schema within, itself included, satisfies the test. The order is upstream's. */
export function schemaHas(schema: Structural, test: (schema: Structural) => boolean): boolean {
  return test(schema) || innerSchemas(schema).some((inner) => schemaHas(inner, test));
}

export function forEachSchema(schema: Structural, visit: (schema: Structural) => void): void {
  schemaHas(schema, (each) => {
    visit(each);
    return false;
  });
}

function innerSchemas(schema: Structural): Structural[] {
  const { unsupported } = schema;
  const inner = [
    schema.items,
    ...(unsupported?.itemsList ?? []),
    ...schema.allOf,
    ...schema.anyOf,
    ...schema.oneOf,
    schema.not,
    ...schema.properties.values(),
    schema.additionalProperties?.schema,
    schema.propertyNames,
    ...(unsupported?.patternProperties.values() ?? []),
    unsupported?.additionalItems?.schema,
    ...(unsupported?.definitions.values() ?? []),
    ...[...(unsupported?.dependencies?.values() ?? [])].map((dependency) => dependency.schema),
  ];
  return inner.filter((each) => each !== undefined);
}

/** Whether a schema says nothing besides the given keywords. */
export function hasNoOther(schema: Structural, allowed: ReadonlySet<keyof Structural>): boolean {
  return usedKeywords(schema).every((key) => allowed.has(key));
}

/** The keywords a schema uses. */
export function usedKeywords(schema: Structural): (keyof Structural)[] {
  const keys = Object.keys(schema) as (keyof Structural)[];
  return keys.filter((key) => {
    if (LISTS.has(key)) return schema[key] !== EMPTY_SCHEMA[key];
    return ANY_VALUE.has(key) ? schema[key] !== undefined : !isZero(schema[key]);
  });
}

/** Where an empty list counts as one. */
const LISTS: ReadonlySet<keyof Structural> = new Set(["required", "listMapKeys", "validations"] as const);

/** Where false and "" are values like others. */
const ANY_VALUE: ReadonlySet<keyof Structural> = new Set([
  "default",
  "example",
  "preserveUnknownFields",
  "listType",
  "mapType",
] as const);

function isZero(value: unknown): boolean {
  if (value === undefined || value === "" || value === false) return true;
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) && value.length === 0;
}
