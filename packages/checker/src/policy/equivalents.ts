/** The same objects under several groups and versions: built-in kinds with two forms, versions of a CRD. */
import type { EquivalentResources, GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { gvkOf, type KindCatalog, type ServedKind } from "./kinds.ts";
import * as messages from "./messages.ts";

export function equivalentResources(catalog: KindCatalog): EquivalentResources {
  return {
    equivalents(resource, subresource) {
      const known = catalog.ofResource(resource);
      if (known === undefined) return [resource];
      return catalog
        .familyOf(known)
        .filter(({ subresources }) => subresource === "" || subresources.has(subresource))
        .map(({ group, version, resource: plural }) => ({ group, version, resource: plural }));
    },
    kindFor(resource, subresource) {
      const known = catalog.ofResource(resource);
      return subresource === "" ? known : known?.subresources.get(subresource);
    },
    convert: (object, kind) => convert(object, kind, catalog),
  };
}

function convert(object: JsonObject, to: GroupVersionKind, catalog: KindCatalog): JsonObject | string {
  const from = catalog.ofKind(gvkOf(object));
  const target = catalog.ofKind(to);
  if (from === undefined || target === undefined) return messages.noSuchVersion(to.kind);
  if (from.builtin !== undefined && target.builtin !== undefined) {
    return target.builtin.fromHub(from.builtin.toHub(object));
  }
  if (from.convertsByWebhook === true) return messages.noConversion(apiVersionOf(from), apiVersionOf(target));
  return withMember(object, "apiVersion", apiVersionOf(target));
}

function apiVersionOf({ group, version }: Pick<ServedKind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}
