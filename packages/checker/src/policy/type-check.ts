/** The warnings that the API server writes into a policy's status: expressions that do not fit the matched kinds. */

import { openApiV3 } from "@portcullis/engine/internal/openapi/document";
import type { PublishedResource } from "@portcullis/engine/internal/openapi/resource";
import type { GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import { loadPolicy } from "@portcullis/engine/internal/policy/policy";
import { populateRefs } from "@portcullis/engine/internal/policy/typecheck/openapi-refs";
import {
  checkPolicyTypes,
  type ExpressionWarning,
  type TypeResolver,
} from "@portcullis/engine/internal/policy/typecheck/typecheck";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { KindCatalog, ServedKind } from "./kinds.ts";

export function typeWarnings(policy: JsonObject, kinds: KindCatalog, server?: KubernetesVersion): ExpressionWarning[] {
  const resolver: TypeResolver = {
    kindsFor: (resource) => {
      const served = kinds.ofResource(resource);
      return served === undefined ? [] : [served];
    },
    schemaOf: (kind) => {
      const served = kinds.ofKind(kind);
      return served && publishedSchema(served);
    },
  };
  return checkPolicyTypes(loadPolicy(policy), resolver, server);
}

/** As published, with references resolved. */
function publishedSchema(kind: ServedKind): Structural | undefined {
  const document = openApiV3([published(kind)], { version: "" });
  const schemas = memberOf(memberOf(document, "components"), "schemas");
  const name = Object.keys(schemas).find((each) => isOfKind(memberOf(schemas, each), kind));
  const lookup = (ref: string): JsonObject => memberOf(schemas, ref.slice(ref.lastIndexOf("/") + 1));
  const populated = name === undefined ? undefined : populateRefs(lookup, name);
  return populated && parseSchema(populated);
}

function published({ group, version, kind, resource, namespaced, custom }: ServedKind): PublishedResource {
  const compiled = custom?.();
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural: resource,
    namespaced,
    verbs: ["get"],
    patchTypes: [],
    returnsDeletedObject: false,
    subresources: [],
    custom: compiled && {
      revision: "",
      schema: compiled.schema,
      preserveUnknownFields: compiled.preserveUnknownFields,
      selectableFields: [],
      propertyNames: false,
    },
  };
}

function isOfKind(schema: JsonObject, { group, version, kind }: GroupVersionKind): boolean {
  const kinds = schema["x-kubernetes-group-version-kind"];
  const isSame = (each: JsonValue): boolean =>
    isObject(each) && each["group"] === group && each["version"] === version && each["kind"] === kind;
  return isArray(kinds) && kinds.some(isSame);
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : newObject();
}
