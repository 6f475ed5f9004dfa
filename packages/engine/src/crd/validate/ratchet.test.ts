import { expect, test } from "vitest";
import {
  createErrors,
  definitionOf,
  definitionWith,
  ESTABLISHED,
  specOf,
  updateErrors,
  versionWith,
} from "../definition.testing.ts";

const setOfObjects = { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "set" };
const looseKeys = {
  type: "array",
  items: { type: "object", properties: { k: { type: "string" } } },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
};

// Each stored definition breaks one rule that is younger than it; a change elsewhere must stay possible.
test.each([
  { name: "sets of objects", schema: specOf(setOfObjects) },
  { name: "map lists with optional keys", schema: specOf(looseKeys) },
  { name: "defaults with unknown fields", schema: specOf({ type: "object", default: { a: 1 } }) },
])("stored $name may stay", ({ schema }) => {
  expect(createErrors(definitionOf(schema))).not.toEqual([]);
  const changed = { ...schema, description: "changed" };
  expect(updateErrors(definitionOf(schema), definitionOf(changed))).toEqual([]);
  expect(updateErrors(definitionOf({ type: "object" }), definitionOf(changed))).not.toEqual([]);
});

test("stored unknown types may stay in a CRD that preserves unknown fields", () => {
  const of = (schema: object) =>
    definitionWith({ preserveUnknownFields: true, versions: [versionWith({ schema: { openAPIV3Schema: schema } })] });
  const schema = { properties: { a: { type: "bogus" } } };
  expect(updateErrors(of(schema), of({ ...schema, description: "changed" }))).toEqual([]);
});

test("a pruning CRD must be structural even if the stored one is not", () => {
  const old = definitionWith({
    preserveUnknownFields: true,
    versions: [versionWith({ schema: { openAPIV3Schema: {} } })],
  });
  expect(updateErrors(old, definitionOf({}))).toEqual([
    "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root",
  ]);
});

const webhook = (caBundle: string, reviewVersions: string[]) => ({
  strategy: "Webhook",
  webhook: { clientConfig: { url: "https://a", caBundle }, conversionReviewVersions: reviewVersions },
});

test.each([
  {
    name: "a broken CA bundle is accepted before the definition is established",
    old: {},
    stored: "",
    given: "YWJj",
    error: false,
  },
  { name: "and refused after that", old: { status: ESTABLISHED }, stored: "", given: "YWJj", error: true },
  { name: "unless it was broken before", old: { status: ESTABLISHED }, stored: "YWJk", given: "YWJj", error: false },
])("$name", ({ old, stored, given, error }) => {
  const before = definitionWith({ conversion: webhook(stored, ["v1"]) }, old);
  const errors = updateErrors(before, definitionWith({ conversion: webhook(given, ["v1"]) }));
  expect(errors).toEqual(
    error
      ? [
          'spec.conversion.webhookClientConfig.caBundle: Invalid value: "YWJj": unable to load root certificates: unable to parse bytes as PEM block',
        ]
      : [],
  );
});

test("stored review versions that are not supported may stay", () => {
  const json = definitionWith({ conversion: webhook("", ["v9"]) });
  expect(updateErrors(json, json)).toEqual([]);
});

test("stored selectable fields over the limit may stay", () => {
  const names = [..."abcdefghi"];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const of = (fields: readonly string[]) =>
    definitionOf(
      { type: "object", properties },
      { selectableFields: fields.map((name) => ({ jsonPath: `.${name}` })) },
    );
  const tooMany = "spec.selectableFields: Too many: 9: must have at most 8 items";
  expect(createErrors(of(names))).toEqual([tooMany]);
  expect(updateErrors(of(names), of(names))).toEqual([]);
  expect(updateErrors(of(names), of([...names].reverse()))).toEqual([tooMany]);
});
