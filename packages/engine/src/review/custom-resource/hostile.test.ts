/** Objects and schemas from strangers: an answer in bounded time, and nothing thrown but a refusal. */
import { describe, expect, test } from "vitest";
import { decodeJson } from "../../codec/json.ts";
import { decodeDefinition } from "../../crd/decode.ts";
import { validateDefinition } from "../../crd/validate/validate.ts";
import { StatusError } from "../../status/error.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import type { CustomResource } from "./custom-resource.ts";
import { createObject, specResource, updateObject, widget, writeRequest } from "./resource.testing.ts";

/** Far above what any of them takes, even on a loaded machine; far below what anything unbounded would. */
const LIMIT_MS = 60_000;
const MAX_REQUEST = 3 * 1024 * 1024;

/** The message of the refusal, or "accepted". Anything else that is thrown fails the test. */
function outcome(run: () => unknown): string {
  try {
    run();
    return "accepted";
  } catch (refusal) {
    if (refusal instanceof StatusError) return refusal.message;
    throw refusal;
  }
}

function body(spec: string): JsonObject {
  const text = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"1"},"spec":${spec}}`;
  const decoded = decodeJson(text);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("the decoder refused it");
  return decoded.value;
}

/** Creates the object, then updates it to itself. */
function write(resource: CustomResource, spec: string): string {
  const object = body(spec);
  const created = outcome(() => createObject(object, writeRequest(resource)));
  outcome(() => updateObject(object, object, writeRequest(resource)));
  return created;
}

function timed<T>(run: () => T): T {
  const start = performance.now();
  const result = run();
  expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  return result;
}

const list = (count: number, item: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(",")}]`;
const keys = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(",")}}`;
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

describe("large objects", () => {
  // biome-ignore format: a table
  test.each([
    { name: "a text of 3 MiB under a pattern", schema: { type: "string", pattern: "^(a+)+$" }, spec: `"${"a".repeat(MAX_REQUEST)}!"`, expected: /should match/ },
    { name: "a text of 3 MiB in a rule", schema: { type: "string", "x-kubernetes-validations": [{ rule: "self.matches('^(a|aa)+$')" }] }, spec: `"${"a".repeat(MAX_REQUEST)}"`, expected: /accepted|cost/ },
    { name: "a million numbers", schema: { type: "array", items: { type: "integer", maximum: 3 } }, spec: list(1_000_000, () => "1"), expected: /^accepted$/ },
    { name: "a million wrong numbers", schema: { type: "array", items: { type: "integer", maximum: 3 } }, spec: list(1_000_000, () => "9"), expected: /more errors than an answer can hold/ },
    { name: "a million numbers that break a free rule", schema: { type: "array", items: { type: "integer", "x-kubernetes-validations": [{ rule: "false" }] } }, spec: list(1_000_000, () => "9"), expected: /more errors than an answer can hold/ },
    { name: "100,000 keys of a map", schema: { type: "object", additionalProperties: { type: "integer" } }, spec: keys(100_000, "1"), expected: /^accepted$/ },
    { name: "100,000 unknown keys", schema: { type: "object", properties: { a: { type: "string" } } }, spec: keys(100_000, "1"), expected: /^accepted$/ },
    { name: "100,000 forbidden keys", schema: { type: "object", additionalProperties: false }, spec: keys(100_000, "1"), expected: /more errors than an answer can hold/ },
    { name: "a set of 100,000", schema: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } }, spec: list(100_000, (index) => `"${index}"`), expected: /^accepted$/ },
    { name: "100,000 items by key", schema: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { type: "object", required: ["k"], properties: { k: { type: "string" } } } }, spec: list(100_000, (index) => `{"k":"${index}"}`), expected: /^accepted$/ },
    { name: "100,000 duplicates by key", schema: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { type: "object", required: ["k"], properties: { k: { type: "string" } } } }, spec: list(100_000, (index) => `{"k":"${index % 50_000}"}`), expected: /Duplicate value/ },
  ])("$name", ({ schema, spec, expected }) => {
    expect(timed(() => write(specResource(schema), spec)).slice(-2_000)).toMatch(expected);
  });
});

describe("depth", () => {
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: {} };
  // biome-ignore format: a table
  test.each([
    { name: "lists in lists", spec: nested(9_990, "[", "]") },
    { name: "objects in objects", spec: nested(9_990, `{"a":`, "}") },
    { name: "both in turn", spec: nested(4_990, `[{"a":`, "}]") },
  ])("$name, 10,000 levels, are refused with a message", ({ spec }) => {
    for (const schema of [free, { type: "array", items: { type: "string" } }]) {
      expect(timed(() => write(specResource(schema), spec))).toBe(
        'the object is nested more than 2500 levels deep',
      );
    }
  });

  // biome-ignore format: a table
  test.each([
    { name: "lists", spec: nested(2_400, "[", "]") },
    { name: "objects", spec: nested(2_400, `{"a":`, "}") },
    { name: "both in turn", spec: nested(1_200, `[{"a":`, "}]") },
  ])("2,400 levels of free-form $name are accepted", ({ spec }) => {
    for (const schema of [free, { type: "object", additionalProperties: true }]) {
      expect(write(specResource(schema), `{"a":${spec}}`)).toBe("accepted");
    }
  });

  test("a schema of 100 levels works", () => {
    let schema: unknown = { type: "integer", maximum: 1, "x-kubernetes-validations": [{ rule: "self == 1" }] };
    for (let depth = 0; depth < 100; depth++) schema = { type: "object", properties: { a: schema } };
    expect(write(specResource(schema), nested(100, `{"a":`, "}"))).toBe("accepted");
  });
});

describe("patterns with catastrophic backtracking", () => {
  test.each(["^(a+)+$", "^(a|aa)+$", "^([a-z]+)*$", "(x+x+)+y", "^(.*a){20}$", "((a{0,50}){0,50}){0,5}b$"])(
    "%s",
    (pattern) => {
      const spec = `"${"a".repeat(20_000)}!"`;
      expect(timed(() => write(specResource({ type: "string", pattern }), spec))).not.toBe("");
    },
  );
});

describe("long enums", () => {
  const values = Array.from({ length: 100_000 }, (_, index) => index);
  // biome-ignore format: a table
  test.each([
    { name: "numbers that are allowed", type: "integer", allowed: values as unknown[], item: (index: number) => String(index) },
    { name: "texts that are allowed", type: "string", allowed: values.map(String), item: (index: number) => `"${index}"` },
    { name: "numbers that are not", type: "integer", allowed: values as unknown[], item: () => "-1" },
    { name: "texts that are not", type: "string", allowed: values.map(String), item: () => `"x"` },
  ])("$name", ({ type, allowed, item }) => {
    const resource = specResource({ type: "array", items: { type, enum: allowed } });
    timed(() => write(resource, list(50_000, item)));
  });
});

describe("names that mean something to JavaScript", () => {
  const spec = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":2}`;
  const schemas: readonly { readonly schema: unknown }[] = [
    { schema: { type: "object", additionalProperties: { type: "string" } } },
    { schema: { type: "object", properties: { a: { type: "string", default: "x" } } } },
    { schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    { schema: { type: "object", properties: { toString: { type: "string" } }, required: ["__proto__", "valueOf"] } },
  ];
  test.each(schemas)("are keys like any other: $schema", ({ schema }) => {
    write(specResource(schema), spec);
    expect("polluted" in {}).toBe(false);
  });

  test("are pruned and kept like other names", () => {
    const resource = specResource({ type: "object", properties: { toString: { type: "integer" } } });
    const { object } = createObject(body(`{"toString":1,"valueOf":2,"__proto__":3}`), writeRequest(resource));
    expect(Object.keys(object["spec"] as JsonObject)).toEqual(["toString"]);
  });
});

describe("numbers at the edge", () => {
  const resource = specResource({ type: "array", items: { type: "number", minimum: 1, multipleOf: 0.1, maximum: 5 } });
  // biome-ignore format: a table
  test.each(["[1e308,-1e308,5e-324,-0,0.0,-0.0]", "[9223372036854775807,-9223372036854775808,18446744073709551616]", `[${"9".repeat(400).slice(0, 300)}]`, `[1${"0".repeat(300)}]`])("%s", (spec) => {
    expect(write(resource, spec)).toMatch(/is invalid/);
  });

  test.each(["NaN", "Infinity", "-Infinity", "1e999", "0x10", "01", "+1", ".5"])("%s is not JSON", (text) => {
    expect(decodeJson(`{"a":${text}}`).error).toBeDefined();
  });
});

test("invalid UTF-8 becomes replacement characters", () => {
  const bytes = new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22, 0x7d]);
  const decoded = decodeJson(bytes);
  const value: JsonValue = decoded.error === undefined ? decoded.value : null;
  const resource = specResource({ type: "object", properties: { a: { type: "string", pattern: "^[a-z]*$" } } });
  const refusal = outcome(() => createObject(widget(value), writeRequest(resource)));
  expect(refusal).toContain('spec.a: Invalid value: "\ufffd\ufffd');
});

test("a CRD with a schema 10,000 levels deep is refused with a message, one of 200 levels is read", () => {
  const definition = (levels: number): JsonObject => {
    const decoded = decodeJson(
      `{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":${nested(levels, `{"type":"object","items":`, "}")}}}]}}`,
    );
    return decoded.error === undefined && isObject(decoded.value) ? decoded.value : {};
  };
  expect(decodeDefinition(definition(9_990)).error).toBe("the CRD is nested more than 500 levels deep");
  const options = { version: "1.36", gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } } as const;
  expect(validateDefinition(decodeDefinition(definition(200)).value, undefined, options).errors.length).toBeGreaterThan(
    0,
  );
});
