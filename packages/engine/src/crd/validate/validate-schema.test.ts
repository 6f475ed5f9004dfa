import { expect, test } from "vitest";
import { createErrors, definitionOf, ROOT, specOf } from "../definition.testing.ts";

const SPEC = `${ROOT}.properties[spec]`;
const listOf = (items: object, rest: object) => ({ type: "array", items, ...rest });
const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] };
const keyItems = { type: "object", required: ["k"], properties: { k: { type: "string" } } };

test.each([
  {
    name: "types are those of OpenAPI",
    schema: { type: "null" },
    errors: [
      `${SPEC}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      `${SPEC}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
    ],
  },
  {
    name: "keywords that need more than one schema are refused, even when empty",
    schema: { type: "object", id: "x", dependencies: {}, $ref: "" },
    errors: [
      `${SPEC}.id: Forbidden: id is not supported`,
      `${SPEC}.dependencies: Forbidden: dependencies is not supported`,
      `${SPEC}.$ref: Forbidden: $ref is not supported`,
    ],
  },
  {
    name: "a struct is not a map",
    schema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
    errors: [`${SPEC}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
  },
  {
    name: "additionalProperties: true beside properties is accepted",
    schema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
    errors: [],
  },
  {
    name: "unique items take too long to check",
    schema: listOf({ type: "string" }, { uniqueItems: true }),
    errors: [
      `${SPEC}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
  },
  {
    name: "preserving unknown fields is said or not said",
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": false },
    errors: [`${SPEC}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
  },
  {
    name: "list types belong to lists, map types to objects",
    schema: { type: "string", "x-kubernetes-list-type": "bag", "x-kubernetes-map-type": "loose" },
    errors: [
      `${SPEC}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
      `${SPEC}.x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"`,
      `${SPEC}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
      `${SPEC}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`,
    ],
  },
  {
    name: "objects in a set are atomic; the error shows their list type",
    schema: listOf({ type: "object" }, { "x-kubernetes-list-type": "set" }),
    errors: [
      `${SPEC}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
    ],
  },
  {
    name: "keys of a map list are scalar properties, named once",
    schema: listOf(
      { type: "object", required: ["k"], properties: { k: { type: "object" } } },
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "k", "z"] },
    ),
    errors: [
      `${SPEC}.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
      `${SPEC}.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
      `${SPEC}.x-kubernetes-list-map-keys: Invalid value: ["k","k","z"]: must not contain duplicate entries`,
      `${SPEC}.x-kubernetes-list-map-keys: Invalid value: ["k","k","z"]: entries must all be names of item properties`,
    ],
  },
  {
    name: "keys are always there and never null",
    schema: listOf({ type: "object", nullable: true, properties: { k: { type: "string", nullable: true } } }, keyed),
    errors: [
      `${SPEC}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
      `${SPEC}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      `${SPEC}.items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
    ],
  },
  { name: "a list with good keys is accepted", schema: listOf(keyItems, keyed), errors: [] },
])("$name", ({ schema, errors }) => {
  expect(createErrors(definitionOf(specOf(schema)))).toEqual(errors);
});

test("the root of a schema with a status allows few keywords, and is printed completely otherwise", () => {
  const version = { subresources: { status: {} } };
  const [error] = createErrors(definitionOf({ type: "object", maxProperties: 2 }, version));
  expect(error).toMatch(
    /^spec\.validation\.openAPIV3Schema: Invalid value: \{"ID":"".*"MaxProperties":2,.*"XValidations":null\}: only \[Description Type /,
  );
  expect(createErrors(definitionOf({ type: "object", required: ["spec"] }, version))).toEqual([]);
});

test("an empty list at the root of a schema with a status is a list", () => {
  const errors = createErrors(definitionOf({ type: "object", allOf: [] }, { subresources: { status: {} } }));
  expect(errors[0]).toContain('"AllOf":[]');
});

test("defaults are refused in the metadata of the resource", () => {
  const metadata = { type: "object", properties: { name: { type: "string", default: "x" } } };
  expect(createErrors(definitionOf({ type: "object", properties: { metadata } }))).toEqual([
    `${ROOT}.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`,
  ]);
});
