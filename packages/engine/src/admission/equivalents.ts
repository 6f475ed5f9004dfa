/** Where the same objects are served in several versions or groups, and how to get from one to the other. */
import type { EquivalentResources } from "../policy/attributes.ts";
import type { Kinds } from "../review/cluster-view.ts";
import { apiVersionOf, type ResourceKind } from "../review/kind.ts";
import { StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { textOf } from "../value/metadata.ts";
import { withMember } from "../value/rewrite.ts";
import type { ConvertLater } from "./lookups.ts";

export function equivalentResources(kinds: Kinds, convertLater: ConvertLater): EquivalentResources {
  return {
    equivalents: (resource, subresource) => {
      const type = kinds.find(resource.group, resource.version, resource.resource);
      if (type === undefined) return [resource];
      return siblingsOf(type, kinds)
        .filter(({ subresources }) => subresource === "" || subresources.has(subresource))
        .map(({ group, version, plural }) => ({ group, version, resource: plural }));
    },
    kindFor: ({ group, version, resource }, subresource) => {
      const isIt = (type: ResourceKind): boolean => type.group === group && type.plural === resource;
      const type = kinds.find(group, version, resource) ?? unservedType(kinds, version, isIt);
      return subresource === "" ? type : type?.subresources.get(subresource)?.kind;
    },
    convert: (object, kind) => {
      const [from, to] = [typeOf(kinds, object), typeOfKind(kinds, apiVersionOf(kind), kind.kind)];
      if (from === undefined || to === undefined) return object;
      const { converting } = from.strategy;
      // What the other version's schema does not know stays: nothing is pruned on the way to a policy.
      if (converting === undefined && from.isCustom) return withMember(object, "apiVersion", apiVersionOf(kind));
      return converting === undefined ? convert(object, from, to) : convertLater(object, kind, converting);
    },
  };
}

/** Versions of a CRD that are not served are equivalent too. */
function siblingsOf(type: ResourceKind, kinds: Kinds): readonly ResourceKind[] {
  return type.allVersions?.() ?? kinds.all().filter(({ storagePrefix }) => storagePrefix === type.storagePrefix);
}

/** A version of the custom resource for which another version is served. */
function unservedType(kinds: Kinds, version: string, isIt: (type: ResourceKind) => boolean): ResourceKind | undefined {
  const served = kinds.all().find((type) => type.allVersions !== undefined && isIt(type));
  return served?.allVersions?.().find((type) => type.version === version);
}

function typeOf(kinds: Kinds, object: JsonObject): ResourceKind | undefined {
  return typeOfKind(kinds, textOf(object["apiVersion"]), textOf(object["kind"]));
}

function typeOfKind(kinds: Kinds, apiVersion: string, kind: string): ResourceKind | undefined {
  const served = kinds.all().find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
  const [group = "", version = ""] = apiVersion.split("/");
  return served ?? unservedType(kinds, version, (type) => type.group === group && type.kind === kind);
}

/** By way of the stored form. A text says why not. */
function convert(object: JsonObject, from: ResourceKind, to: ResourceKind): JsonObject | string {
  try {
    return to.strategy.read(from.strategy.write(object));
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}
