import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as engine from "./index.ts";
import * as kubecel from "./kubecel/index.ts";
import * as policy from "./policy/index.ts";

const PACKAGE = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

test("the package exports a beginning, two lists and every module by path", () => {
  expect(Object.keys(PACKAGE.exports)).toEqual([".", "./kubecel", "./policy", "./package.json", "./*"]);
  for (const [name, target] of Object.entries<Record<string, string>>(PACKAGE.exports)) {
    if (name === "./package.json") continue;
    const source = target["portcullis-source"] ?? "";
    expect(target["default"]).toBe(source.replace("./src/", "./dist/").replace(/\.ts$/, ".js"));
    expect(target["types"]).toBe(source.replace("./src/", "./dist/").replace(/\.ts$/, ".d.ts"));
  }
});

test("what the beginning shares with the lists is the same thing", () => {
  for (const list of [kubecel, policy]) {
    const all = new Map<string, unknown>(Object.entries(list));
    const shared = Object.entries(engine).filter(([name]) => all.has(name));
    expect(shared.length).toBeGreaterThan(1);
    for (const [name, value] of shared) expect(value, name).toBe(all.get(name));
  }
});

test("a definition and an object go through what the beginning exports", () => {
  const text = `
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
  const decoded = engine.decodeYaml(text);
  const definition = engine.readDefinition(objectOf(decoded.error === undefined ? decoded.value : decoded.error));
  const [version] = definition.versions;
  if (version === undefined) throw new Error("no version");
  const gates = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
  const resource = engine.compileResource(definition, version, { version: engine.SERVER_VERSION, gates });
  const object = objectOf({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w" },
    spec: { size: 4 },
  });
  const system = { uid: () => "u", now: () => "2026-01-01T00:00:00Z", suffix: () => "abcde" };
  const request = { resource, namespace: "default", fieldValidation: "Strict", system, warn: () => {} } as const;
  expect(() => engine.reviewCreate({ object, strictErrors: [] }, request)).toThrow(
    "spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3",
  );
});

function objectOf(data: unknown): engine.JsonObject {
  const value = engine.fromPlain(data);
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof engine.Float64) {
    throw new Error("not an object");
  }
  return value;
}
