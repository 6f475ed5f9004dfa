import { crdKind } from "@portcullis/engine/internal/review/kinds/crd";
import { describe, expect, test } from "vitest";
import { widgetDefinition } from "../app/app.testing.ts";
import { DefinitionReader, memberText, outlineText } from "./crd-outline.ts";

const reader = new DefinitionReader(
  crdKind({ version: "1.36", gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } }),
);

function entryOf(value: unknown, revision = 1) {
  return { key: "/k", value: JSON.stringify(value), revision, created: 1 };
}

describe("the outline of a CRD", () => {
  test("has everything but the schemas and managed fields", () => {
    const definition = widgetDefinition();
    const text = JSON.stringify({ ...definition, metadata: { ...definition.metadata, managedFields: [{ a: "]}" }] } });
    const outline = JSON.parse(outlineText(text));
    for (const version of definition.spec.versions as { schema: unknown }[]) version.schema = { openAPIV3Schema: {} };
    expect(outline).toEqual({ ...definition, metadata: { ...definition.metadata, managedFields: null } });
  });

  test.each([
    { text: '{"openAPIV3Schema":{"a":"}\\"]","b":[{}]},"c":1}', outline: '{"openAPIV3Schema":{},"c":1}' },
    { text: '{"openAPIV3Schema":{"default":"\\\\"},"c":1}', outline: '{"openAPIV3Schema":{},"c":1}' },
    { text: '{"a":"\\"openAPIV3Schema\\":{","b":{}}', outline: '{"a":"\\"openAPIV3Schema\\":{","b":{}}' },
    { text: '{"openAPIV3Schema":{"properties":{"managedFields":{}}}}', outline: '{"openAPIV3Schema":{}}' },
    { text: '{"managedFields":null}', outline: '{"managedFields":null}' },
    { text: '{"managedFields":"x","y":1}', outline: '{"managedFields":null,"y":1}' },
  ])("of $text is cut where the value ends", ({ text, outline }) => {
    expect(outlineText(text)).toBe(outline);
  });

  test("reads the schema from the whole text", () => {
    const entry = entryOf(widgetDefinition());
    expect(reader.whole(entry).versions[0]?.schema?.properties.has("spec")).toBe(true);
  });
});

test("a member is found by its name at the top level only", () => {
  const text = '{"a":{"spec":1},"b":"\\"spec\\":2","spec":{"c":[1,{"d":"}"}]},"status":{}}';
  expect(memberText(text, "spec")).toBe('{"c":[1,{"d":"}"}]}');
  expect(memberText(text, "status")).toBe("{}");
  expect(memberText(text, "other")).toBeUndefined();
});

test("specs are the same whatever the order of their members", () => {
  const definition = widgetDefinition();
  const { group, ...rest } = definition.spec;
  const reordered = { ...definition, spec: { ...rest, group } };
  expect(reader.hasSameSpec(entryOf(definition), entryOf(reordered, 2))).toBe(true);
  const other = { ...definition, spec: { ...definition.spec, scope: "Cluster" } };
  expect(reader.hasSameSpec(entryOf(definition), entryOf(other, 2))).toBe(false);
});
