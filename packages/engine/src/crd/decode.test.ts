import { expect, test } from "vitest";
import { isObject, type JsonValue } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { decodeDefinition, encodeDefinition } from "./decode.ts";
import { definitionOf, definitionWith, specOf, versionWith } from "./definition.testing.ts";

const IN_SCHEMA = "Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema";

test.each([
  {
    name: "a wrong type is named with its struct and the fields that lead to it",
    schema: { maxLength: "x" },
    error: `json: cannot unmarshal string into ${IN_SCHEMA}.maxLength of type int64`,
  },
  {
    name: "a fraction for an integer is quoted",
    schema: { maxLength: 1.5 },
    error: `json: cannot unmarshal number 1.5 into ${IN_SCHEMA}.maxLength of type int64`,
  },
  {
    name: "an error inside items is placed after the fields around them",
    schema: { properties: { a: { items: { type: 5 } } } },
    error: `json: cannot unmarshal number into ${IN_SCHEMA}.properties.items.type of type string`,
  },
  {
    name: "a type that decodes itself ends the decoding, and its error hides earlier ones",
    schema: { type: 7, properties: { a: { additionalProperties: "x" } } },
    error: "boolean or JSON schema expected",
  },
  {
    name: "lists have the Go type of their elements",
    schema: { enum: 5 },
    error: `json: cannot unmarshal number into ${IN_SCHEMA}.enum of type []v1.JSON`,
  },
  { name: "null is the same as absent", schema: { type: null, items: null, default: null }, error: undefined },
])("$name", ({ schema, error }) => {
  expect(decodeDefinition(definitionOf(schema)).error).toBe(error);
});

test("kind and apiVersion belong to an embedded struct", () => {
  const { error } = decodeDefinition(definitionWith({}, { kind: 5 }));
  expect(error).toBe(
    "json: cannot unmarshal number into Go struct field CustomResourceDefinition.TypeMeta.kind of type string",
  );
});

test("a CA bundle must be base64", () => {
  const conversion = { strategy: "Webhook", webhook: { clientConfig: { caBundle: "!" } } };
  expect(decodeDefinition(definitionWith({ conversion })).error).toBe("illegal base64 data at input byte 0");
});

test("unknown fields are reported in document order, but not below types with their own decoder", () => {
  const schema = {
    type: "object",
    bogus: 1,
    properties: { a: { items: { bogus: 1 }, additionalProperties: { x: 1 } } },
  };
  const { unknown } = decodeDefinition(
    definitionWith({ zz: 1, versions: [versionWith({ schema: { openAPIV3Schema: schema } })] }),
  );
  expect(unknown).toEqual(["spec.versions[0].schema.openAPIV3Schema.bogus", "spec.zz"]);
});

test.each([
  {
    name: "names are derived from the kind",
    at: ["spec", "names"],
    value: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
  },
  { name: "there is no conversion unless asked for", at: ["spec", "conversion"], value: { strategy: "None" } },
  { name: "the storage version counts as stored", at: ["status", "storedVersions"], value: ["v1"] },
])("$name", ({ at, value }) => {
  expect(JSON.parse(canonicalJson(member(decodeDefinition(definitionWith({})).value, at)))).toEqual(value);
});

test("the default port of a service is 443", () => {
  const conversion = { strategy: "Webhook", webhook: { clientConfig: { service: { name: "n", namespace: "ns" } } } };
  const { value } = decodeDefinition(definitionWith({ conversion }));
  expect(member(value, ["spec", "conversion", "webhook", "clientConfig", "service", "port"])).toBe(443);
});

test("encoding omits empty lists and keeps what upstream always writes", () => {
  const schema = specOf({ type: "object", required: [], properties: {}, items: 7, maximum: 2 });
  const written = encodeDefinition(decodeDefinition(definitionOf(schema)).value);
  const version = member(written, ["spec", "versions", "0", "schema", "openAPIV3Schema", "properties", "spec"]);
  expect(canonicalJson(version)).toBe('{"items":null,"maximum":2,"type":"object"}');
  expect(canonicalJson(written["status"] ?? null)).toBe(
    '{"acceptedNames":{"kind":"","plural":""},"conditions":null,"storedVersions":["v1"]}',
  );
});

function member(json: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)] ?? null;
    return isObject(value) ? (value[key] ?? null) : null;
  }, json);
}
