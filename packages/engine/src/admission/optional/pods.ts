/** Plugins about pods that are off unless they are enabled. */
import { isExtended } from "../../builtin/validate/quantities.ts";
import { checkLabelValue, checkQualifiedName } from "../../field/names.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { groupResourceOf } from "../../review/kind.ts";
import { namespaceKind } from "../../review/kinds/namespace.ts";
import { forbidden, internalError } from "../../status/error.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { metaOf, metaText, objectOf } from "../../value/metadata.ts";
import { labelsOf, objectOf as memberObject, objectsOf, textOf } from "../../value/read.ts";
import { withMember } from "../../value/rewrite.ts";

function podOf({ endpoint: { type, subresource }, object, operation }: AdmissionRequest): JsonObject | undefined {
  const isPod = type.group === "" && type.plural === "pods" && subresource === undefined;
  return isPod && (operation === "CREATE" || operation === "UPDATE") ? object : undefined;
}

/**
 * Pods tolerate the taints of nodes that are reserved for the resources they request. Follows
 * plugin/pkg/admission/extendedresourcetoleration.
 */
export const extendedResourceToleration: AdmissionPlugin = {
  name: "ExtendedResourceToleration",
  mutate: async (request) => {
    const pod = podOf(request);
    const spec = pod?.["spec"];
    if (pod === undefined || !isObject(spec)) return request.object;
    const containers = ["containers", "initContainers"].flatMap((key) => objectsOf(spec[key]));
    const names = containers.flatMap((each) => Object.keys(memberObject(memberObject(each["resources"])["requests"])));
    const wanted = [...new Set(names.filter(isExtended))].sort();
    if (wanted.length === 0) return pod;
    const tolerations = wanted.reduce(tolerate, objectsOf(spec["tolerations"]));
    return withMember(pod, "spec", withMember(spec, "tolerations", tolerations));
  },
};

/** Replaces a toleration of the same taint. */
function tolerate(tolerations: readonly JsonObject[], key: string): JsonObject[] {
  const added = objectOf({ key, operator: "Exists", effect: "NoSchedule" });
  const isSame = (each: JsonObject): boolean =>
    each["key"] === key &&
    each["effect"] === "NoSchedule" &&
    each["operator"] === "Exists" &&
    textOf(each["value"]) === "";
  if (!tolerations.some(isSame)) return [...tolerations, added];
  return tolerations.map((each) => (isSame(each) ? added : each));
}

const HOST_NAME = "kubernetes.io/hostname";

/** Pods may refuse to share a node, and nothing larger. Follows plugin/pkg/admission/antiaffinity. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: "LimitPodHardAntiAffinityTopology",
  validate: async (request) => {
    const pod = podOf(request);
    if (pod === undefined) return;
    const affinity = memberObject(memberObject(memberObject(pod["spec"])["affinity"])["podAntiAffinity"]);
    const terms = objectsOf(affinity["requiredDuringSchedulingIgnoredDuringExecution"]);
    const term = terms.find((each) => each["topologyKey"] !== HOST_NAME);
    if (term === undefined) return;
    const cause = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${textOf(term["topologyKey"])} but only key ${HOST_NAME} is allowed`;
    throw forbidden(groupResourceOf(request.endpoint.type), metaText(pod, "name"), cause);
  },
};

const ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector";
const DEFAULT_SELECTOR = "clusterDefaultNodeSelector";

/** By namespace, the labels that its pods may select; and the default selector. */
export type NodeSelectors = Readonly<Record<string, string>>;

/** Pods run on the nodes of their namespace. Follows plugin/pkg/admission/podnodeselector. */
export function podNodeSelector(selectors: NodeSelectors = {}): AdmissionPlugin {
  return {
    name: "PodNodeSelector",
    mutate: async (request) => {
      const pod = newPodOf(request);
      const spec = pod?.["spec"];
      if (pod === undefined || !isObject(spec)) return request.object;
      const ofNamespace = await namespaceSelector(request, selectors);
      const own = labelsOf(spec["nodeSelector"]);
      checkConflict(request, pod, ofNamespace, own);
      const merged = { ...ofNamespace, ...own };
      checkAllowed(request, pod, merged, selectors);
      if (Object.keys(merged).length === 0) return pod;
      return withMember(pod, "spec", withMember(spec, "nodeSelector", objectOf(merged)));
    },
    validate: async (request) => {
      const pod = newPodOf(request);
      if (pod === undefined) return;
      const own = labelsOf(memberObject(pod["spec"])["nodeSelector"]);
      checkConflict(request, pod, await namespaceSelector(request, selectors), own);
      checkAllowed(request, pod, own, selectors);
    },
  };
}

function newPodOf(request: AdmissionRequest): JsonObject | undefined {
  return request.operation === "CREATE" ? podOf(request) : undefined;
}

async function namespaceSelector({ cluster, namespace }: AdmissionRequest, selectors: NodeSelectors) {
  const found = await cluster.get(namespaceKind, "", namespace);
  if (found === undefined) throw internalError(`namespace ${namespace} does not exist`);
  const annotation = memberObject(metaOf(found)["annotations"])[ANNOTATION];
  return readSelector(typeof annotation === "string" ? annotation : (selectors[DEFAULT_SELECTOR] ?? ""));
}

function checkConflict(
  request: AdmissionRequest,
  pod: JsonObject,
  ofNamespace: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): void {
  const conflicts = Object.entries(own).some(([key, value]) => (ofNamespace[key] ?? value) !== value);
  if (conflicts) throw refuse(request, pod, "pod node label selector conflicts with its namespace node label selector");
}

function checkAllowed(
  request: AdmissionRequest,
  pod: JsonObject,
  own: Readonly<Record<string, string>>,
  selectors: NodeSelectors,
): void {
  const allowed = readSelector(selectors[request.namespace] ?? "");
  if (Object.keys(allowed).length === 0) return;
  const isAllowed = Object.entries(own).every(([key, value]) => allowed[key] === value);
  if (!isAllowed) throw refuse(request, pod, "pod node label selector labels conflict with its namespace whitelist");
}

function refuse({ endpoint }: AdmissionRequest, pod: JsonObject, cause: string) {
  return forbidden(groupResourceOf(endpoint.type), metaText(pod, "name"), cause);
}

/** `a=b,c=d`. */
function readSelector(text: string): Record<string, string> {
  const labels: Record<string, string> = Object.create(null);
  for (const pair of text === "" ? [] : text.split(",")) {
    const parts = pair.split("=");
    const [key = "", value = ""] = parts.map((part) => part.trim());
    if (parts.length !== 2) throw internalError(`invalid selector: [${parts.join(" ")}]`);
    const [problem] = [...checkQualifiedName(key), ...checkLabelValue(value)];
    if (problem !== undefined) throw internalError(problem);
    labels[key] = value;
  }
  return labels;
}
