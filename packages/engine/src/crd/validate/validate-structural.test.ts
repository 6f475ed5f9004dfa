import { expect, test } from "vitest";
import { createErrors, definitionOf, ROOT, specOf } from "../definition.testing.ts";

const SPEC = `${ROOT}.properties[spec]`;

test.each([
  {
    name: "every field has a type",
    schema: {
      type: "object",
      properties: { a: {}, b: { type: "array", items: {} }, c: { type: "object", additionalProperties: {} } },
    },
    errors: [
      `${SPEC}.properties[a].type: Required value: must not be empty for specified object fields`,
      `${SPEC}.properties[b].items.type: Required value: must not be empty for specified array items`,
      `${SPEC}.properties[c].additionalProperties.type: Required value: must not be empty for specified object fields`,
    ],
  },
  { name: "data that is preserved needs none", schema: { "x-kubernetes-preserve-unknown-fields": true }, errors: [] },
  { name: "a list has items", schema: { type: "array" }, errors: [`${SPEC}.items: Required value: must be specified`] },
  {
    name: "combinators restrict values only",
    schema: {
      type: "object",
      allOf: [{ type: "object", description: "d", properties: { a: { nullable: true, default: 1 } } }],
    },
    errors: [
      `${SPEC}.allOf[0].description: Forbidden: must be empty to be structural`,
      `${SPEC}.allOf[0].properties[a].default: Forbidden: must be undefined to be structural`,
      `${SPEC}.allOf[0].properties[a].nullable: Forbidden: must be false to be structural`,
      `${SPEC}.allOf[0].type: Forbidden: must be empty to be structural`,
    ],
  },
  {
    name: "additionalProperties: false in a combinator is let through",
    schema: { type: "object", not: { additionalProperties: false } },
    errors: [],
  },
  {
    name: "the two spellings of int-or-string are excused, with or without the extension",
    schema: {
      type: "object",
      properties: {
        a: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        b: { type: "string", allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "a" }] },
      },
    },
    errors: [],
  },
  {
    name: "any more in a branch loses the excuse, even an empty list",
    schema: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer", required: [] }, { type: "string" }] },
    errors: [
      `${SPEC}.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${SPEC}.anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
  },
  {
    name: "an embedded resource is an object with properties",
    schema: { type: "object", properties: { a: { type: "string", "x-kubernetes-embedded-resource": true } } },
    errors: [
      `${SPEC}.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      `${SPEC}.properties[a].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
    ],
  },
  {
    name: "patterns are Go regular expressions",
    schema: { type: "string", pattern: "(?=a)" },
    errors: [
      `${SPEC}.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``,
    ],
  },
])("$name", ({ schema, errors }) => {
  expect(createErrors(definitionOf(specOf(schema)))).toEqual(errors);
});

test.each([
  {
    name: "what a combinator of the root speaks of is declared",
    schema: { type: "object", anyOf: [{ properties: { a: { items: { maxLength: 1 } } } }] },
    errors: [`${ROOT}.properties[a]: Required value: because it is defined in ${ROOT}.anyOf[0].properties[a]`],
  },
  {
    name: "one level down is not checked",
    schema: specOf({ type: "object", anyOf: [{ required: ["a"], properties: { a: { minimum: 1 } } }] }),
    errors: [],
  },
  {
    name: "a resource is an object and not a map",
    schema: { type: "string", additionalProperties: true },
    errors: [
      `${ROOT}.additionalProperties: Forbidden: must not be used at the root`,
      `${ROOT}.type: Invalid value: "string": must be object at the root`,
    ],
  },
  {
    name: "only names of the metadata may be restricted",
    schema: {
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 9 } } } },
    },
    errors: [],
  },
  {
    name: "nothing else of the metadata may be mentioned",
    schema: {
      type: "object",
      properties: { kind: { type: "integer" }, metadata: { type: "object", description: "d" } },
    },
    errors: [
      `${ROOT}.properties[kind].type: Invalid value: "integer": must be string`,
      `${ROOT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  },
  {
    name: "a schema that cannot be read says so if nothing else is wrong",
    schema: { type: "object", $schema: "s" },
    errors: [`${ROOT}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`],
  },
])("$name", ({ schema, errors }) => {
  expect(createErrors(definitionOf(schema))).toEqual(errors);
});
