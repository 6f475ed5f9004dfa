/** Pods get the topology labels of their node. Follows plugin/pkg/admission/podtopologylabels. */
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import type { JsonObject } from "../../value/json.ts";
import { labelsOf, metaOf, objectOf, withMeta } from "../../value/metadata.ts";
import { objectOf as memberObject, textOf } from "../../value/read.ts";

const LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

export const podTopologyLabels: AdmissionPlugin = {
  name: "PodTopologyLabels",
  mutate: async (request) => {
    const { endpoint, operation, object } = request;
    const isPod = endpoint.type.group === "" && endpoint.type.plural === "pods";
    if (object === undefined || !isPod || operation !== "CREATE") return object;
    const node = nodeOf(object, endpoint.subresource?.name);
    const labels = node === "" ? {} : await topologyOf(request, node);
    if (Object.keys(labels).length === 0) return object;
    return withMeta(object, { labels: objectOf({ ...memberObject(metaOf(object)["labels"]), ...labels }) });
  },
};

/** The node of a pod, or of a binding; "" if there is none. */
function nodeOf(object: JsonObject, subresource: string | undefined): string {
  if (subresource === undefined) return textOf(memberObject(object["spec"])["nodeName"]);
  const target = memberObject(object["target"]);
  return subresource === "binding" && target["kind"] === "Node" ? textOf(target["name"]) : "";
}

async function topologyOf({ cluster }: AdmissionRequest, name: string): Promise<Record<string, string>> {
  const kind = cluster.kinds.find("", "v1", "nodes");
  const node = kind === undefined ? undefined : await cluster.get(kind, "", name);
  const all = node === undefined ? {} : labelsOf(node);
  return Object.fromEntries(Object.entries(all).filter(([key]) => LABELS.includes(key)));
}
