/**
 * What pods get from the classes they name: a priority, and what their runtime costs and where it runs.
 *
 * Follows the admission plugins Priority and RuntimeClass.
 */
import { forbidden } from "@portcullis/engine/status/error";
import { deepEqual } from "@portcullis/engine/value/equal";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import type { AdmissionPlugin, AdmissionRequest } from "./context.ts";
import * as messages from "./messages.ts";
import { metaText } from "./meta.ts";
import { decodeEntry, keyOf, prefixOf } from "./object-codec.ts";
import { groupResourceOf } from "./resource-type.ts";

export const priorityAdmission: AdmissionPlugin = {
  name: "Priority",
  mutate: async (request) => {
    const { object } = request;
    if (object === undefined || !isNewPod(request)) return object;
    return withSpec(object, await withPriority(specOf(object), request));
  },
  validate: async (request) => {
    const { endpoint, operation, object } = request;
    const { type, subresource } = endpoint;
    const isClass = type.group === "scheduling.k8s.io" && type.plural === "priorityclasses";
    if (!isClass || subresource !== undefined || object?.["globalDefault"] !== true) return;
    const current = await defaultClass(request);
    if (current === undefined) return;
    const name = metaText(current, "name");
    if (operation === "CREATE" || name !== metaText(object, "name")) {
      throw refusal(request, messages.secondDefaultPriority(name));
    }
  },
};

function isNewPod({ endpoint: { type, subresource }, operation }: AdmissionRequest): boolean {
  return type.group === "" && type.plural === "pods" && subresource === undefined && operation === "CREATE";
}

function specOf(pod: JsonObject): JsonObject {
  return isObject(pod["spec"]) ? pod["spec"] : newObject();
}

function withSpec(pod: JsonObject, spec: JsonObject): JsonObject {
  return withMember(pod, "spec", spec);
}

async function withPriority(spec: JsonObject, request: AdmissionRequest): Promise<JsonObject> {
  const name = spec["priorityClassName"];
  const isNamed = typeof name === "string" && name !== "";
  const found = isNamed ? await classNamed(request, PRIORITY, name) : await defaultClass(request);
  if (isNamed && found === undefined) throw refusal(request, messages.noPriorityClass(name));
  const value = found === undefined ? 0 : (found["value"] ?? 0);
  const policy = found === undefined ? "PreemptLowerPriority" : found["preemptionPolicy"];
  const [own, ownPolicy] = [spec["priority"], spec["preemptionPolicy"]];
  if (own !== undefined && own !== value) {
    throw refusal(request, messages.otherPriority(String(own), String(value)));
  }
  if (policy !== undefined && ownPolicy !== undefined && ownPolicy !== policy) {
    throw refusal(request, messages.otherPreemption(String(ownPolicy), String(policy)));
  }
  const named = found === undefined ? spec : withMember(spec, "priorityClassName", metaText(found, "name"));
  const prioritized = withMember(named, "priority", value);
  return policy === undefined ? prioritized : withMember(prioritized, "preemptionPolicy", policy);
}

/** Of several the one that counts least. */
async function defaultClass(request: AdmissionRequest): Promise<JsonObject | undefined> {
  const { server } = request;
  const type = server.registry.find(...PRIORITY);
  if (type === undefined) return undefined;
  const { entries } = await server.store.list(prefixOf(type, ""));
  const defaults = entries.map((entry) => decodeEntry(entry, type)).filter((each) => each["globalDefault"] === true);
  return defaults.sort((a, b) => Number(a["value"] ?? 0) - Number(b["value"] ?? 0))[0];
}

const PRIORITY = ["scheduling.k8s.io", "v1", "priorityclasses"] as const;
const RUNTIME = ["node.k8s.io", "v1", "runtimeclasses"] as const;

async function classNamed(
  { server }: AdmissionRequest,
  resource: readonly [group: string, version: string, plural: string],
  name: string,
): Promise<JsonObject | undefined> {
  const type = server.registry.find(...resource);
  const entry = type === undefined || name.includes("/") ? undefined : await server.store.get(keyOf(type, "", name));
  return type === undefined || entry === undefined ? undefined : decodeEntry(entry, type);
}

export const runtimeClassAdmission: AdmissionPlugin = {
  name: "RuntimeClass",
  mutate: async (request) => {
    const { object } = request;
    if (object === undefined || !isNewPod(request)) return object;
    const found = await runtimeOf(request, object);
    if (found === undefined) return object;
    return withSpec(object, withScheduling(withOverhead(specOf(object), found, request), found, request));
  },
  validate: async (request) => {
    const { object } = request;
    if (object === undefined || !isNewPod(request)) return;
    const overhead = specOf(object)["overhead"];
    const wanted = overheadOf(await runtimeOf(request, object));
    if (wanted === undefined && overhead !== undefined) throw refusal(request, messages.overheadWithoutClass());
    if (wanted !== undefined && !deepEqual(wanted, overhead ?? null)) throw refusal(request, messages.otherOverhead());
  },
};

async function runtimeOf(request: AdmissionRequest, pod: JsonObject): Promise<JsonObject | undefined> {
  const name = specOf(pod)["runtimeClassName"];
  if (typeof name !== "string") return undefined;
  const found = await classNamed(request, RUNTIME, name);
  if (found === undefined) throw refusal(request, messages.noRuntimeClass(name));
  return found;
}

function overheadOf(runtimeClass: JsonObject | undefined): JsonValue | undefined {
  const overhead = runtimeClass?.["overhead"];
  return isObject(overhead) ? (overhead["podFixed"] ?? newObject()) : undefined;
}

function withOverhead(spec: JsonObject, runtimeClass: JsonObject, request: AdmissionRequest): JsonObject {
  const [own, wanted] = [spec["overhead"], overheadOf(runtimeClass)];
  if (wanted === undefined) return spec;
  const isOther = isObject(own) && Object.keys(own).length > 0 && !deepEqual(own, wanted);
  if (isOther) throw refusal(request, messages.otherOverhead());
  return withMember(spec, "overhead", wanted);
}

function withScheduling(spec: JsonObject, runtimeClass: JsonObject, request: AdmissionRequest): JsonObject {
  const scheduling = runtimeClass["scheduling"];
  if (!isObject(scheduling)) return spec;
  const { nodeSelector, tolerations } = scheduling;
  const own = isObject(spec["nodeSelector"]) ? spec["nodeSelector"] : newObject();
  let selector = own;
  for (const [key, value] of Object.entries(isObject(nodeSelector) ? nodeSelector : {})) {
    if (own[key] !== undefined && own[key] !== value) {
      throw refusal(request, messages.nodeSelectorConflict(key, String(value), String(own[key])));
    }
    selector = withMember(selector, key, value);
  }
  const placed = Object.keys(selector).length === 0 ? spec : withMember(spec, "nodeSelector", selector);
  return isArray(tolerations) ? withMember(placed, "tolerations", merged(spec["tolerations"], tolerations)) : placed;
}

function merged(own: JsonValue | undefined, more: readonly JsonValue[]): JsonValue[] {
  const first = isArray(own) ? own : [];
  return [...first, ...more.filter((each) => !first.some((other) => deepEqual(each, other)))];
}

function refusal({ endpoint, name, object }: AdmissionRequest, cause: string): Error {
  const known = name === "" && object !== undefined ? metaText(object, "generateName") : name;
  return forbidden(groupResourceOf(endpoint.type), known, cause);
}
