/**
 * The kinds of objects that requests may contain, for proofs: built-in kinds, and those that CRDs among the inputs
 * define.
 */
import { builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { shapeOf } from "@portcullis/engine/internal/builtin/shapes";
import { structOfKind } from "@portcullis/engine/internal/builtin/types";
import type { GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import type { ProofKind, ProofSubresource } from "@portcullis/engine/internal/prove/sorts/kinds";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { definitionsIn, type KindCatalog, type ServedKind } from "../policy/kinds.ts";

export function proofKinds(objects: readonly JsonObject[], catalog: KindCatalog): ProofKind[] {
  const custom = definitionsIn(objects).flatMap(({ group, names, versions }) =>
    versions.filter(({ served }) => served).map(({ name }) => ({ group, version: name, resource: names.plural })),
  );
  const builtin = builtinResources().map(({ group, version, plural }) => ({ group, version, resource: plural }));
  const seen = new Set<ServedKind>();
  return [...custom, ...builtin].flatMap((resource) => {
    const served = catalog.ofResource(resource);
    if (served === undefined || seen.has(served)) return [];
    seen.add(served);
    return [proofKind(served, catalog)];
  });
}

export function proofKind(served: ServedKind, catalog: KindCatalog): ProofKind {
  const { builtin, custom } = served;
  const versions = custom === undefined ? [] : catalog.familyOf(served);
  return {
    group: served.group,
    version: served.version,
    kind: served.kind,
    resource: served.resource,
    namespaced: served.namespaced,
    family: served.family,
    verbs: builtin?.verbs ?? [],
    subresources: subresourcesOf(served),
    shape: builtin && (() => builtin.shape),
    schema: custom && (() => custom().schema),
    schemas: schemasOf(versions),
    isConvertedByWebhook: versions.length > 1 && served.convertsByWebhook === true,
    hasStatus: served.subresources.has("status"),
    hasPlainNames: builtin === undefined || ["A:b", "::1"].every((name) => builtin.checkName(name, false).length > 0),
  };
}

/** Undefined if all versions have the same schema. */
function schemasOf(versions: readonly ServedKind[]): ProofKind["schemas"] {
  if (versions.length < 2) return undefined;
  const schemas = versions.map(({ custom }) => custom?.().schema);
  const [first, ...rest] = schemas.map(schemaText);
  return rest.every((each) => each === first) ? undefined : () => schemas;
}

const TEXTS: readonly string[] = ["title", "description", "example", "externalDocs"];

/** Equal for schemas that accept the same objects, apart from the order of keywords. */
function schemaText(schema: Structural | undefined): string {
  return JSON.stringify(schema ?? null, (key, value: unknown) => {
    if (value instanceof Map) return [...value];
    if (typeof value === "bigint") return `int ${value}`;
    return TEXTS.includes(key) ? undefined : value;
  });
}

function subresourcesOf({ builtin, subresources }: ServedKind): Map<string, ProofSubresource> {
  const verbs = new Map(builtin?.subresources.map(({ name, verbs: own }) => [name, own]));
  return new Map(
    [...subresources].map(([name, kind]) => [
      name,
      { ...kind, verbs: verbs.get(name) ?? ["get", "patch", "update"], shape: () => builtinShape(kind) },
    ]),
  );
}

function builtinShape({ group, version, kind }: GroupVersionKind) {
  const struct = structOfKind(group, version, kind);
  return struct && shapeOf(struct);
}
