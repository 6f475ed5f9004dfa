import { expect, test } from "vitest";
import { createErrors, definitionOf, GATES, ROOT, specOf } from "../definition.testing.ts";

const SPEC = `${ROOT}.properties[spec]`;
const KEYS = `${SPEC}.x-kubernetes-property-names`;
const values = { type: "string" };
const mapWith = (propertyNames: object, rest: object = {}) => ({
  type: "object",
  additionalProperties: values,
  "x-kubernetes-property-names": propertyNames,
  ...rest,
});
const NOT_A_STRING =
  "Forbidden: must not be set in x-kubernetes-property-names, only validations that apply to strings are allowed";

test.each([
  {
    name: "keys of a map have a schema of strings",
    schema: mapWith({ type: "string", pattern: "^a", maxLength: 9, enum: ["a"] }),
    errors: [],
  },
  {
    name: "keys of a map of anything too",
    schema: mapWith({ type: "string" }, { additionalProperties: true }),
    errors: [],
  },
  {
    name: "only maps have keys",
    schema: { type: "object", properties: { a: values }, "x-kubernetes-property-names": { type: "string" } },
    errors: [
      `${SPEC}.additionalProperties: Required value: must be specified if x-kubernetes-property-names is specified`,
      `${KEYS}: Forbidden: x-kubernetes-property-names and properties are mutual exclusive`,
    ],
  },
  {
    name: "a closed map has none",
    schema: mapWith({ type: "string" }, { additionalProperties: false }),
    errors: [
      `${SPEC}.additionalProperties: Invalid value: false: must be a schema or true if x-kubernetes-property-names is specified`,
    ],
  },
  {
    name: "keys are strings",
    schema: mapWith({ type: "integer" }),
    errors: [`${KEYS}.type: Unsupported value: "integer": supported values: "string"`],
  },
  {
    name: "a key is never null and has no parts",
    schema: mapWith({ type: "string", nullable: true, properties: { a: values }, "x-kubernetes-int-or-string": true }),
    errors: [
      `${KEYS}.nullable: ${NOT_A_STRING}`,
      `${KEYS}.properties: ${NOT_A_STRING}`,
      `${KEYS}.x-kubernetes-int-or-string: ${NOT_A_STRING}`,
    ],
  },
  {
    name: "combinators speak of strings too",
    schema: mapWith({ type: "string", anyOf: [{ minLength: 1 }, { minimum: 1 }] }),
    errors: [`${KEYS}.anyOf[1].minimum: ${NOT_A_STRING}`],
  },
  {
    name: "inside combinators there are none",
    schema: { type: "object", additionalProperties: values, not: { "x-kubernetes-property-names": { minLength: 1 } } },
    errors: [`${SPEC}.not.x-kubernetes-property-names: Forbidden: must be undefined to be structural`],
  },
  {
    name: "a default key must be a key",
    schema: mapWith({ type: "string", maxLength: 1, default: "ab" }),
    errors: [`${KEYS}.default: Too long: may not be more than 1 byte`],
  },
  {
    name: "rules see the key, and no old one",
    schema: mapWith(
      { type: "string", maxLength: 5, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
      { maxProperties: 5 },
    ),
    errors: [
      `${KEYS}.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${KEYS}`,
    ],
  },
])("$name", ({ schema, errors }) => {
  expect(createErrors(definitionOf(specOf(schema)))).toEqual(errors);
});

test("the length bound of keys affects the cost of rules on the map", () => {
  const rule = { "x-kubernetes-validations": [{ rule: "self.all(k, k.matches('^a+$'))" }], maxProperties: 1000 };
  const of = (propertyNames: object) => createErrors(definitionOf(specOf(mapWith(propertyNames, rule))));
  expect(of({ type: "string", maxLength: 63 })).toEqual([]);
  expect(of({ type: "string" })[0]).toContain("estimated rule cost exceeds budget");
});

test("with the gate off they are ignored", () => {
  const options = { version: "1.36", gates: { ...GATES, CRDPropertyNameSchemas: false } } as const;
  expect(createErrors(definitionOf(specOf(mapWith({ type: "integer" }))), options)).toEqual([]);
});
