/** Small custom resources that are slow because of their schema: defaults, choices, patterns and rules. */
import type { Json } from "../app/app.testing.ts";
import { create, define, definition, type HostileRequest, many, object } from "./hostile-requests.testing.ts";

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** A kind of its own whose small objects are slow. */
const ofKind = (what: string, plural: string, spec: () => Json, body: () => string): HostileRequest => {
  const group = `${plural}.state.example.com`;
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return create(
    `/apis/${group}/v1/namespaces/default/${plural}`,
    `a small custom resource: ${what}`,
    () => object(`${group}/v1`, kind, `"spec":${body()}`),
    (api) => define(api, definition(group, plural, spec())),
  );
};

const items = (schema: Json): Json => ({ type: "object", properties: { list: { type: "array", items: schema } } });
const listOf = (count: number, item: (index: number) => unknown): string => `{"list":${many(count, item)}}`;

const branches = (count: number): Json[] => range(count).map((i) => ({ required: [`r${i}`] }));

/** Each level has the next in each of two branches. */
const nestedBranches = (levels: number): Json =>
  levels === 0
    ? { required: ["never"] }
    : { anyOf: [nestedBranches(levels - 1), { not: { anyOf: [{ required: ["a"] }, nestedBranches(levels - 1)] } }] };

const LETTERS = (count: number): string => "ab".repeat(count / 2);

// biome-ignore format: a table
export const schemaRequests: readonly HostileRequest[] = [
  ofKind("a default of 300 kB for 6,000 items", "defaults", () => items({ type: "object", properties: { a: { type: "string", default: "x".repeat(300_000) } } }), () => listOf(6_000, () => ({}))),
  ofKind("a default of 1,000 fields for 6,000 items", "fields", () => items({ type: "object", properties: Object.fromEntries(range(1_000).map((i) => [`f${i}`, { type: "string", default: "x" }])) }), () => listOf(6_000, () => ({}))),
  ofKind("defaults within defaults", "inner", () => items({ type: "object", default: {}, properties: { a: { type: "array", default: range(500).map(() => ({})), items: { type: "object", properties: { b: { type: "array", default: range(500).map(() => ({})), items: { type: "object", properties: { c: { type: "string", default: "x" } } } } } } } } }), () => listOf(5, () => ({}))),
  ofKind("20,000 items with 5,000 choices each", "choices", () => items({ type: "object", anyOf: branches(5_000) }), () => listOf(20_000, () => ({}))),
  ofKind("20,000 items that must be none of 5,000", "nones", () => items({ type: "object", not: { anyOf: branches(5_000) } }), () => listOf(20_000, () => ({}))),
  ofKind("20,000 items with nested choices", "nesteds", () => items({ type: "object", ...nestedBranches(9) }), () => listOf(20_000, () => ({}))),
  ofKind("10,000 texts of an enum of 20,000", "enums", () => items({ type: "string", enum: range(20_000).map((i) => `e${i}`) }), () => listOf(6_000, (i) => `e${19_999 - i}`)),
  ofKind("a pattern that no automaton holds", "patterns", () => items({ type: "string", pattern: "^(a|b)*a(a|b){900}c$" }), () => listOf(1, () => LETTERS(60_000))),
  ofKind("20,000 texts and a long pattern", "longpatterns", () => items({ type: "string", pattern: `^(${range(5_000).map((i) => `a${i}x*`).join("|")})$` }), () => listOf(9_000, (i) => `a${i}`)),
  ofKind("20,000 items with 500 patterns for all", "allofs", () => items({ type: "string", allOf: range(500).map((i) => ({ pattern: `^[a-z]*${i % 2 === 0 ? "" : "[0-9]*"}$` })) }), () => listOf(9_000, (i) => `a${i}`)),
  ofKind("rules that use their budget", "rules", () => ({ type: "object", properties: { list: { type: "array", maxItems: 200, items: { type: "string", maxLength: 10 } } }, "x-kubernetes-validations": range(30).map((i) => ({ rule: `self.list.all(x, self.list.exists(y, y == x + '${i}' || y != x))` })) }), () => listOf(200, (i) => `w${i}`)),
  ofKind("rules that compare nested lists", "compares", () => ({ type: "object", properties: { list: { type: "array", maxItems: 40, items: { type: "array", maxItems: 1, items: { type: "array", items: { type: "integer" } } } } }, "x-kubernetes-validations": range(10).map((i) => ({ rule: `self.list.all(x, self.list.all(y, x.map(z, z) == y.map(z, z) || ${i} < 0))` })) }), () => listOf(40, () => [range(700)])),
  ofKind("a set of 6,000 objects", "sets", () => ({ type: "object", properties: { list: { type: "array", "x-kubernetes-list-type": "set", items: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "integer" } } } } } }), () => listOf(6_000, (i) => ({ a: i }))),
  ofKind("a list of 6,000 with 16 keys", "keyed", () => ({ type: "object", properties: { list: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": range(16).map((i) => `k${i}`), items: { type: "object", required: range(16).map((i) => `k${i}`), properties: Object.fromEntries(range(16).map((i) => [`k${i}`, { type: "string", default: "d" }])) } } } }), () => listOf(6_000, (i) => ({ k0: `${i}` }))),
  ofKind("60 levels of members of one name", "levels", () => range(60).reduce((inner: Json) => ({ type: "object", properties: { a: inner, b: { type: "string" } }, additionalProperties: undefined }), { type: "string" }), () => `${'{"b":1,"a":'.repeat(59)}1${"}".repeat(59)}`),
];
