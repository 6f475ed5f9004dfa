/** A resized pod fits on its node. Follows plugin/pkg/admission/podresize, which Kubernetes has since 1.36. */
import { quote } from "@portcullis/gostd/quote";
import { type Amounts, amountsOf, podResources } from "../../builtin/limits/pod-resources.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { StatusError } from "../../status/error.ts";
import type { JsonObject } from "../../value/json.ts";
import { labelsOf, metaOf } from "../../value/metadata.ts";
import { compareQuantities, quantityAt } from "../../value/quantity.ts";
import { objectOf, textOf } from "../../value/read.ts";
import { refusal } from "../refusal.ts";

export const podResizeValidator: AdmissionPlugin = {
  name: "PodResizeValidator",
  validate: async (request) => {
    const { endpoint, operation, object, old } = request;
    const isPod = endpoint.type.group === "" && endpoint.type.plural === "pods";
    if (!isPod || endpoint.subresource?.name !== "resize" || operation !== "UPDATE") return;
    if (object === undefined || old === undefined || metaOf(object)["generation"] === metaOf(old)["generation"]) return;
    const name = textOf(objectOf(object["spec"])["nodeName"]);
    if (name !== "") checkNode(request, object, await nodeOf(request, name));
  },
};

async function nodeOf(request: AdmissionRequest, name: string): Promise<JsonObject> {
  const kind = request.cluster.kinds.find("", "v1", "nodes");
  const found = kind === undefined ? undefined : await request.cluster.get(kind, "", name);
  if (found === undefined) throw refusal(request, `node ${quote(name)} not found`);
  return found;
}

function checkNode(request: AdmissionRequest, pod: JsonObject, node: JsonObject): void {
  const system = labelsOf(node)["kubernetes.io/os"] ?? "linux";
  if (system !== "linux") {
    const shown = `node ${quote(textOf(metaOf(node)["name"]))} is ${quote(system)}`;
    throw withCause(refusal(request, `pod resize is only supported on linux nodes, ${shown}`), "UnsupportedPlatform");
  }
  const allocatable = amountsOf(objectOf(objectOf(node["status"])["allocatable"]));
  const requests = podResources(objectOf(pod["spec"])).requests;
  const problems = [tooMuch("cpu", requests, allocatable, -3), tooMuch("memory", requests, allocatable, 0)];
  const text = problems.filter((problem) => problem !== undefined).join("; ");
  if (text === "") return;
  throw withCause(refusal(request, `node didn't have enough allocatable resources: ${text}`), "NodeCapacity");
}

/** `unit` is the power of ten in which the amounts are shown. */
function tooMuch(name: string, requests: Amounts, allocatable: Amounts, unit: number): string | undefined {
  const [wanted, there] = [requests.get(name), allocatable.get(name)];
  if (wanted === undefined || (there !== undefined && compareQuantities(wanted, there) <= 0)) return undefined;
  const available = there === undefined ? 0n : quantityAt(there, unit);
  return `${name}, requested: ${quantityAt(wanted, unit)}, allocatable: ${available}`;
}

function withCause({ code, reason, message, details }: StatusError, type: string): StatusError {
  const causes = [{ type, message: "", field: "" }];
  return new StatusError({ code, reason, message, details: { ...details, causes } });
}
