/** A custom resource with one field of every way to merge, and random objects of it. */
import fc from "fast-check";
import { decodeJson } from "../codec/json.ts";
import { parseSchema } from "../schema/parse.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { customResourceScope } from "./custom-resource-scope.ts";
import type { FieldManagerScope } from "./scope.ts";
import { customResourceTypes } from "./types/custom-resource-types.ts";

const text = { type: "string" };
const item = { type: "object", properties: { name: text, value: text } };

const SCHEMA = parseSchema(
  fromPlain({
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          name: text,
          replicas: { type: "integer" },
          items: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            items: item,
          },
          tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
          plain: { type: "array", items: text },
          grain: { type: "object", additionalProperties: text },
          block: { type: "object", properties: { a: text }, "x-kubernetes-map-type": "atomic" },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
      status: { type: "object", properties: { phase: text } },
    },
  }),
);

export const TYPES = customResourceTypes({
  group: "example.com",
  kind: "Widget",
  preserveUnknownFields: false,
  versions: [{ name: "v1", schema: SCHEMA }],
});

export const SCOPE: FieldManagerScope = customResourceScope({
  group: "example.com",
  kind: "Widget",
  version: "v1",
  subresource: "",
  types: TYPES,
  schema: SCHEMA,
  versionsWithStatus: ["v1"],
  parseJson: (json) => {
    const decoded = decodeJson(json);
    return decoded.error === undefined && isObject(decoded.value) ? decoded.value : undefined;
  },
});

export const NOW = "2026-01-02T03:04:05Z";

export function widget(spec: object, metadata: object = {}): JsonObject {
  const object = fromPlain({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w", ...metadata },
    spec,
  });
  return isObject(object) ? object : newObject();
}

const letter = fc.constantFrom("a", "b", "c", "d");
const names = fc.uniqueArray(letter, { minLength: 1, maxLength: 4 });
const mapOf = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.dictionary(letter, value, { minKeys: 1, maxKeys: 3 });

/**
 * Without empty lists and maps: pruning leaves null where a container loses its last member, upstream too, and applying
 * the empty container once more then changes the null, which others may own.
 */
export const anySpec: fc.Arbitrary<object> = fc.record(
  {
    name: letter,
    replicas: fc.nat(3),
    items: fc.uniqueArray(fc.record({ name: letter, value: letter }, { requiredKeys: ["name"] }), {
      minLength: 1,
      maxLength: 4,
      selector: (each) => each.name,
    }),
    tags: names,
    plain: names,
    grain: mapOf(letter),
    block: fc.record({ a: letter }),
    free: mapOf(fc.oneof(letter, names, mapOf(letter))),
  },
  { requiredKeys: ["name"] },
);
