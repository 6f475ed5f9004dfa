import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonValue } from "../value/json.ts";
import { parseSchema } from "./parse.ts";
import { pruneDefaults } from "./prune-defaults.ts";
import type { Structural } from "./structural.ts";

const meta = (properties: object) => ({
  type: "object",
  properties: {
    template: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { metadata: { type: "object", properties } },
    },
  },
});

function pruned(json: object): Structural {
  const schema = fromPlain(json);
  if (!isObject(schema)) throw new Error("not a schema");
  return pruneDefaults(parseSchema(schema));
}

function defaultAt(schema: Structural, ...names: string[]): JsonValue | undefined {
  let at: Structural | undefined = schema;
  for (const name of names) at = at?.properties.get(name);
  return at?.default;
}

test("a default of an unknown metadata field is removed", () => {
  const schema = pruned(meta({ unknown: { type: "string", default: "a" }, finalizers: { default: ["a"] } }));
  expect(defaultAt(schema, "template", "metadata", "unknown")).toBeUndefined();
  expect(defaultAt(schema, "template", "metadata", "finalizers")).toEqual(["a"]);
});

test("a default loses what its schema does not know, in items and additional properties too", () => {
  const inner = { type: "object", properties: { a: { type: "string" } }, default: { a: "x", b: "y" } };
  const schema = pruned({
    type: "object",
    properties: {
      list: { type: "array", items: inner },
      map: { type: "object", additionalProperties: inner },
    },
  });
  expect(schema.properties.get("list")?.items?.default).toEqual({ a: "x" });
  expect(schema.properties.get("map")?.additionalProperties?.schema?.default).toEqual({ a: "x" });
});

test("a schema whose defaults stay is returned as it is", () => {
  const schema = parseSchema({ type: "object", properties: { a: { type: "integer", default: 1 } } });
  expect(pruneDefaults(schema)).toBe(schema);
});
