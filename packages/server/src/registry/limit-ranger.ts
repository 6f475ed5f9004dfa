/**
 * Limit ranges of a namespace are put to its new pods and claims. Follows the LimitRanger admission plugin; ranges are taken
 * by name.
 */
import { applyLimitDefaults, claimLimitProblems, podLimitProblems } from "@portcullis/engine/builtin/limit-range";
import { forbidden } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { AdmissionPlugin, AdmissionRequest } from "./context.ts";
import { metaText } from "./meta.ts";
import { decodeEntry, prefixOf } from "./object-codec.ts";
import { groupResourceOf } from "./resource-type.ts";

/** How objects of a kind are judged. */
const JUDGES: Readonly<Record<string, (object: JsonObject, range: JsonObject) => string[]>> = {
  pods: podLimitProblems,
  persistentvolumeclaims: claimLimitProblems,
};

export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  mutate: async (request) => {
    const { object, endpoint } = request;
    if (object === undefined || !isJudged(request) || endpoint.type.plural !== "pods") return object;
    return (await rangesOf(request)).reduce(applyLimitDefaults, object);
  },
  validate: async (request) => {
    const { object, endpoint } = request;
    const judge = JUDGES[endpoint.type.plural];
    if (object === undefined || judge === undefined || !isJudged(request)) return;
    for (const range of await rangesOf(request)) {
      const problems = [...new Set(judge(object, range))];
      if (problems.length > 0) throw refusal(request, problems);
    }
  },
};

/** Resources of a pod do not change, and objects in deletion are left alone. */
function isJudged({ endpoint: { type, subresource }, operation, old }: AdmissionRequest): boolean {
  if (type.group !== "" || JUDGES[type.plural] === undefined || subresource !== undefined) return false;
  if (operation === "CREATE") return true;
  const isInDeletion = old !== undefined && metaText(old, "deletionTimestamp") !== "";
  return operation === "UPDATE" && type.plural !== "pods" && !isInDeletion;
}

async function rangesOf({ server, namespace }: AdmissionRequest): Promise<JsonObject[]> {
  const type = server.registry.find("", "v1", "limitranges");
  if (type === undefined) return [];
  const { entries } = await server.store.list(prefixOf(type, namespace));
  return entries.map((entry) => decodeEntry(entry, type));
}

/** Several problems stand in brackets, as Go joins errors. */
function refusal({ endpoint, name, object }: AdmissionRequest, problems: readonly string[]): Error {
  const told = problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`;
  const known = name === "" && object !== undefined ? metaText(object, "generateName") : name;
  return forbidden(groupResourceOf(endpoint.type), known === "" ? "Unknown" : known, told);
}
