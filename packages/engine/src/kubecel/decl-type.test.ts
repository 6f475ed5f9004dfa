import { formatType } from "@portcullis/cel";
import { expect, test } from "vitest";
import { newSchema, type Structural } from "../schema/structural.ts";
import { assignTypeName, schemaDeclType } from "./decl-type.ts";
import { declTypeSizeHints } from "./size-hints.ts";
import { declTypeProvider } from "./type-provider.ts";

const text = newSchema({ type: "string" });
const integer = newSchema({ type: "integer" });

function listOf(items: Structural, parts: Partial<Structural> = {}): Structural {
  return newSchema({ type: "array", items, ...parts });
}

function mapOf(schema: Structural, parts: Partial<Structural> = {}): Structural {
  return newSchema({ type: "object", additionalProperties: { allows: true, schema }, ...parts });
}

function objectOf(properties: Record<string, Structural>, parts: Partial<Structural> = {}): Structural {
  return newSchema({ type: "object", properties: new Map(Object.entries(properties)), ...parts });
}

// biome-ignore format: a table
test.each([
  { name: "a string",                     schema: text,                                                     type: "string",           max: 3145726n, min: 2 },
  { name: "a bounded string, in bytes",   schema: newSchema({ type: "string", maxLength: 20 }),             type: "string",           max: 80n,      min: 2 },
  { name: "a negative bound",             schema: newSchema({ type: "string", maxLength: -1 }),             type: "string",           max: 0n,       min: 2 },
  { name: "an enum",                      schema: newSchema({ type: "string", enum: ["a", "日本語", 5] }),    type: "string",           max: 9n,       min: 2 },
  { name: "bytes",                        schema: newSchema({ type: "string", format: "byte", maxLength: 20 }), type: "bytes",        max: 20n,      min: 2 },
  { name: "a duration",                   schema: newSchema({ type: "string", format: "duration", maxLength: 5 }), type: "duration",  max: 32n,      min: 3 },
  { name: "a date",                       schema: newSchema({ type: "string", format: "date" }),            type: "timestamp",        max: 12n,      min: 12 },
  { name: "a date-time",                  schema: newSchema({ type: "string", format: "date-time" }),       type: "timestamp",        max: 32n,      min: 21 },
  { name: "datetime without its dash",    schema: newSchema({ type: "string", format: "datetime" }),        type: "string",           max: 3145726n, min: 2 },
  { name: "int or string",                schema: newSchema({ intOrString: true }),                         type: "dyn",              max: 3145726n, min: 1 },
  { name: "a bounded int or string",      schema: newSchema({ intOrString: true, maxLength: 3 }),           type: "dyn",              max: 12n,      min: 1 },
  { name: "a boolean",                    schema: newSchema({ type: "boolean" }),                           type: "bool",             max: 0n,       min: 4 },
  { name: "a number",                     schema: newSchema({ type: "number" }),                            type: "double",           max: 0n,       min: 1 },
  { name: "a nullable integer",           schema: newSchema({ type: "integer", nullable: true }),           type: "int",              max: 0n,       min: 1 },
  { name: "a list",                       schema: listOf(integer),                                          type: "list(int)",        max: 1572863n, min: 2 },
  { name: "a bounded list",               schema: listOf(integer, { maxItems: 10 }),                        type: "list(int)",        max: 10n,      min: 2 },
  { name: "a map",                        schema: mapOf(text),                                              type: "map(string, string)", max: 393215n, min: 2 },
  { name: "a bounded map",                schema: mapOf(text, { maxProperties: 15 }),                       type: "map(string, string)", max: 15n,   min: 2 },
  { name: "an object with a required field", schema: objectOf({ required: text, optional: text }, { required: ["required"] }), type: "object", max: 0n, min: 16 },
  { name: "a required field with a default", schema: objectOf({ field: newSchema({ type: "string", default: "x" }) }, { required: ["field"] }), type: "object", max: 0n, min: 2 },
])("$name has type $type and size bounds", ({ schema, type, max, min }) => {
  const declared = schemaDeclType(schema, { resourceRoot: false });
  expect(declared && formatType(declared.type)).toBe(type);
  expect(declared).toMatchObject({ maxElements: max, minSerializedSize: min });
});

