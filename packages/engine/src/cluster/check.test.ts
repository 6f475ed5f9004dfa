import { expect, test } from "vitest";
import { check } from "./check.ts";

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { size: { type: "integer", maximum: 10 }, mode: { type: "string" } },
              },
            },
          },
        },
      },
    ],
  },
};

const widget = (spec: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: ${spec}\n`;

test("a valid object has no problems", async () => {
  expect(await check(widget("{size: 3}"), { crds: [CRD] })).toEqual([]);
});

test("an invalid object is reported with its fields", async () => {
  const [problem, ...others] = await check(widget("{size: 11}"), { crds: [CRD] });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ severity: "error", kind: "Widget", name: "w" });
  expect(problem?.message).toBe(
    'Widget.example.com "w" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
  );
  expect(problem?.fields.map(({ origin, path }) => [origin, path.toString()])).toEqual([["maximum", "spec.size"]]);
});

test("an update ignores errors on unchanged values", async () => {
  const options = { crds: [CRD], old: widget("{size: 11}") };
  expect(await check(widget("{size: 11, mode: a}"), options)).toEqual([]);
  expect(await check(widget("{size: 12}"), options)).toHaveLength(1);
});

test("unknown and duplicate fields are errors unless the caller wants warnings", async () => {
  const text = widget("{sizee: 1, size: 1, size: 2}");
  const [strict] = await check(text, { crds: [CRD] });
  expect(strict).toMatchObject({ severity: "error" });
  expect(strict?.message).toContain('unknown field "spec.sizee"');
  const warned = await check(text, { crds: [CRD], fieldValidation: "Warn" });
  expect(warned.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
});

test("built-in kinds and CRDs are checked without options", async () => {
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "a_b" }, spec: { ports: [{ port: 80 }] } };
  const [problem] = await check([service]);
  expect(problem?.message).toContain("a lowercase RFC 1123 label");
  expect(await check([CRD, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } }])).toEqual([]);
});

test("what cannot be read is a problem, and so is an unknown kind", async () => {
  const problems = await check("a: [\n---\n- 1\n---\napiVersion: x.dev/v1\nkind: X\n");
  expect(problems.map(({ message }) => message).slice(1)).toEqual([
    "the document is not an object",
    "no schema for X in x.dev/v1",
  ]);
});
