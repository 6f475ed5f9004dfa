/**
 * Limit ranges of a namespace are put to its new pods and claims. Follows the LimitRanger admission plugin; ranges are taken
 * by name.
 */
import { applyLimitDefaults, claimLimitProblems, podLimitProblems } from "../builtin/limits/limit-range.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import type { JsonObject } from "../value/json.ts";
import { metaText } from "../value/metadata.ts";
import { watchWork } from "../value/watch-work.ts";
import { refusal } from "./refusal.ts";

/** What is checked in objects of a kind. */
const CHECKS: Readonly<Record<string, (object: JsonObject, range: JsonObject) => string[]>> = {
  pods: podLimitProblems,
  persistentvolumeclaims: claimLimitProblems,
};

export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  mutate: async (request) => {
    const { object, endpoint } = request;
    if (object === undefined || !isChecked(request) || endpoint.type.plural !== "pods") return object;
    const ranges = await rangesOf(request);
    return watchWork(request, () => ranges.reduce(applyLimitDefaults, object));
  },
  validate: async (request) => {
    const { object, endpoint } = request;
    const check = CHECKS[endpoint.type.plural];
    if (object === undefined || check === undefined || !isChecked(request)) return;
    for (const range of await rangesOf(request)) {
      const problems = [...new Set(watchWork(request, () => check(object, range)))];
      if (problems.length > 0) throw refusal(request, joined(problems));
    }
  },
};

/** Resources of a pod do not change, and objects in deletion are left alone. */
function isChecked({ endpoint: { type, subresource }, operation, old }: AdmissionRequest): boolean {
  if (type.group !== "" || CHECKS[type.plural] === undefined || subresource !== undefined) return false;
  if (operation === "CREATE") return true;
  const isInDeletion = old !== undefined && metaText(old, "deletionTimestamp") !== "";
  return operation === "UPDATE" && type.plural !== "pods" && !isInDeletion;
}

async function rangesOf({ cluster, namespace }: AdmissionRequest): Promise<readonly JsonObject[]> {
  const kind = cluster.kinds.find("", "v1", "limitranges");
  return kind === undefined ? [] : cluster.list(kind, namespace);
}

/** Several problems are in brackets, as Go joins errors. */
function joined(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`;
}