test.each([
  { name: "typeless preserved data", schema: newSchema({ preserveUnknownFields: true }) },
  { name: "a list of it", schema: listOf(newSchema({ preserveUnknownFields: true })) },
  { name: "a map of it", schema: mapOf(newSchema({ preserveUnknownFields: true })) },
  { name: "a list without items", schema: newSchema({ type: "array" }) },
])("$name has no declared type", ({ schema }) => {
  expect(schemaDeclType(schema, { resourceRoot: false })).toBeUndefined();
});

test("fields are declared by escaped name, and omitted if there is none", () => {
  const schema = objectOf({ a: text, "b-c": text, namespace: text, "1d": text, e: newSchema({}) });
  const declared = schemaDeclType(schema, { resourceRoot: false });
  expect([...(declared?.fields?.keys() ?? [])]).toEqual(["a", "b__dash__c", "__namespace__"]);
});

test("a resource has kind, apiVersion and metadata, whatever its schema declares", () => {
  const declared = schemaDeclType(objectOf({ metadata: objectOf({ labels: text }), spec: text }), {
    resourceRoot: true,
  });
  expect([...(declared?.fields?.keys() ?? [])]).toEqual(["metadata", "spec", "kind", "apiVersion"]);
  expect([...(declared?.fields?.get("metadata")?.fields?.keys() ?? [])]).toEqual(["name", "generateName"]);
});

test("a schema that declares all five fields keeps its own metadata", () => {
  const metadata = objectOf({ name: text, generateName: text, labels: mapOf(text) });
  const declared = schemaDeclType(objectOf({ kind: text, apiVersion: text, metadata }), { resourceRoot: true });
  expect(declared?.fields?.get("metadata")?.fields?.has("labels")).toBe(true);
});

test("objects are named by their position", () => {
  const item = objectOf({ a: text });
  const declared = schemaDeclType(objectOf({ list: listOf(item), map: mapOf(item) }), { resourceRoot: false });
  const named = declared && assignTypeName(declared, "T");
  expect(named?.type).toEqual({ kind: "object", name: "T" });
  expect(named?.fields?.get("list")?.element?.type).toEqual({ kind: "object", name: "T.list.@idx" });
  expect(named?.fields?.get("map")?.element?.type).toEqual({ kind: "object", name: "T.map.@elem" });
});

const named = assignTypeName(
  schemaDeclType(objectOf({ namespace: text, sub: objectOf({ n: integer }) }), { resourceRoot: false }) ?? never(),
  "T",
);

test.each([
  { field: "__namespace__", keywordFields: false, type: "string" },
  { field: "namespace", keywordFields: true, type: "string" },
  { field: "namespace", keywordFields: false, type: undefined },
  { field: "sub", keywordFields: true, type: "T.sub" },
  { field: "missing", keywordFields: true, type: undefined },
])("field $field with keyword fields $keywordFields", ({ field, keywordFields, type }) => {
  const found = declTypeProvider([named], { keywordFields }).findField("T", field);
  expect(found && formatType(found)).toBe(type);
});

test.each([
  { path: ["self", "m"], max: 7n },
  { path: ["self", "m", "@values"], max: 12n },
  { path: ["self", "m", "@keys"], max: 0n },
  { path: ["self", "m", "@items", "nothing"], max: undefined },
  { path: ["self", "namespace"], max: undefined },
  { path: [], max: undefined },
])("the size at $path is $max", ({ path, max }) => {
  const map = mapOf(newSchema({ type: "string", maxLength: 3 }), { maxProperties: 7 });
  const declared = schemaDeclType(objectOf({ m: map, namespace: text }), { resourceRoot: false }) ?? never();
  const expr = { kind: "ident", id: 1, name: "self" } as const;
  const node = { path, type: { kind: "dyn" }, expr, computedSize: undefined } as const;
  expect(declTypeSizeHints(declared).estimateSize(node)?.max).toBe(max);
});

test.each([
  { name: "a length", keys: newSchema({ type: "string", maxLength: 5 }), max: 20n },
  { name: "an enum", keys: newSchema({ type: "string", enum: ["abc"] }), max: 3n },
  { name: "a format", keys: newSchema({ type: "string", format: "date" }), max: 12n },
  { name: "nothing", keys: text, max: 3145726n },
])("property names with $name bound the keys of a map, where they are enabled", ({ keys, max }) => {
  const schema = mapOf(text, { propertyNames: keys });
  expect(schemaDeclType(schema, { resourceRoot: false, propertyNames: true })?.key?.maxElements).toBe(max);
  expect(schemaDeclType(schema, { resourceRoot: false })?.key?.maxElements).toBe(0n);
});

function never(): never {
  throw new Error("the schema has a declared type");
}
