import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { expect, test } from "vitest";
import { kindCatalog } from "./kinds.ts";
import { typeWarnings } from "./type-check.ts";

function object(data: object): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}

const WIDGETS = object({
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
        schema: { openAPIV3Schema: { type: "object", properties: { size: { type: "integer" } } } },
      },
    ],
  },
});

function policy(group: string, resource: string, expression: string): JsonObject {
  const rule = { apiGroups: [group], apiVersions: ["v1"], operations: ["CREATE"], resources: [resource] };
  return object({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
  });
}

test.each([
  { group: "apps", resource: "deployments", expression: "object.spec.replicas > 1", warning: undefined },
  {
    group: "apps",
    resource: "deployments",
    expression: "object.spec.replicaas > 1",
    warning: "undefined field 'replicaas'",
  },
  {
    group: "apps",
    resource: "deployments",
    expression: "object.spec.replicas > '1'",
    warning: "found no matching overload for '_>_'",
  },
  { group: "example.com", resource: "widgets", expression: "object.size > 1", warning: undefined },
  { group: "example.com", resource: "widgets", expression: "object.sice > 1", warning: "undefined field 'sice'" },
  { group: "example.com", resource: "unknowns", expression: "object.anything > 1", warning: undefined },
])("$expression of $resource: $warning", ({ group, resource, expression, warning }) => {
  const kinds = kindCatalog([WIDGETS], engineOptions(undefined, undefined));
  const [found, ...rest] = typeWarnings(policy(group, resource, expression), kinds);
  expect(rest).toEqual([]);
  if (warning === undefined) expect(found).toBeUndefined();
  else expect(found?.warning).toContain(warning);
});
