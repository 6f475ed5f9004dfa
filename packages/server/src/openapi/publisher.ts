/** The documents of all that the registry holds. */
import { openApiV2, openApiV3 } from "@portcullis/engine/openapi/document";
import type { PublishedResource } from "@portcullis/engine/openapi/resource";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { ResourceType } from "../registry/resource-type.ts";

/** Makes the documents. Called again for a group version when one of its kinds has changed. */
export interface OpenApiPublisher {
  v3(types: readonly ResourceType[]): JsonObject;
  v2(types: readonly ResourceType[]): JsonObject;
  /** A document of a resource that is always the same: it shows how documents are made. */
  sample(): JsonObject;
}

/** `version` is that of Kubernetes, such as 1.36. */
export function schemaPublisher(version: string): OpenApiPublisher {
  const options = { version };
  return {
    v3: (types) => openApiV3(types.map(toPublished), options),
    v2: (types) => openApiV2(types.map(toPublished), options),
    sample: () => openApiV3([SAMPLE], options),
  };
}

const SAMPLE: PublishedResource = {
  ...{ group: "example.com", version: "v1", kind: "Sample", listKind: "SampleList", plural: "samples" },
  ...{ namespaced: true, verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"] },
  ...{ patchTypes: ["application/merge-patch+json"], returnsDeletedObject: false, subresources: [] },
  custom: { revision: "", schema: undefined, preserveUnknownFields: false, selectableFields: [], propertyNames: true },
};

function toPublished(type: ResourceType): PublishedResource {
  const { group, version, kind, listKind, plural, namespaced, verbs, patchTypes, strategy } = type;
  const subresources = [...type.subresources.values()].map((each) => ({
    name: each.name,
    ...each.kind,
    verbs: each.verbs,
  }));
  return {
    ...{ group, version, kind, listKind, plural, namespaced, verbs, patchTypes, subresources },
    returnsDeletedObject: strategy.returnsDeletedObject,
    custom: type.customSchema,
  };
}
