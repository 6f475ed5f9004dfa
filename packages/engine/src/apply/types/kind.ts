/** Group, version and kind as apimachinery reads and prints them. */
import type { JsonObject } from "../../value/json.ts";
import type { GroupVersion, GroupVersionKind } from "../../value/kind.ts";

export type { GroupVersion, GroupVersionKind } from "../../value/kind.ts";

/** Undefined if there is more than one slash. */
export function parseGroupVersion(text: string): GroupVersion | undefined {
  const parts = text.split("/");
  if (parts.length > 2) return undefined;
  const [group, version] = parts.length === 2 ? parts : ["", parts[0]];
  return { group: group ?? "", version: version ?? "" };
}

/** An apiVersion that cannot be read leaves everything empty, the kind too. */
export function kindOf(object: JsonObject): GroupVersionKind {
  const { apiVersion, kind } = object;
  const parsed = parseGroupVersion(typeof apiVersion === "string" ? apiVersion : "");
  if (parsed === undefined) return { group: "", version: "", kind: "" };
  return { ...parsed, kind: typeof kind === "string" ? kind : "" };
}

/** `apps/v1, Kind=Deployment`; the core group prints as nothing before the slash. */
export function formatKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}
