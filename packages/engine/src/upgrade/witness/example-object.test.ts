import { describe, expect, test } from "vitest";
import { decodeYaml } from "../../codec/yaml.ts";
import { decodeDefinition } from "../../crd/decode.ts";
import { readDefinition } from "../../crd/definition.ts";
import { compileResource } from "../../review/custom-resource/custom-resource.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { ENGINE } from "../upgrade.testing.ts";
import { type ExampleObjects, exampleObjects } from "./example-object.ts";
import { isAccepted, Replay } from "./replay.ts";

function examplesOf(spec: string, more = ""): ExampleObjects & { readonly accepts: (object: JsonObject) => boolean } {
  const indent = (text: string): string => text.trim().replace(/^/gm, "            ");
  const text = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
${indent(spec)}
${more}`;
  const decoded = decodeYaml(text);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error(decoded.error);
  const definition = readDefinition(decodeDefinition(decoded.value).value);
  const [version] = definition.versions;
  if (version === undefined) throw new Error("no version");
  const resource = compileResource(definition, version, ENGINE);
  const replay = new Replay(resource, resource);
  return { ...exampleObjects(resource, 37), accepts: (object) => isAccepted(replay.create(object, resource)) };
}

const specOf = (object: JsonObject | undefined): unknown => JSON.parse(JSON.stringify(object?.["spec"] ?? null));

describe("examples of a CRD", () => {
  test("are minimal and full, with the values that the schema names", () => {
    const { minimal, full } = examplesOf(`
type: object
required: [size]
properties:
  size: {type: integer, minimum: 3}
  mode: {type: string, enum: [Fast, Slow]}
  code: {type: string, pattern: "^[a-z]+-[0-9]{2}$"}
  port: {type: integer, default: 8080}
  host: {type: string, example: www.example.com}
  hosts: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}
  labels: {type: object, additionalProperties: {type: string}}`);
    expect(specOf(minimal)).toBeNull();
    expect(specOf(full)).toMatchObject({
      size: 3,
      mode: "Fast",
      port: 8080,
      host: "www.example.com",
      hosts: [{ name: "example" }],
      labels: { key: "example" },
    });
    expect(specOf(full)).toHaveProperty("code", expect.stringMatching(/^[a-z]+-[0-9]{2}$/));
  });

  test("satisfy the rules, and what does not fit is listed with the reason", () => {
    const { minimal, full, leftOut, accepts } = examplesOf(`
type: object
required: [mode, size]
properties:
  mode: {type: string, enum: [A, B]}
  size: {type: integer, maximum: 10}
  a: {type: string}
  b: {type: string}
x-kubernetes-validations:
- rule: "!(has(self.a) && has(self.b))"
  message: a and b exclude each other
- rule: "self.mode == 'B' && self.size > 5"`);
    expect(specOf(full)).toEqual({ mode: "B", size: expect.any(Number), a: "example" });
    expect(leftOut.map(({ path, error }) => [path, error?.detail])).toEqual([["spec.b", "a and b exclude each other"]]);
    for (const object of [minimal, full]) expect(object !== undefined && accepts(object)).toBe(true);
  });

  test("a list that must not be empty has an item, and one that may be has one in the full example", () => {
    const { full } = examplesOf(`
type: object
required: [must, may]
properties:
  must: {type: array, minItems: 2, items: {type: string, maxLength: 3}}
  may: {type: array, items: {type: object, properties: {active: {type: boolean}}}}`);
    expect(specOf(full)).toMatchObject({ must: [expect.any(String), expect.any(String)], may: [{ active: true }] });
  });

  test("a rule about an optional object of every item is satisfied", () => {
    const { minimal, accepts } = examplesOf(
      `
type: object
required: [roles]
properties:
  roles:
    type: array
    minItems: 2
    maxItems: 5
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string, maxLength: 10}
        spec: {type: object, properties: {replicas: {type: integer}}}
x-kubernetes-validations:
- rule: "self.roles.all(r, !has(r.spec.replicas) || r.spec.replicas == 0)"`,
      "        required: [spec]",
    );
    const name = expect.any(String);
    expect(specOf(minimal)).toEqual({
      roles: [
        { name, spec: {} },
        { name, spec: {} },
      ],
    });
    expect(minimal !== undefined && accepts(minimal)).toBe(true);
  });

  test("a kind with a single object has its name", () => {
    const rule = `          x-kubernetes-validations: [{rule: "self.metadata.name == 'default'"}]`.slice(2);
    const { minimal } = examplesOf("type: object", rule);
    expect(minimal?.["metadata"]).toMatchObject({ name: "default" });
  });

  test("a schema that accepts nothing has none", () => {
    const { minimal, full } = examplesOf(
      "type: object",
      `          x-kubernetes-validations: [{rule: "false"}]`.slice(2),
    );
    expect([minimal, full]).toEqual([undefined, undefined]);
  });

  test("a status is not part of them", () => {
    const { full } = examplesOf("type: object", "          status: {type: object, properties: {x: {type: string}}}");
    expect(Object.keys(full ?? newObject())).not.toContain("status");
  });

  test("have the values that rules compare with or parse, at any depth", () => {
    const { full, leftOut } = examplesOf(`
type: object
properties:
  a:
    type: object
    properties:
      b:
        type: array
        items:
          type: object
          properties:
            timeout:
              type: string
              x-kubernetes-validations: [{rule: "duration(self) >= duration('1ms')"}]
            address:
              type: string
              x-kubernetes-validations: [{rule: "isIP(self)"}]
            kind:
              type: string
              x-kubernetes-validations: [{rule: "self in ['Linux', 'Swap']"}]
            taints:
              type: array
              items: {type: object, properties: {effect: {type: string}}}
              x-kubernetes-validations: [{rule: "self.all(x, !has(x.effect) || x.effect in ['Evict', 'Stay'])"}]`);
    expect(leftOut).toEqual([]);
    const item = { timeout: "1ms", address: "10.0.0.1", kind: "Linux", taints: [{ effect: "Evict" }] };
    expect(specOf(full)).toEqual({ a: { b: [item] } });
  });

  test("have the name of the object where a rule wants it", () => {
    const { minimal } = examplesOf(
      `
type: object
required: [node]
properties: {node: {type: object, required: [name], properties: {name: {type: string}}}}`,
      `          metadata: {type: object}
        required: [spec]
        x-kubernetes-validations: [{rule: "self.metadata.name == self.spec.node.name"}]`,
    );
    expect(specOf(minimal)).toEqual({ node: { name: "example" } });
  });
});
