/** Discovery documents: one for each group and version, and the aggregated form that says everything at once. */

import { apiVersionOf, type GroupVersionKind, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { type ListedSubresource, listedSubresources } from "../registry/connections.ts";
import type { Registry } from "../registry/registry.ts";
import { type ExtensionVersion, mergeGroup, withExtensions } from "./extension-groups.ts";
import { type Group, groupOf, groupsOf } from "./groups.ts";

/** The hash by which clients notice that a kind is stored differently. */
export type HashOf = (type: ResourceKind) => string;

export function coreVersions(address: string): JsonObject {
  return objectOf({
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [objectOf({ clientCIDR: "0.0.0.0/0", serverAddress: address })],
  });
}

export function groupList(registry: Registry, extensions: readonly ExtensionVersion[]): JsonObject {
  const groups = withExtensions(groupsOf(registry), extensions).map((group) => groupMembers(group));
  return objectOf({ kind: "APIGroupList", apiVersion: "v1", groups: groups.map((members) => objectOf(members)) });
}

/** Undefined if there is no such group. */
export function groupDocument(
  registry: Registry,
  name: string,
  extensions: readonly ExtensionVersion[],
): JsonObject | undefined {
  const group = mergeGroup(groupOf(registry, name), extensions);
  if (group.versions.length === 0) return undefined;
  return objectOf({ kind: "APIGroup", apiVersion: "v1", ...groupMembers(group) });
}

function groupMembers({ name, versions }: Group) {
  const all = versions.map(({ version }) => objectOf({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

export function resourceList(
  registry: Registry,
  group: string,
  version: string,
  hashOf: HashOf,
): JsonObject | undefined {
  const types = groupOf(registry, group).versions.find((each) => each.version === version)?.types;
  if (types === undefined) return undefined;
  return objectOf({
    kind: "APIResourceList",
    // The list of the core group has never said it.
    apiVersion: group === "" ? undefined : "v1",
    groupVersion: apiVersionOf({ group, version }),
    resources: types.flatMap((type) => resourceRows(type, hashOf)),
  });
}

function resourceRows(type: ResourceKind, hashOf: HashOf): JsonObject[] {
  const row = objectOf({
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: [...(type.shownVerbs ?? type.verbs)],
    shortNames: listOrNothing(type.shortNames),
    categories: listOrNothing(type.categories),
    storageVersionHash:
      type.computed === undefined && type.answerCreate === undefined ? hashOf(type) || undefined : undefined,
  });
  return [row, ...listedSubresources(type).map((each) => subresourceRow(type, each))];
}

function subresourceRow(type: ResourceKind, { name, kind, verbs }: ListedSubresource): JsonObject {
  const hasOtherVersion = kind.group !== type.group || kind.version !== type.version;
  return objectOf({
    name: `${type.plural}/${name}`,
    singularName: "",
    namespaced: type.namespaced,
    group: hasOtherVersion ? kind.group : undefined,
    version: hasOtherVersion ? kind.version : undefined,
    kind: kind.kind,
    verbs: [...verbs],
  });
}

export function aggregatedList(items: readonly JsonObject[]): JsonObject {
  return objectOf({
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: objectOf({}),
    items: [...items],
  });
}

export function aggregatedGroup({ name, versions }: Group): JsonObject {
  const metadata = objectOf({ name: name === "" ? undefined : name });
  const all = versions.map(
    ({ version, types, document }) =>
      document ?? objectOf({ version, resources: types.map(aggregatedResource), freshness: "Current" }),
  );
  return objectOf({ metadata, versions: all });
}

export function aggregatedResource(type: ResourceKind): JsonObject {
  const subresources = listedSubresources(type).map(({ name, kind, verbs }) =>
    objectOf({ subresource: name, responseKind: kindJson(kind, type), verbs: [...verbs] }),
  );
  return objectOf({
    resource: type.plural,
    responseKind: kindJson(type, type),
    scope: type.namespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: [...(type.shownVerbs ?? type.verbs)],
    shortNames: listOrNothing(type.shortNames),
    categories: listOrNothing(type.categories),
    subresources: subresources.length === 0 ? undefined : subresources,
  });
}

/** Built-in resources leave out the group and version where they are their own. */
function kindJson({ group, version, kind }: GroupVersionKind, type: ResourceKind): JsonObject {
  const isOwn = !type.isCustom && group === type.group && version === type.version;
  return objectOf(isOwn ? { group: "", version: "", kind } : { group, version, kind });
}

function listOrNothing(names: readonly string[]): string[] | undefined {
  return names.length === 0 ? undefined : [...names];
}
