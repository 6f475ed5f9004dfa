import { expect, test } from "vitest";
import {
  createErrors,
  definitionOf,
  definitionWith,
  ROOT,
  specOf,
  updateErrors,
  versionWith,
} from "../definition.testing.ts";

const SPEC = `${ROOT}.properties[spec]`;
const TRY =
  "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
const rule = (text: string, rest: object = {}) => ({ "x-kubernetes-validations": [{ rule: text, ...rest }] });
const shown = (text: string): string =>
  `{"Rule":${JSON.stringify(text)},"Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;

test.each([
  {
    name: "a rule is a condition",
    schema: { type: "string", ...rule("self") },
    errors: [
      `${SPEC}.x-kubernetes-validations[0].rule: Invalid value: ${shown("self")}: cel expression must evaluate to a bool`,
    ],
  },
  {
    name: "a rule compiles",
    schema: { type: "string", ...rule("self == 1") },
    errors: [
      `${SPEC}.x-kubernetes-validations[0].rule: Invalid value: ${shown("self == 1")}: compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(string, int)'\n | self == 1\n | .....^`,
    ],
  },
  {
    name: "of rule and message the first mistake is reported",
    schema: { type: "string", ...rule("", { message: " ", reason: "<", fieldPath: " " }) },
    errors: [
      `${SPEC}.x-kubernetes-validations[0].rule: Required value: rule is not specified`,
      `${SPEC}.x-kubernetes-validations[0].reason: Unsupported value: "\\u003c": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
      `${SPEC}.x-kubernetes-validations[0].fieldPath: Invalid value: " ": must be non-empty if specified`,
      `${SPEC}.x-kubernetes-validations[0].fieldPath: Invalid value: " ": must be a valid path`,
    ],
  },
  {
    name: "items of a plain list have no old value",
    schema: { type: "array", maxItems: 2, items: { type: "integer", ...rule("self == oldSelf") } },
    errors: [
      `${SPEC}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${SPEC}`,
    ],
  },
  {
    name: "an optional old value is used",
    schema: { type: "integer", ...rule("self > 0", { optionalOldSelf: false }) },
    errors: [
      `${SPEC}.x-kubernetes-validations[0].optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule`,
    ],
  },
  {
    name: "rules cannot see data without a type",
    schema: { "x-kubernetes-preserve-unknown-fields": true, ...rule("true") },
    errors: [
      `${SPEC}.x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations`,
    ],
  },
  {
    name: "rules are not compiled where the schema below them has errors",
    schema: { type: "object", properties: { a: { type: "string", id: "x" } }, ...rule("nonsense") },
    errors: [`${SPEC}.properties[a].id: Forbidden: id is not supported`],
  },
  {
    name: "a factor just above one is shown in full",
    schema: { type: "array", maxItems: 1450, items: { type: "integer" }, ...rule("self.all(a, self.all(b, a == b))") },
    errors: [
      `${SPEC}.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 1.051975x ${TRY}`,
    ],
  },
  {
    name: "a rule in an unbounded list runs as often as values fit into a request",
    schema: { type: "array", items: { type: "string", maxLength: 100, ...rule("self.matches('^a+$')") } },
    errors: [
      `${SPEC}.items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 4.4x ${TRY}`,
    ],
  },
])("$name", ({ schema, errors }) => {
  expect(createErrors(definitionOf(specOf(schema)))).toEqual(errors);
});

const costly = { type: "array", items: { type: "string" }, ...rule("self.all(a, self.all(b, a == b))") };

test("all rules share a budget, and the four costliest are named", () => {
  const properties = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, costly]));
  const errors = createErrors(definitionOf(specOf({ type: "object", properties })));
  expect(errors.filter((error) => error.includes("contributed to estimated rule cost total"))).toHaveLength(4);
  expect(errors.at(-1)).toBe(
    `${ROOT}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${TRY}`,
  );
});

test("rules of an unchanged schema may exceed their own limit, but the total still counts", () => {
  const bounded = { ...costly, maxItems: 1000, items: { type: "string", maxLength: 20 } };
  const old = definitionOf(specOf(bounded));
  expect(createErrors(old)[0]).toContain("estimated rule cost exceeds budget");
  expect(updateErrors(old, old)).toEqual([]);
  const versions = [versionWith({ schema: { openAPIV3Schema: specOf({ ...bounded, maxItems: 999 }) } })];
  expect(updateErrors(old, definitionWith({ versions }))[0]).toContain("estimated rule cost exceeds budget");
});
