/** Where the same objects are served in several versions or groups, and how to get from one to the other. */
import type { EquivalentResources } from "@portcullis/engine/policy/attributes";
import { StatusError } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import { textOf } from "../registry/meta.ts";
import type { Registry } from "../registry/registry.ts";
import { apiVersionOf, type ResourceType } from "../registry/resource-type.ts";
import type { ConvertLater } from "./lookups.ts";

export function equivalentResources(registry: Registry, convertLater: ConvertLater): EquivalentResources {
  return {
    equivalents: (resource, subresource) => {
      const type = registry.find(resource.group, resource.version, resource.resource);
      if (type === undefined) return [resource];
      return registry
        .all()
        .filter(
          ({ storagePrefix, subresources }) =>
            storagePrefix === type.storagePrefix && (subresource === "" || subresources.has(subresource)),
        )
        .map(({ group, version, plural }) => ({ group, version, resource: plural }));
    },
    kindFor: ({ group, version, resource }, subresource) => {
      const type = registry.find(group, version, resource);
      return subresource === "" ? type : type?.subresources.get(subresource)?.kind;
    },
    convert: (object, kind) => {
      const [from, to] = [typeOf(registry, object), typeOfKind(registry, apiVersionOf(kind), kind.kind)];
      if (from === undefined || to === undefined) return object;
      const { converting } = from.strategy;
      // What the other version's schema does not know stays: nothing is pruned on the way to a policy.
      if (converting === undefined && from.isCustom) return withMember(object, "apiVersion", apiVersionOf(kind));
      return converting === undefined ? convert(object, from, to) : convertLater(object, kind, converting);
    },
  };
}

function typeOf(registry: Registry, object: JsonObject): ResourceType | undefined {
  return typeOfKind(registry, textOf(object["apiVersion"]), textOf(object["kind"]));
}

function typeOfKind(registry: Registry, apiVersion: string, kind: string): ResourceType | undefined {
  return registry.all().find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
}

/** By way of the stored form. A text says why not. */
function convert(object: JsonObject, from: ResourceType, to: ResourceType): JsonObject | string {
  try {
    return to.strategy.read(from.strategy.write(object));
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}
