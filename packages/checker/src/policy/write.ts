/** A manifest as the write that applies it: a create, or an update of the existing object. */
import { DEFAULT_NAMESPACE, type MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { FieldValidation } from "@portcullis/engine/internal/codec/strict";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Endpoint, ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { CreateWrite, Write } from "@portcullis/engine/internal/review/write";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export interface WriteParts {
  readonly kind: ResourceKind;
  /** "" for the object itself. */
  readonly subresource?: string;
  readonly object: JsonObject;
  /** As stored in the cluster, see `MemoryCluster.assumeStored`; undefined for a create. */
  readonly live: JsonObject | undefined;
  readonly fieldValidation: FieldValidation;
  /** Duplicate keys in the source text. */
  readonly strictErrors?: readonly string[];
  readonly user: User;
  /** Used if the object has no namespace. */
  readonly namespace?: string | undefined;
  readonly isDryRun?: boolean;
  readonly options?: JsonObject | undefined;
}

export function writeOf(parts: WriteParts): Write {
  const { kind, object, live } = parts;
  const base = { ...baseOf(parts), continuesWhenInvalid: true };
  if (live === undefined) {
    return {
      ...base,
      verb: "create",
      name: "",
      options: optionsOf("CreateOptions", parts),
      content: contentOf(object, parts),
    };
  }
  const options = optionsOf("UpdateOptions", parts);
  // A manifest has no resourceVersion, or a stale one: it is applied to the existing object.
  const current = withMeta(object, { resourceVersion: metaText(live, "resourceVersion") });
  const content = contentOf(kind.namespaced ? withNamespace(current, base.namespace) : current, parts);
  return { ...base, verb: "update", name: metaText(live, "name"), options, content, live: async () => live };
}

export function deleteOf(parts: WriteParts): Write {
  const { object, live = object } = parts;
  const options = optionsOf("DeleteOptions", parts);
  const name = metaText(live, "name");
  return { ...baseOf(parts), verb: "delete", name, options, deletion: {}, live: async () => live };
}

function baseOf({ kind, subresource = "", object, fieldValidation, user, namespace, isDryRun = false }: WriteParts) {
  const endpoint: Endpoint = { type: kind, subresource: kind.subresources.get(subresource) };
  const place = namespace ?? (metaText(object, "namespace") || DEFAULT_NAMESPACE);
  return { endpoint, namespace: kind.namespaced ? place : "", user, manager: "portcullis", fieldValidation, isDryRun };
}

function withNamespace(object: JsonObject, namespace: string): JsonObject {
  return metaText(object, "namespace") === "" ? withMeta(object, { namespace }) : object;
}

function contentOf(object: JsonObject, { strictErrors = [] }: WriteParts): CreateWrite["content"] {
  return { body: { value: object, text: () => canonicalJson(object), strictErrors, isYaml: true } };
}

function optionsOf(kind: string, { options }: WriteParts): JsonObject {
  return options ?? objectOf({ kind, apiVersion: "meta.k8s.io/v1" });
}

/** An old manifest as the cluster stores it. A string says why it cannot be stored. */
export function liveOf(old: JsonObject, kind: ResourceKind, cluster: MemoryCluster): JsonObject | string {
  return cluster.assumeStored(old, kind);
}
