import { describe, expect, test } from "vitest";
import { mutate } from "./mutate.ts";

const GROUP = "admissionregistration.k8s.io/v1";

interface PolicyParts {
  readonly name?: string;
  readonly apply?: string;
  readonly patch?: string;
  readonly spec?: object;
  readonly rules?: object;
}

function policy({ name = "p", apply, patch, spec, rules }: PolicyParts): object {
  const mutations = [
    ...(apply === undefined ? [] : [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: apply } }]),
    ...(patch === undefined ? [] : [{ patchType: "JSONPatch", jsonPatch: { expression: patch } }]),
  ];
  const resourceRules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"], ...rules }];
  const own = { reinvocationPolicy: "Never", matchConstraints: { resourceRules }, mutations, ...spec };
  return { apiVersion: GROUP, kind: "MutatingAdmissionPolicy", metadata: { name }, spec: own };
}

function binding(policyName = "p"): object {
  const metadata = { name: `${policyName}-b` };
  return { apiVersion: GROUP, kind: "MutatingAdmissionPolicyBinding", metadata, spec: { policyName } };
}

const CONFIG = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" }, data: { a: "1" } };
const CONFIGS = { group: "", version: "v1", resource: "configmaps" };

function run(parts: readonly PolicyParts[], object: object = CONFIG, resource = CONFIGS, definitions: object[] = []) {
  const policies = parts.map(policy);
  const bindings = parts.map(({ name }) => binding(name));
  return mutate({ policies, bindings, definitions, request: { resource, object } });
}

function dataAfter(parts: readonly PolicyParts[]): unknown {
  const { object } = run(parts);
  return object !== null && typeof object === "object" && "data" in object ? object.data : undefined;
}

const count = (key: string): string =>
  `Object{data: {"${key}": has(object.data.${key}) ? object.data.${key} + "+" : "1"}}`;

describe("the order of mutations", () => {
  test.each<{ name: string; policies: PolicyParts[]; data: object }>([
    {
      name: "policies run by name, and each sees what those before it made",
      policies: [
        { name: "b", apply: `Object{data: {"y": object.data.x}}` },
        { name: "a", apply: `Object{data: {"x": "1"}}` },
      ],
      data: { a: "1", x: "1", y: "1" },
    },
    {
      name: "mutations of one policy run in order",
      policies: [
        { apply: `Object{data: {"x": "1"}}`, patch: `[JSONPatch{op: "move", from: "/data/x", path: "/data/y"}]` },
      ],
      data: { a: "1", y: "1" },
    },
    { name: "a policy with Never runs once", policies: [{ apply: count("n") }], data: { a: "1", n: "1" } },
    {
      name: "one with IfNeeded runs again, its own change being one",
      policies: [{ apply: count("n"), spec: { reinvocationPolicy: "IfNeeded" } }],
      data: { a: "1", n: "1+" },
    },
    {
      name: "with failurePolicy Ignore the next mutation runs after a failing one",
      policies: [
        {
          apply: `Object{data: {"x": object.nope}}`,
          patch: `[JSONPatch{op: "add", path: "/data/y", value: "1"}]`,
          spec: { failurePolicy: "Ignore" },
        },
      ],
      data: { a: "1", y: "1" },
    },
    {
      name: "a patch whose test does not hold changes nothing",
      policies: [
        { patch: `[JSONPatch{op: "test", path: "/data/a", value: "2"}, JSONPatch{op: "remove", path: "/data/a"}]` },
      ],
      data: { a: "1" },
    },
  ])("$name", ({ policies, data }) => {
    expect(dataAfter(policies)).toEqual(data);
  });
});

test("a refusal lists every error, keeps code 403 and does not say forbidden", () => {
  const { allowed, status } = run([
    { name: "a", apply: `Object{data: {"x": object.nope}}` },
    { name: "b", apply: "Object{bogus: 1}" },
  ]);
  const first = `policy 'a' with binding 'a-b' denied request: expression 'Object{data: {"x": object.nope}}' resulted in error: no such key: nope`;
  const second =
    "policy 'b' with binding 'b-b' denied request: error applying patch: failed to convert patch object to typed object: .bogus: field not declared in schema";
  expect(allowed).toBe(false);
  expect(status).toMatchObject({
    code: 403,
    reason: "Invalid",
    message: first,
    details: { name: "c", kind: "configmaps", causes: [{ message: first }, { message: second }] },
  });
});

test("a policy that cannot be configured is Forbidden, without a binding", () => {
  const spec = { paramKind: { apiVersion: "nope.example.com/v1", kind: "Nope" } };
  expect(run([{ apply: "Object{}", spec }]).status).toMatchObject({
    code: 403,
    reason: "Forbidden",
    message: `policy "p" denied request: failed to configure policy: failed to find resource referenced by paramKind: 'nope.example.com/v1, Kind=Nope'`,
  });
});

