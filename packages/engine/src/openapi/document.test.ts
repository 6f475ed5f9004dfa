import { expect, test } from "vitest";
import { parseSchema } from "../schema/parse.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject } from "../value/json.ts";
import { openApiV2, openApiV3 } from "./document.ts";
import { enumOf } from "./enums.ts";
import type { PublishedResource } from "./resource.ts";

const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

function widgets(schema: object, over: Partial<PublishedResource> = {}): PublishedResource {
  const json = fromPlain(schema);
  if (!isObject(json)) throw new Error("not an object");
  return {
    group: "example.com",
    version: "v1",
    kind: "Widget",
    listKind: "WidgetList",
    plural: "widgets",
    namespaced: true,
    verbs: VERBS,
    returnsDeletedObject: false,
    subresources: [],
    patchTypes: ["application/merge-patch+json"],
    custom: {
      revision: "1",
      schema: parseSchema(json),
      preserveUnknownFields: false,
      selectableFields: [],
      propertyNames: true,
    },
    ...over,
  };
}

const spec = (properties: object): object => ({ type: "object", properties: { spec: { type: "object", properties } } });

/** Documents are read by path, without types and without descriptions. */
function plain(value: unknown): ReturnType<typeof JSON.parse> {
  return JSON.parse(JSON.stringify(value, (key, member) => (key === "description" ? undefined : member)));
}

const v3 = (resource: PublishedResource) => plain(openApiV3([resource], { version: "1.36" }));
const v2 = (resource: PublishedResource) => plain(openApiV2([resource], { version: "1.36" }));
const NAME = "com.example.v1.Widget";

test.each([
  {
    name: "nullable survives in version 3 only, and takes the type with it",
    field: { type: "string", nullable: true },
    three: { type: "string", nullable: true },
    two: {},
  },
  {
    name: "int-or-string is spelled out in version 3 only",
    field: { "x-kubernetes-int-or-string": true },
    three: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
    two: { "x-kubernetes-int-or-string": true },
  },
  {
    name: "alternatives and defaults are for version 3",
    field: { type: "object", default: { a: "x" }, properties: { a: { type: "string" } }, oneOf: [{ required: ["a"] }] },
    three: {
      type: "object",
      default: { a: "x" },
      properties: { a: { type: "string" } },
      oneOf: [{ required: ["a"] }],
    },
    two: { type: "object", properties: { a: { type: "string" } } },
  },
  {
    name: "an embedded object that takes anything has no shape in version 2",
    field: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    three: {
      type: "object",
      required: ["kind", "apiVersion"],
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }] },
      },
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    two: { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  },
  {
    name: "rules and list keys are published",
    field: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
      "x-kubernetes-validations": [{ rule: "true", message: "m" }],
    },
    three: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
      "x-kubernetes-validations": [{ rule: "true", message: "m" }],
    },
    two: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
      "x-kubernetes-validations": [{ rule: "true", message: "m" }],
    },
  },
])("$name", ({ field, three, two }) => {
  const resource = widgets(spec({ field }));
  expect(v3(resource).components.schemas[NAME].properties.spec.properties.field).toEqual(three);
  expect(v2(resource).definitions[NAME].properties.spec.properties.field).toEqual(two);
});

test("a schema that takes unknown fields at its root is any object in version 2", () => {
  const resource = widgets({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  expect(v2(resource).definitions[NAME]).toEqual({
    type: "object",
    "x-kubernetes-group-version-kind": [{ group: "example.com", kind: "Widget", version: "v1" }],
  });
  expect(v3(resource).components.schemas[NAME].properties.metadata).toBeDefined();
});

test("property names are published while the gate is on", () => {
  const schema = spec({
    m: { type: "object", additionalProperties: { type: "string" }, "x-kubernetes-property-names": { maxLength: 3 } },
  });
  const on = widgets(schema);
  const key = "x-kubernetes-property-names";
  expect(v3(on).components.schemas[NAME].properties.spec.properties.m[key]).toEqual({ maxLength: 3 });
  const { components } = JSON.parse(JSON.stringify(openApiV3([on], { version: "1.36" })));
  expect(components.schemas[NAME].properties.spec.properties.m.description).toBe(
    "Keys must have at most 3 characters.",
  );
  const off = on.custom && { ...on, custom: { ...on.custom, propertyNames: false } };
  expect(off && v3(off).components.schemas[NAME].properties.spec.properties.m[key]).toBeUndefined();
});

test("kubectl finds the kind and the parameters it looks for", () => {
  const { paths } = v3(widgets({ type: "object" }));
  const item = paths["/apis/example.com/v1/namespaces/{namespace}/widgets/{name}"];
  expect(item.patch["x-kubernetes-group-version-kind"]).toEqual({
    group: "example.com",
    version: "v1",
    kind: "Widget",
  });
  expect(item.patch.parameters.map((each: { name: string }) => each.name)).toContain("fieldValidation");
  expect(item.parameters.map((each: { name: string }) => each.name)).toEqual(["name", "namespace", "pretty"]);
  expect(item.get.operationId).toBe("readExampleComV1NamespacedWidget");
});

test("every reference of a document resolves", () => {
  const pods: PublishedResource = {
    group: "",
    version: "v1",
    kind: "Pod",
    listKind: "PodList",
    plural: "pods",
    namespaced: true,
    verbs: VERBS,
    subresources: [{ name: "status", group: "", version: "v1", kind: "Pod", verbs: ["get"] }],
    patchTypes: ["application/strategic-merge-patch+json"],
    returnsDeletedObject: true,
    custom: undefined,
  };
  const document = v3(pods);
  const names = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
  const missing = [...names].map(([, name]) => name ?? "").filter((name) => !(name in document.components.schemas));
  expect(missing).toEqual([]);
  const { spec: podSpec } = document.components.schemas["io.k8s.api.core.v1.Pod"].properties;
  expect(podSpec).toEqual({ default: {}, allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.PodSpec" }] });
  const { schemas } = JSON.parse(JSON.stringify(openApiV3([pods], { version: "1.36", enumOf }))).components;
  const { restartPolicy } = schemas["io.k8s.api.core.v1.PodSpec"].properties;
  expect(restartPolicy).toEqual({ type: "string", enum: ["Always", "Never", "OnFailure"] });
  const { accessModes } = schemas["io.k8s.api.core.v1.PersistentVolumeClaimSpec"].properties;
  expect(accessModes.items.enum).toContain("ReadWriteOncePod");
  const resource = document.components.schemas["io.k8s.apimachinery.pkg.apis.meta.v1.APIResource"];
  expect(resource.properties.verbs).toEqual({ type: "array", items: { type: "string", default: "" } });
});
