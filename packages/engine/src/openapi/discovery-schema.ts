/** The schemas of discovery documents, in both versions of OpenAPI. */
import type { JsonObject, JsonValue } from "../value/json.ts";
import { object } from "./json.ts";
import { RESOURCE, reference } from "./names.ts";
import type { OpenApiVersion } from "./resource.ts";

/** What discovery says about a resource. No kind has this type, so it is not among the Go types. */
export function resourceSchema(version: OpenApiVersion): JsonObject {
  const always = (type: string, zero: JsonValue): JsonObject =>
    object({ type, default: version === 2 ? undefined : zero });
  const list = (items: JsonObject): JsonObject => object({ type: "array", items, "x-kubernetes-list-type": "atomic" });
  const [text, optional] = [always("string", ""), object({ type: "string" })];
  return object({
    type: "object",
    required: ["name", "singularName", "namespaced", "kind", "verbs"],
    properties: object({
      categories: list(text),
      group: optional,
      kind: text,
      name: text,
      namespaced: always("boolean", false),
      shortNames: list(text),
      singularName: text,
      storageVersionHash: optional,
      verbs: object({ type: "array", items: text }),
      version: optional,
    }),
  });
}

/** What discovery says about a group version. */
export function resourceListSchema(version: OpenApiVersion): JsonObject {
  const resource = object({ $ref: reference(RESOURCE, version) });
  const items = version === 2 ? resource : object({ default: object({}), allOf: [resource] });
  const text = object({ type: "string" });
  return object({
    type: "object",
    required: ["groupVersion", "resources"],
    properties: object({
      apiVersion: text,
      groupVersion: version === 2 ? text : object({ type: "string", default: "" }),
      kind: text,
      resources: object({ type: "array", items, "x-kubernetes-list-type": "atomic" }),
    }),
    "x-kubernetes-group-version-kind": [object({ group: "", kind: "APIResourceList", version: "v1" })],
  });
}
