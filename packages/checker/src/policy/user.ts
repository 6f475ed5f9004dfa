/** The user of a request, with the groups that every such user belongs to. */
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";

export function makeUser(
  name: string,
  groups: readonly string[],
  rest: Partial<Pick<UserInfo, "uid" | "extra">> = {},
): UserInfo {
  const implied = groups.length === 0 ? serviceAccountGroups(name) : [];
  const all = [...groups, ...implied, ...(name === "system:anonymous" ? [] : ["system:authenticated"])];
  return { name, uid: rest.uid ?? "", groups: [...new Set(all)], extra: rest.extra ?? new Map() };
}

function serviceAccountGroups(name: string): string[] {
  const [system, kind, namespace] = name.split(":");
  if (system !== "system" || kind !== "serviceaccount" || namespace === undefined) return [];
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}
