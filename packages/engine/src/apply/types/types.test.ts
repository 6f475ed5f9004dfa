import { expect, test } from "vitest";
import { parseSchema } from "../../schema/parse.ts";
import { fromPlain } from "../../value/copy.ts";
import { OBJECT_META, OPEN_OBJECT_META } from "./object-meta-type.ts";
import { customResourceType } from "./structural-type.ts";
import { DEDUCED, type MergeType } from "./types.ts";

/** Short text: `string`, `[set string]`, `{granular …}`; named types by name. */
function describe(type: MergeType | undefined): string {
  if (type === undefined) return "nothing";
  if (type.name !== undefined) return type.name.slice(type.name.lastIndexOf(".") + 1);
  const parts: string[] = [];
  if (type.scalar !== undefined) parts.push(type.scalar);
  if (type.list !== undefined) {
    const { relationship, keys, element } = type.list;
    parts.push(`[${relationship}${keys.length > 0 ? ` by ${keys.join()}` : ""} ${describe(element)}]`);
  }
  if (type.map !== undefined) {
    const { relationship, fields, element } = type.map;
    const names = [...fields].map(([name, { type: inner, default: fallback }]) => {
      return `${name}: ${describe(inner)}${fallback === undefined ? "" : ` = ${JSON.stringify(fallback)}`}`;
    });
    parts.push(`{${relationship} ${[...names, `*: ${describe(element)}`].join(", ")}}`);
  }
  return parts.join(" | ");
}

const text = { type: "string" };

// biome-ignore format: a table
test.each([
  { schema: text,                                            type: "string" },
  { schema: { type: "string", format: "byte" },              type: "string" },
  { schema: { type: "string", format: "date-time" },         type: "untyped" },
  { schema: { type: "integer" },                             type: "numeric" },
  { schema: { type: "number" },                              type: "numeric" },
  { schema: { type: "boolean" },                             type: "boolean" },
  { schema: { type: "array", items: text },                  type: "[atomic string]" },
  { schema: { type: "array", items: text, "x-kubernetes-list-type": "set" }, type: "[associative string]" },
  { schema: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"], items: { type: "object", properties: { a: { ...text, default: "x" } } } },
    type: '[associative by a,b {separable a: string = "x", *: nothing}]' },
  { schema: { type: "object" },                              type: "{separable *: __untyped_deduced_}" },
  { schema: { type: "object", properties: { a: text } },     type: "{separable a: string, *: nothing}" },
  { schema: { type: "object", properties: { a: text }, "x-kubernetes-map-type": "atomic" }, type: "{atomic a: string, *: nothing}" },
  { schema: { type: "object", additionalProperties: text },  type: "{separable *: string}" },
  { schema: { type: "object", additionalProperties: true },  type: "{separable *: __untyped_deduced_}" },
  { schema: { "x-kubernetes-int-or-string": true },          type: "untyped | [atomic __untyped_atomic_] | {separable *: __untyped_deduced_}" },
  { schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "object", properties: { b: text } } } },
    type: "{separable a: {separable b: string, *: __untyped_deduced_}, *: __untyped_deduced_}" },
  { schema: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: text } },
    type: "{separable spec: string, apiVersion: string, kind: string, metadata: ObjectMeta, *: nothing}" },
])("$type", ({ schema, type }) => {
  const root = parseSchema(fromPlain({ type: "object", properties: { x: schema } }));
  const made = customResourceType(root, { preserveUnknownFields: false });
  expect(describe(made.map?.fields.get("x")?.type)).toBe(type);
});

test("a custom resource has the metadata of every resource", () => {
  const type = customResourceType(parseSchema(fromPlain({ type: "object" })), { preserveUnknownFields: false });
  expect(describe(type)).toBe("{separable apiVersion: string, kind: string, metadata: ObjectMeta, *: nothing}");
  expect(type.map?.fields.get("metadata")?.type).toBe(OBJECT_META);
});

test("preserveUnknownFields of the CRD opens metadata too", () => {
  const type = customResourceType(parseSchema(fromPlain({ type: "object" })), { preserveUnknownFields: true });
  expect(type.map?.fields.get("metadata")?.type).toBe(OPEN_OBJECT_META);
  expect(OPEN_OBJECT_META.map?.element).toBe(DEDUCED);
});

test("without a schema metadata is free-form as well", () => {
  expect(describe(customResourceType(undefined, { preserveUnknownFields: true }))).toBe(
    "{separable *: __untyped_deduced_}",
  );
});

test("metadata merges owners by uid, each as a whole, and finalizers as a set", () => {
  const field = (name: string) => OBJECT_META.map?.fields.get(name)?.type;
  expect(describe(field("ownerReferences"))).toBe("[associative by uid OwnerReference]");
  expect(field("ownerReferences")?.list?.element?.map?.relationship).toBe("atomic");
  expect(describe(field("finalizers"))).toBe("[associative string]");
  expect(describe(field("managedFields"))).toBe("[atomic ManagedFieldsEntry]");
  expect(describe(field("labels"))).toBe("{separable *: string}");
});
