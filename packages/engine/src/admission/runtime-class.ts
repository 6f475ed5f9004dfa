/** What pods get from the class of their runtime: what it costs, and where it runs. Follows the RuntimeClass plugin. */

import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import { groupResourceOf } from "../review/kind.ts";
import * as messages from "../review/messages.ts";
import { forbidden } from "../status/error.ts";
import { deepEqual, semanticEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newEmptyMap, newObject } from "../value/json.ts";
import { metaText } from "../value/metadata.ts";
import { copyObject, withMember } from "../value/rewrite.ts";
import { canonicalJson } from "../value/text.ts";

function isNewPod({ endpoint: { type, subresource }, operation }: AdmissionRequest): boolean {
  return type.group === "" && type.plural === "pods" && subresource === undefined && operation === "CREATE";
}

function specOf(pod: JsonObject): JsonObject {
  return isObject(pod["spec"]) ? pod["spec"] : newObject();
}

function withSpec(pod: JsonObject, spec: JsonObject): JsonObject {
  return withMember(pod, "spec", spec);
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
    if (wanted !== undefined && !semanticEqual(wanted, overhead)) throw refusal(request, messages.otherOverhead());
  },
};

async function runtimeOf(request: AdmissionRequest, pod: JsonObject): Promise<JsonObject | undefined> {
  const name = specOf(pod)["runtimeClassName"];
  if (typeof name !== "string") return undefined;
  const kind = request.cluster.kinds.find("node.k8s.io", "v1", "runtimeclasses");
  if (kind === undefined) return undefined;
  const found = name.includes("/") ? undefined : await request.cluster.get(kind, "", name);
  if (found === undefined) throw refusal(request, messages.noRuntimeClass(name));
  return found;
}

function overheadOf(runtimeClass: JsonObject | undefined): JsonValue | undefined {
  const overhead = runtimeClass?.["overhead"];
  return isObject(overhead) ? (overhead["podFixed"] ?? newEmptyMap()) : undefined;
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
  const selector = copyObject(own);
  for (const [key, value] of Object.entries(isObject(nodeSelector) ? nodeSelector : {})) {
    if (own[key] !== undefined && own[key] !== value) {
      throw refusal(request, messages.nodeSelectorConflict(key, String(value), String(own[key])));
    }
    selector[key] = value;
  }
  const placed = Object.keys(selector).length === 0 ? spec : withMember(spec, "nodeSelector", selector);
  return isArray(tolerations) ? withMember(placed, "tolerations", merged(spec["tolerations"], tolerations)) : placed;
}

function merged(own: JsonValue | undefined, more: readonly JsonValue[]): JsonValue[] {
  const first = isArray(own) ? own : [];
  const known = new Set(first.map((each) => canonicalJson(each)));
  return [...first, ...more.filter((each) => !known.has(canonicalJson(each)))];
}

function refusal({ endpoint, name, object }: AdmissionRequest, cause: string): Error {
  const known = name === "" && object !== undefined ? metaText(object, "generateName") : name;
  return forbidden(groupResourceOf(endpoint.type), known, cause);
}
