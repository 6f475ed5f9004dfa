import { expect, test } from "vitest";
import { isObject, type JsonObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { decodeDefinition } from "./decode.ts";
import { definitionOf, definitionWith, ESTABLISHED, GATES, specOf, versionWith } from "./definition.testing.ts";
import { prepareForCreate, prepareForUpdate } from "./prepare.ts";

const decoded = (json: JsonObject): JsonObject => decodeDefinition(json).value;
const generationOf = ({ metadata }: JsonObject): unknown => isObject(metadata) && metadata["generation"];

test("a new CRD starts with generation 1 and the server's status", () => {
  const given = definitionWith({}, { status: { ...ESTABLISHED, storedVersions: ["v0"] } });
  const created = prepareForCreate(decoded(given), GATES);
  expect(generationOf(created)).toBe(1);
  expect(canonicalJson(created["status"] ?? null)).toBe('{"storedVersions":["v1"]}');
});

test("an update keeps the status, counts changes of the spec and remembers storage versions", () => {
  const metadata = { name: "widgets.example.com", generation: 3 };
  const old = decoded(definitionWith({}, { metadata, status: ESTABLISHED }));
  expect(generationOf(prepareForUpdate(decoded(definitionWith({})), old, GATES))).toBe(3);
  const changed = decoded(definitionWith({ versions: [versionWith({ storage: false }), versionWith({ name: "v2" })] }));
  const updated = prepareForUpdate(changed, old, GATES);
  expect(generationOf(updated)).toBe(4);
  expect(canonicalJson(updated["status"] ?? null)).toContain('"storedVersions":["v1","v2"]');
});

const named = {
  type: "object",
  additionalProperties: { type: "string" },
  "x-kubernetes-property-names": { type: "string" },
};
const optional = { type: "string", "x-kubernetes-validations": [{ rule: "oldSelf == self", optionalOldSelf: true }] };

test.each([
  { name: "schemas of keys", gate: "CRDPropertyNameSchemas", schema: named, keyword: "property-names", stays: false },
  { name: "optional old values", gate: "CRDValidationRatcheting", schema: optional, keyword: "optional", stays: true },
])("with the gate off $name are dropped; stored before, they stay: $stays", ({ gate, schema, keyword, stays }) => {
  const gates = { ...GATES, [gate]: false };
  const given = decoded(definitionOf(specOf(schema)));
  expect(canonicalJson(prepareForCreate(given, GATES))).toContain(keyword);
  expect(canonicalJson(prepareForCreate(given, gates))).not.toContain(keyword);
  expect(canonicalJson(prepareForUpdate(given, given, gates)).includes(keyword)).toBe(stays);
});

test("selectable fields are dropped with their gate", () => {
  const given = decoded(definitionOf({ type: "object" }, { selectableFields: [{ jsonPath: ".spec.a" }] }));
  expect(canonicalJson(prepareForCreate(given, { ...GATES, CustomResourceFieldSelectors: false }))).not.toContain(
    "selectable",
  );
});

test("resources in defaults lose unknown metadata", () => {
  const schema = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  };
  const given = definitionOf(
    specOf({ ...schema, default: { apiVersion: "v1", kind: "X", metadata: { name: "x", bogus: 1 } } }),
  );
  expect(canonicalJson(prepareForCreate(decoded(given), GATES))).toContain('"metadata":{"name":"x"}');
});
