/** Groups and their versions, in the order in which clients should prefer them. */

import { resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { compareVersions } from "@portcullis/engine/internal/crd/version-order";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { Registry } from "../registry/registry.ts";

export interface Group {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
}

export interface GroupVersion {
  readonly version: string;
  readonly types: readonly ResourceKind[];
  /** The version in aggregated discovery, where an extension API server serves it. */
  readonly document?: JsonObject;
}

/** Without the core group: built-in groups in upstream's order, then those of custom resources by name. */
export function groupsOf(registry: Registry): Group[] {
  const names = registry.groups().filter((name) => name !== "");
  const builtIn = names.filter((name) => registry.isBuiltIn(name)).sort((a, b) => rankOf(a) - rankOf(b));
  const custom = names.filter((name) => !registry.isBuiltIn(name)).sort();
  return [...builtIn, ...custom].map((name) => groupOf(registry, name));
}

let ranks: ReadonlyMap<string, number> | undefined;

/** Groups that upstream does not have come last. */
function rankOf(group: string): number {
  ranks ??= new Map([...new Set(resourceInfos().map((info) => info.group))].map((name, index) => [name, index]));
  return ranks.get(group) ?? ranks.size;
}

/** In a built-in group, versions of CRDs come first: upstream gives them a higher priority. */
function placeOf(registry: Registry, group: string, version: string): number {
  return registry.isBuiltInVersion(group, version) ? 1 : 0;
}

export function groupOf(registry: Registry, name: string): Group {
  const byVersion = new Map<string, ResourceKind[]>();
  for (const type of registry.ofGroup(name)) {
    const types = byVersion.get(type.version);
    if (types === undefined) byVersion.set(type.version, [type]);
    else types.push(type);
  }
  const versions = [...byVersion].sort(
    ([a], [b]) => placeOf(registry, name, a) - placeOf(registry, name, b) || compareVersions(a, b),
  );
  return {
    name,
    versions: versions.map(([version, types]) => ({
      version,
      types: types.sort((a, b) => (a.plural < b.plural ? -1 : 1)),
    })),
  };
}
