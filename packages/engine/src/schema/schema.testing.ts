/** Random structural schemas as JSON, and values that mostly fit them, for property tests. */
import fc from "fast-check";
import { jsonValue } from "../value/json.testing.ts";
import { floatValue, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";

const NAMES = ["a", "b", "c", "d-e", "__proto__"];

const scalarSchema: fc.Arbitrary<JsonObject> = fc.oneof(
  record(
    { type: fc.constant("string") },
    { maxLength: fc.nat(5), enum: fc.constant(["a", "b"]), default: fc.constantFrom("a", "zzz") },
  ),
  record({ type: fc.constant("integer") }, { minimum: fc.nat(3), default: fc.nat(5) }),
  record({ type: fc.constant("number") }, { maximum: fc.nat(3), multipleOf: fc.constant(0.5) }),
  record({ type: fc.constant("boolean") }, { default: fc.boolean() }),
  record({ "x-kubernetes-int-or-string": fc.constant(true) }, {}),
  record({ "x-kubernetes-preserve-unknown-fields": fc.constant(true) }, {}),
);

const schemaAt: fc.Memo<JsonObject> = fc.memo((depth) => {
  if (depth <= 1) return scalarSchema;
  const inner = schemaAt(depth - 1);
  const properties = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), inner), { selector: ([name]) => name })
    .map(objectOf);
  const isPreserved = fc.constant(true);
  return fc.oneof(
    scalarSchema,
    record(
      { type: fc.constant("object"), properties },
      { required: fc.subarray(NAMES), nullable: fc.boolean(), "x-kubernetes-preserve-unknown-fields": isPreserved },
    ),
    record({ type: fc.constant("object"), additionalProperties: inner }, { maxProperties: fc.nat(3) }),
    record({ type: fc.constant("array"), items: inner }, { maxItems: fc.nat(3) }),
    record({ type: fc.constant("object"), properties, "x-kubernetes-embedded-resource": fc.constant(true) }, {}),
  );
});

/** The schema of a resource: `spec` is random. */
export const resourceSchema: fc.Arbitrary<JsonObject> = schemaAt(4).map((spec) =>
  objectOf([
    ["type", "object"],
    ["properties", objectOf([["spec", spec]])],
  ]),
);

function record(
  always: Record<string, fc.Arbitrary<unknown>>,
  sometimes: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<JsonObject> {
  return fc
    .record({ ...always, ...sometimes }, { requiredKeys: Object.keys(always), noNullPrototype: true })
    .map((members) => objectOf(Object.entries(members) as [string, JsonValue][]));
}

function objectOf(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const object = newObject();
  for (const [name, value] of entries) object[name] = value;
  return object;
}

/** A value for the schema: what it asks for, now and then something else. */
export function valueFor(schema: JsonValue | undefined): fc.Arbitrary<JsonValue> {
  if (!isObject(schema)) return jsonValue;
  return fc.oneof(
    { weight: 12, arbitrary: fitting(schema) },
    { weight: 1, arbitrary: jsonValue },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

function fitting(schema: JsonObject): fc.Arbitrary<JsonValue> {
  switch (schema["type"]) {
    case "string":
      return fc.constantFrom("a", "b", "", "abcdef");
    case "integer":
      return fc.oneof(fc.nat(5), fc.nat(5).map(floatValue));
    case "number":
      return fc.oneof(fc.nat(5), fc.constantFrom(0.5, 1.25), fc.nat(5).map(floatValue));
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valueFor(schema["items"]), { maxLength: 4 });
    case "object":
      return objectFor(schema);
    default:
      return jsonValue;
  }
}

function objectFor(schema: JsonObject): fc.Arbitrary<JsonValue> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : newObject();
  const known = Object.keys(properties).map((name) => fc.tuple(fc.constant(name), valueFor(properties[name])));
  const other = fc.tuple(fc.constantFrom("a", "z", "kind"), valueFor(schema["additionalProperties"]));
  const entry =
    known.length === 0
      ? other
      : fc.oneof({ weight: 4, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: other });
  return fc.array(entry, { maxLength: 6 }).map(objectOf);
}
