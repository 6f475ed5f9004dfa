/** The size of values as they are stored. */
import type { Structural } from "../../schema/structural.ts";

/** The default size limit of etcd, in bytes. */
export const STORED_BYTES = 1_572_864;

const NULL_BYTES = 4;

/**
 * The least number of bytes that a value takes as JSON, if the schema accepts it. What a default fills in need not be
 * stored.
 */
export function leastBytes(schema: Structural | undefined): number {
  if (schema === undefined || schema.intOrString) return 1;
  const least = leastOfType(schema);
  return schema.nullable ? Math.min(NULL_BYTES, least) : least;
}

function leastOfType(schema: Structural): number {
  const { type, minLength = 0, minItems = 0, items } = schema;
  switch (type) {
    case "string":
      // A list is accepted in place of a string with some formats.
      return schema.format === "" ? 2 + minLength : 2;
    case "boolean":
      return NULL_BYTES;
    case "array":
      return 2 + Math.max(0, minItems) * leastBytes(items) + Math.max(0, minItems - 1);
    case "object":
      return leastOfObject(schema);
    default:
      return 1;
  }
}

function leastOfObject({ required, properties }: Structural): number {
  const members = [...new Set(required)].flatMap((name) => {
    const property = properties.get(name);
    if (property?.default !== undefined) return [];
    // The quotes and the colon.
    return [name.length + 3 + leastBytes(property)];
  });
  return 2 + members.reduce((sum, bytes) => sum + bytes, 0) + Math.max(0, members.length - 1);
}
