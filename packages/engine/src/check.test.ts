import { expect, test } from "vitest";
import { check } from "./check.ts";

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer, maximum: 3}}}}
`;

const widget = (size: number, label = "a") => `
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, labels: {x: ${label}}}
spec: {size: ${size}}
`;

test("a custom resource is checked against the CRD, with the API server's message", async () => {
  const [good, bad] = await check(`${widget(3)}---${widget(4)}`, { crds: CRD });
  expect([good?.allowed, good?.warnings]).toEqual([true, []]);
  expect(bad?.message).toBe(
    'Widget.example.com "w" is invalid: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3',
  );
  expect(bad?.causes.map(({ field }) => field)).toEqual(["spec.size"]);
});

test("an update keeps a value that it does not touch", async () => {
  const [same] = await check(widget(9, "b"), { crds: CRD, old: widget(9) });
  const [changed] = await check(widget(8), { crds: CRD, old: widget(9) });
  expect([same?.allowed, changed?.allowed]).toEqual([true, false]);
});

test("plain objects are accepted too, and the stored object is returned", async () => {
  const [namespace] = await check([{ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } }]);
  expect(namespace?.object).toMatchObject({ metadata: { labels: { "kubernetes.io/metadata.name": "a" } } });
});

test("an unknown kind is refused, and so is an unknown field", async () => {
  const [kind] = await check("{apiVersion: v1, kind: Pood, metadata: {name: a}}");
  const [field] = await check("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dat: {}}");
  expect(kind?.message).toBe('no matches for kind "Pood" in version "v1"');
  expect(field?.message).toContain('unknown field "dat"');
});

test("policies are evaluated", async () => {
  const policies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations: [{expression: "has(object.data)", message: "no data"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`;
  const [denied] = await check("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", { policies });
  expect(denied?.message).toContain("denied request: no data");
});

test("a text that is not YAML throws", async () => {
  await expect(check("a: [")).rejects.toThrow();
});

const MISSPELT = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };

test.each([
  {
    format: "YAML",
    text: "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n  size: 1\n  siez: 2\n  size: 3\n",
    places: ["6:3", "7:3"],
  },
  {
    format: "JSON",
    text: `${JSON.stringify(MISSPELT).slice(0, -1)},\n"spec": {"size": 1,\n"siez": 2, "size": 3}}`,
    places: ["3:1", "3:12"],
  },
])("unknown and duplicate fields of $format have the same words, line and column", async ({ text, places }) => {
  for (const fieldValidation of ["Strict", "Warn"] as const) {
    const [result] = await check(text, { crds: CRD, fieldValidation });
    expect(result?.allowed).toBe(fieldValidation === "Warn");
    expect(result?.fields.map(({ message, line, column }) => `${line}:${column} ${message}`)).toEqual([
      `${places[0]} unknown field "spec.siez"`,
      `${places[1]} duplicate field "spec.size"`,
    ]);
  }
  const [ignored] = await check(text, { crds: CRD, fieldValidation: "Ignore" });
  expect([ignored?.allowed, ignored?.warnings]).toEqual([true, []]);
});

test("fields of plain objects have no place", async () => {
  const [result] = await check({ ...MISSPELT, spec: { siez: 1 } }, { crds: CRD });
  expect(result?.fields).toEqual([
    { kind: "unknown", message: 'unknown field "spec.siez"', path: "spec.siez", line: undefined, column: undefined },
  ]);
});

test("a text that cannot be read is refused with line and column", async () => {
  await expect(check("a: 1\nb: [\n")).rejects.toThrow(/line \d+, column \d+\)$/);
});
