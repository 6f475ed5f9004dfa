import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { jsonValue } from "../value/json.testing.ts";
import { Float64, type JsonValue } from "../value/json.ts";
import { accepts } from "./accept.ts";
import { compileNode } from "./node.ts";
import { parseSchema } from "./parse.ts";
import { resourceSchema, valueFor } from "./schema.testing.ts";
import { findAll } from "./validate.ts";

const MINOR = 36;

function expectSameVerdict(schema: JsonValue, value: JsonValue): void {
  for (const forDefaults of [false, true]) {
    const node = compileNode(parseSchema(schema), { minor: MINOR, forDefaults });
    expect(accepts(node, value)).toBe(findAll(node, value).found.length === 0);
  }
}

// Each value of one list is held against each schema of the other.
const VALUES: readonly JsonValue[] = [
  ...[null, true, "", "a", "ab", "2020-01-01T00:00:00Z", "not a date", 0, 1, -1, 65, 2 ** 31, 2 ** 53 - 1],
  ...[
    2n ** 62n,
    -(2n ** 63n),
    0.5,
    1.000000000001,
    new Float64(1e300),
    new Float64(1),
    new Float64(-0),
    new Float64(2 ** 63),
  ],
  ...[[], ["a"], ["a", "b", "c"], {}, { a: "a" }, { a: null }, { a: 1, b: 2, c: 3 }, { b: {} }, [[{ a: 1 }]]],
].map((value) => (isPlain(value) ? fromPlain(value) : value));

function isPlain(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof Float64);
}

const SCHEMAS: readonly object[] = [
  {},
  ...["string", "integer", "number", "boolean", "array", "object"].flatMap((type) => [
    { type },
    { type, nullable: true },
  ]),
  ...["int32", "int64"].map((format) => ({ type: "integer", format })),
  ...["float", "double"].map((format) => ({ type: "number", format })),
  ...["date-time", "byte", "uuid"].map((format) => ({ type: "string", format })),
  { type: "object", format: "date-time" },
  { "x-kubernetes-int-or-string": true },
  { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], minimum: 1, maxLength: 1 },
  { type: "integer", minimum: 1, maximum: 3 },
  { type: "integer", minimum: 1, exclusiveMinimum: true, multipleOf: 2 },
  { type: "integer", format: "int32", maximum: 2 ** 40 },
  { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
  { type: "string", minLength: 1, maxLength: 1 },
  { type: "string", pattern: "^a" },
  { type: "string", pattern: "(" },
  { enum: ["a", 1, { a: "a" }, [], true] },
  { type: "string", enum: ["a"], nullable: true },
  { type: "array", items: { type: "string" } },
  { type: "array", minItems: 1, maxItems: 2 },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  { type: "object", required: ["toString"] },
  { type: "object", minProperties: 1, maxProperties: 2 },
  { type: "object", additionalProperties: { type: "integer" } },
  { type: "object", additionalProperties: true },
  { type: "object", additionalProperties: false },
  { type: "object", properties: { a: {} }, additionalProperties: false },
  { type: "object", additionalProperties: {}, "x-kubernetes-property-names": { enum: ["a"] } },
  { anyOf: [{ type: "string" }, { minimum: 1 }] },
  { oneOf: [{ type: "string" }, { maxLength: 1 }, { required: ["a"] }] },
  { allOf: [{ minLength: 1 }, { maxLength: 1 }, { not: { enum: ["a"] } }] },
  { not: { type: "object", properties: { a: { type: "string" } } } },
];

describe("a value is accepted exactly if it has no errors", () => {
  test.each(SCHEMAS.map((schema) => ({ schema })))("$schema", ({ schema }) => {
    for (const value of VALUES) expectSameVerdict(fromPlain(schema), value);
  });

  test("the fast check agrees on random schemas and values", () => {
    const sample = resourceSchema.chain((schema) =>
      fc.tuple(fc.constant(schema), fc.oneof(valueFor(schema), jsonValue)),
    );
    fc.assert(
      fc.property(sample, ([schema, value]) => expectSameVerdict(schema, value)),
      { numRuns: 500 },
    );
  });
});
