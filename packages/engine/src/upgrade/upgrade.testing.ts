/** CRDs that differ in one schema. */
import { jsonObject } from "../crd/definition.testing.ts";
import type { EngineOptions } from "../review/custom-resource/custom-resource.ts";
import type { JsonObject } from "../value/json.ts";

export const ENGINE: EngineOptions = {
  version: "1.36",
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
};

export type PlainSchema = { readonly [key: string]: unknown };

export function crdOf(schema: PlainSchema, version: PlainSchema = {}, spec: PlainSchema = {}): JsonObject {
  return jsonObject({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  });
}
