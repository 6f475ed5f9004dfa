/**
 * Groups that extension API servers serve, among those of this server.
 *
 * Follows kube-aggregator pkg/apis/apiregistration/v1/helper: groups by priority, then by name; versions by priority,
 * then as Kubernetes orders them.
 */
import { compareVersions } from "@portcullis/engine/internal/crd/version-order";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { Group, GroupVersion } from "./groups.ts";

/** A version of a group that an extension API server serves. */
export interface ExtensionVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** The version in aggregated discovery. */
  readonly document: JsonObject;
}

export interface ExtensionGroups {
  /** Grows with every change. */
  readonly generation: number;
  versions(): readonly ExtensionVersion[];
}

export const NO_EXTENSION_GROUPS: ExtensionGroups = { generation: 0, versions: () => [] };

/** The priorities with which upstream registers its own groups. */
const PRIORITIES: Readonly<Record<string, number>> = {
  "apiregistration.k8s.io": 20_001,
  apps: 17_800,
  "events.k8s.io": 17_750,
  "authentication.k8s.io": 17_700,
  "authorization.k8s.io": 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  "certificates.k8s.io": 17_300,
  "networking.k8s.io": 17_200,
  policy: 17_100,
  "rbac.authorization.k8s.io": 17_000,
  "storage.k8s.io": 16_800,
  "apiextensions.k8s.io": 16_700,
  "admissionregistration.k8s.io": 16_700,
  "scheduling.k8s.io": 16_600,
  "coordination.k8s.io": 16_500,
  "node.k8s.io": 16_300,
  "discovery.k8s.io": 16_200,
  "resource.k8s.io": 16_200,
  "flowcontrol.apiserver.k8s.io": 16_100,
  "internal.apiserver.k8s.io": 16_000,
};
const CUSTOM_GROUP = 1000;
const [CUSTOM_VERSION, BUILT_IN_VERSION] = [100, 15];

/** The groups of both. A version that an extension API server serves takes the place of one of this server. */
export function withExtensions(groups: readonly Group[], extensions: readonly ExtensionVersion[]): Group[] {
  const names = new Set(extensions.map(({ group }) => group));
  const merged = groups.map((group) => (names.has(group.name) ? mergeGroup(group, extensions) : group));
  for (const name of [...names].sort()) {
    if (groups.some((group) => group.name === name)) continue;
    const group = mergeGroup({ name, versions: [] }, extensions);
    const priority = priorityOf(name, extensions);
    const at = merged.findIndex((each) =>
      comesBefore([priority, name], [priorityOf(each.name, extensions), each.name]),
    );
    merged.splice(at === -1 ? merged.length : at, 0, group);
  }
  return merged;
}

/** The one group, with what extension API servers serve of it. */
export function mergeGroup({ name, versions }: Group, extensions: readonly ExtensionVersion[]): Group {
  const own = extensions.filter(({ group }) => group === name);
  const kept = versions.filter(({ version }) => !own.some((each) => each.version === version));
  const ranked = [
    ...kept.map((each) => [isCustom(each) ? CUSTOM_VERSION : BUILT_IN_VERSION, each] as const),
    ...own.map(
      ({ version, versionPriority, document }) => [versionPriority, { version, types: [], document }] as const,
    ),
  ];
  const sorted = ranked.sort(([a, one], [b, other]) => b - a || compareVersions(one.version, other.version));
  return { name, versions: sorted.map(([, version]) => version) };
}

function isCustom({ types }: GroupVersion): boolean {
  return types.every((type) => type.isCustom);
}

function priorityOf(name: string, extensions: readonly ExtensionVersion[]): number {
  const own = extensions.filter(({ group }) => group === name).map(({ groupPriority }) => groupPriority);
  return Math.max(PRIORITIES[name] ?? (own.length === 0 ? CUSTOM_GROUP : 0), ...own);
}

function comesBefore([a, one]: [number, string], [b, other]: [number, string]): boolean {
  return a === b ? one < other : a > b;
}
