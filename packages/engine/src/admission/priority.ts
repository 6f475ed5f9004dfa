/**
 * The priority of a pod comes from its class, or from the default one; there is one default at most. Follows the Priority
 * admission plugin.
 */

import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import * as messages from "../review/messages.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { metaText, objectOf, textOf } from "../value/metadata.ts";
import { withMember } from "../value/rewrite.ts";
import { refusal } from "./refusal.ts";

const GROUP = "scheduling.k8s.io";
const CLASSES = "priorityclasses";

export const priority: AdmissionPlugin = {
  name: "Priority",
  mutate: async (request) => {
    const { object, endpoint, operation } = request;
    const isPod = endpoint.type.group === "" && endpoint.type.plural === "pods" && endpoint.subresource === undefined;
    if (object === undefined || !isPod) return object;
    if (operation === "CREATE") return withPriority(request, object);
    return operation === "UPDATE" ? withOldPriority(object, request.old) : object;
  },
  validate: async (request) => {
    const { type, subresource } = request.endpoint;
    const { object } = request;
    if (type.group !== GROUP || type.plural !== CLASSES || subresource !== undefined) return;
    if (object === undefined || object["globalDefault"] !== true) return;
    const found = await defaultClass(request);
    const isOther = found !== undefined && (request.operation === "CREATE" || metaText(found, "name") !== request.name);
    if (isOther) throw refusal(request, messages.defaultClassExists(metaText(found, "name")));
  },
};

const PREEMPTING = "PreemptLowerPriority";

async function withPriority(request: AdmissionRequest, pod: JsonObject): Promise<JsonObject> {
  const spec = specOf(pod);
  const found = await classOf(request, textOf(spec["priorityClassName"]));
  const value = found === undefined ? 0 : (found["value"] ?? 0);
  const given = spec["priority"] ?? value;
  if (given !== value) throw refusal(request, messages.priorityGiven(String(given), String(value)));
  const policy = found === undefined ? PREEMPTING : textOf(found["preemptionPolicy"]);
  const wanted = spec["preemptionPolicy"] ?? policy;
  if (policy !== "" && wanted !== policy) throw refusal(request, messages.preemptionGiven(textOf(wanted), policy));
  const computed = {
    ...(found && { priorityClassName: metaText(found, "name") }),
    priority: value,
    ...(policy !== "" && { preemptionPolicy: policy }),
  };
  return withMember(pod, "spec", objectOf({ ...spec, ...computed }));
}

function withOldPriority(pod: JsonObject, old: JsonObject | undefined): JsonObject {
  const [spec, before] = [specOf(pod), specOf(old ?? newObject())];
  const missing = ["priority", "preemptionPolicy"].filter(
    (key) => spec[key] === undefined && before[key] !== undefined,
  );
  if (missing.length === 0) return pod;
  const kept = Object.fromEntries(missing.map((key) => [key, before[key]]));
  return withMember(pod, "spec", objectOf({ ...spec, ...kept }));
}

async function classOf(request: AdmissionRequest, name: string): Promise<JsonObject | undefined> {
  const { cluster } = request;
  const kind = cluster.kinds.find(GROUP, "v1", CLASSES);
  if (name === "" || kind === undefined) return defaultClass(request);
  const found = await cluster.get(kind, "", name);
  if (found === undefined) throw refusal(request, messages.noPriorityClass(name));
  return found;
}

/** Of several, which only a race can make, the lowest. */
async function defaultClass({ cluster }: AdmissionRequest): Promise<JsonObject | undefined> {
  const kind = cluster.kinds.find(GROUP, "v1", CLASSES);
  if (kind === undefined) return undefined;
  const defaults = (await cluster.list(kind, "")).filter((each) => each["globalDefault"] === true);
  return defaults.sort((a, b) => Number(a["value"] ?? 0) - Number(b["value"] ?? 0))[0];
}

function specOf(pod: JsonObject): JsonObject {
  return isObject(pod["spec"]) ? pod["spec"] : newObject();
}