test.each([
  [
    "another type's name",
    "Object{metadata: Object.meta{}}",
    `type mismatch: unexpected type name "Object.meta", expected "Object.metadata"`,
  ],
  ["a null of the language", `Object{immutable: null}`, "expected boolean, got &{NULL_VALUE}"],
  [
    "a map in a map",
    `Object{data: {"x": {"y": "z"}}}`,
    `expected string, got &value.valueUnstructured{Value:map[ref.Val]ref.Val{"y":"z"}}`,
  ],
  [
    "a list that a function of Go made",
    `Object{metadata: Object.metadata{finalizers: "a,b".split(",")}}`,
    "expected list, got &{[a b]}",
  ],
  ["a key that is no text", `Object{data: {1: "x"}}`, "invalid return type: *dynamic.ObjectVal"],
  [
    "part of what is taken as a whole",
    `Object{metadata: Object.metadata{managedFields: [Object.metadata.managedFields{manager: "m"}]}}`,
    "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .metadata.managedFields",
  ],
])("a configuration with %s is refused", (_, apply, problem) => {
  expect(run([{ apply }]).denials[0]?.message).toContain(problem);
});

test.each([
  [
    "a path that is not there",
    `[JSONPatch{op: "remove", path: "/nope/x"}]`,
    `JSON Patch: remove operation does not apply: doc is missing path: "/nope/x": missing value`,
  ],
  ["an operation that nobody knows", `[JSONPatch{op: "set", path: "/data"}]`, "JSON Patch: Unexpected kind: set"],
  [
    "a value that is no JSON",
    `[JSONPatch{op: "add", path: "/data", value: type(1)}]`,
    "JSONPath valueExpression evaluated to a type that could not marshal to JSON: type conversion not supported for 'type'",
  ],
  ["an op that is no text", `[JSONPatch{op: dyn(1)}]`, "unexpected type int64 for JSONPatchType 'op' field"],
])("a JSON patch with %s is refused", (_, patch, problem) => {
  expect(run([{ patch }]).denials[0]?.message).toContain(problem);
});

test.each([
  [
    "unknown fields",
    `[JSONPatch{op: "add", path: "/bogus", value: 1}]`,
    `Internal error occurred: strict decoding error: unknown field "bogus"`,
  ],
  [
    "wrong types",
    `[JSONPatch{op: "add", path: "/data/x", value: 1}]`,
    "Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
  ],
  [
    "objects in a list, which upstream panics at",
    `[JSONPatch{op: "add", path: "/data", value: [Object{}]}]`,
    "This request caused apiserver to panic. Look in the logs for details.",
  ],
])("a JSON patch that makes %s ends the request whatever the failure policy", (_, patch, message) => {
  expect(run([{ patch, spec: { failurePolicy: "Ignore" } }]).status).toMatchObject({ code: 500, message });
});

const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              properties: { size: { type: "integer" }, color: { type: "string", default: "red" } },
            },
          },
        },
      },
    })),
  },
};
const WIDGET = {
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "w", namespace: "default" },
  spec: { size: 1 },
};
const WIDGETS = { group: "example.com", version: "v1", resource: "widgets" };

test("custom resources merge by their schema and are defaulted again", () => {
  const apply = "Object{spec: Object.spec{size: object.spec.size + 1}}";
  expect(run([{ apply }], WIDGET, WIDGETS, [DEFINITION]).object).toMatchObject({ spec: { size: 2, color: "red" } });
});

test("an object whose schema is not known is refused as unavailable", () => {
  expect(run([{ apply: "Object{}" }], WIDGET, WIDGETS).status).toMatchObject({
    code: 503,
    message:
      "Resource kind example.com/v1, Kind=Widget not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.",
  });
});

test("mutating policies ignore deletions", () => {
  const request = { resource: CONFIGS, oldObject: CONFIG };
  const { allowed, object } = mutate({ policies: [policy({ apply: "Object{" })], bindings: [binding()], request });
  expect({ allowed, object }).toEqual({ allowed: true, object: undefined });
});

test("the report has every step", () => {
  const spec = {
    variables: [{ name: "v", expression: "'1'" }],
    matchConditions: [{ name: "c", expression: "true" }],
  };
  const [trace] = run([{ apply: `Object{data: {"x": variables.v}}`, spec }]).policies;
  expect(trace?.bindings[0]?.invocations).toMatchObject([
    {
      isReinvoke: false,
      matchConditions: { expressions: [{ expression: "true", value: "true" }] },
      mutations: [{ patchType: "ApplyConfiguration", isChanged: true, variables: [{ name: "v", value: `"1"` }] }],
    },
  ]);
});
