/**
 * The priority of a pod comes from its class, or from the default one; there is one default at most. Follows the Priority
 * admission plugin.
 */
import { forbidden } from "@portcullis/engine/status/error";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import type { AdmissionPlugin, AdmissionRequest, ServerContext } from "./context.ts";
import * as messages from "./messages.ts";
import { metaText, objectOf, textOf } from "./meta.ts";
import { decodeEntry, keyOf } from "./object-codec.ts";
import { apiVersionOf, groupResourceOf, type ResourceType } from "./resource-type.ts";
import { createStored } from "./stored.ts";

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
    const found = await defaultClass(request.server);
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
  const { server } = request;
  const type = server.registry.find(GROUP, "v1", CLASSES);
  if (name === "" || type === undefined) return defaultClass(server);
  const entry = await server.store.get(keyOf(type, "", name));
  if (entry === undefined) throw refusal(request, messages.noPriorityClass(name));
  return decodeEntry(entry, type);
}

/** Of several, which only a race can make, the lowest. */
async function defaultClass({ store, registry }: ServerContext): Promise<JsonObject | undefined> {
  const type = registry.find(GROUP, "v1", CLASSES);
  if (type === undefined) return undefined;
  const { entries } = await store.list(type.storagePrefix);
  const defaults = entries.map((entry) => decodeEntry(entry, type)).filter((each) => each["globalDefault"] === true);
  return defaults.sort((a, b) => Number(a["value"] ?? 0) - Number(b["value"] ?? 0))[0];
}

/** In the validating step the name has been generated, before it only its beginning is known. */
function refusal({ endpoint, name, object }: AdmissionRequest, cause: string): Error {
  const known = name === "" && object !== undefined ? metaText(object, "generateName") : name;
  return forbidden(groupResourceOf(endpoint.type), known === "" ? "Unknown" : known, cause);
}

function specOf(pod: JsonObject): JsonObject {
  return isObject(pod["spec"]) ? pod["spec"] : newObject();
}

const SYSTEM: readonly (readonly [name: string, value: number, description: string])[] = [
  [
    "system-node-critical",
    2_000_001_000,
    "Used for system critical pods that must not be moved from their current node.",
  ],
  [
    "system-cluster-critical",
    2_000_000_000,
    "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  ],
];

/** The classes of a cluster's own pods. */
export async function createPriorityClasses(server: ServerContext): Promise<void> {
  const type = server.registry.find(GROUP, "v1", CLASSES);
  if (type === undefined) return;
  for (const [name, value, description] of SYSTEM) await createClass(server, type, { name, value, description });
}

async function createClass(
  { store, system }: ServerContext,
  type: ResourceType,
  { name, value, description }: { readonly name: string; readonly value: number; readonly description: string },
): Promise<void> {
  const metadata = objectOf({ name, uid: system.uid(), generation: 1, creationTimestamp: system.now() });
  const header = { apiVersion: apiVersionOf(type), kind: type.kind, metadata };
  const object = objectOf({ ...header, value, description, preemptionPolicy: PREEMPTING });
  await createStored(store, keyOf(type, "", name), type, object);
}
