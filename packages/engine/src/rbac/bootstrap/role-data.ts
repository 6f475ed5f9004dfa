/**
 * How the bootstrap roles are written, and which of their rules a server has.
 *
 * A rule is `verbs|groups|resources`, with `|names` where it is about named objects, or `verbs|paths` for paths that are
 * not resources; the core group is `core`. A rule can begin with a condition in brackets.
 */

import { isEnabled } from "../../value/gates.ts";
import type { JsonObject } from "../../value/json.ts";
import { objectOf } from "../../value/metadata.ts";
import { currentMinor } from "../../value/server-version.ts";

export interface RoleData {
  readonly name: string;
  /** Absent for a ClusterRole. */
  readonly namespace?: string;
  /** The condition of the whole role. */
  readonly when?: string;
  /** The role that gathers this one. */
  readonly feeds?: string;
  /** The name under which this role gathers others. */
  readonly gathers?: string;
  readonly rules: readonly string[];
}

/** Whether this server has what is written, and the text without the condition. */
export function readConditional(text: string): string | undefined {
  const [, condition, rest = text] = /^\[([^\]]+)\] (.*)$/.exec(text) ?? [];
  return condition === undefined || applies(condition) ? rest : undefined;
}

/** All of the parts: `34-`, `-33` and `32-35` are minor versions, others are feature gates, with `!` those that are off. */
export function applies(condition: string): boolean {
  return condition.split(" ").every((part) => {
    const [, first, last] = /^(\d*)-(\d*)$/.exec(part) ?? [];
    if (first !== undefined) return Number(first) <= currentMinor() && currentMinor() <= Number(last || "99");
    return part.startsWith("!") ? !isEnabled(part.slice(1)) : isEnabled(part);
  });
}

export function ruleFrom(text: string): JsonObject {
  const [verbs = "", groups = "", resources, names] = text.split("|");
  if (resources === undefined) return objectOf({ nonResourceURLs: groups.split(" "), verbs: verbs.split(" ") });
  return objectOf({
    apiGroups: groups.split(" ").map((group) => (group === "core" ? "" : group)),
    ...(names === undefined ? {} : { resourceNames: names.split(" ") }),
    resources: resources.split(" "),
    verbs: verbs.split(" "),
  });
}
