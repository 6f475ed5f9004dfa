import { expect, test } from "vitest";
import { createErrors, definitionOf, ROOT, specOf } from "../definition.testing.ts";

const SPEC = `${ROOT}.properties[spec]`;
const embedded = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};

test.each([
  {
    name: "a default is of the type of its schema",
    schema: { type: "integer", default: "x" },
    errors: [`${SPEC}.default: Invalid value: "string":  in body must be of type integer: "string"`],
  },
  {
    name: "names in messages are relative to the default",
    schema: { type: "object", properties: { a: { type: "string" } }, default: { a: 1 } },
    errors: [`${SPEC}.default.a: Invalid value: "integer": a in body must be of type string: "integer"`],
  },
  {
    name: "a default has no fields that the schema does not know",
    schema: { type: "object", properties: {}, default: { a: 1 } },
    errors: [`${SPEC}.default: Invalid value: {"a":1}: must not have unknown fields`],
  },
  {
    name: "the type of an int-or-string default is not checked",
    schema: { "x-kubernetes-int-or-string": true, default: [1] },
    errors: [],
  },
  {
    name: "defaults of map values are not looked at",
    schema: { type: "object", additionalProperties: { type: "string", default: 1 } },
    errors: [],
  },
  {
    name: "a default passes the rules of its schema, as a new value too",
    schema: {
      type: "integer",
      default: 1,
      "x-kubernetes-validations": [{ rule: "oldSelf.hasValue()", optionalOldSelf: true }, { rule: "self > 1" }],
    },
    errors: [`${SPEC}.default: Invalid value: 1: failed rule: self > 1`],
  },
  {
    name: "a resource in a default is named like one",
    schema: { ...embedded, default: { apiVersion: "a/b/c", kind: "X" } },
    errors: [`${SPEC}.default.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`],
  },
  {
    name: "a default inside metadata is validated within a resource",
    schema: {
      ...embedded,
      properties: { metadata: { type: "object", properties: { name: { type: "string", default: "a/b" } } } },
    },
    errors: [
      `${SPEC}.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'`,
    ],
  },
])("$name", ({ schema, errors }) => {
  expect(createErrors(definitionOf(specOf(schema)))).toEqual(errors);
});
