/** What services count for: themselves, their node ports and load balancers. Follows evaluator/core/services.go. */

import type { Amounts } from "../builtin/limits/pod-resources.ts";
import { numberOf, objectOf, objectsOf, textOf } from "../builtin/object.ts";
import type { JsonObject } from "../value/json.ts";
import { countOf } from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";

const RESOURCES: ReadonlySet<string> = new Set([
  ...["count/services", "services", "services.nodeports", "services.loadbalancers"],
]);

export const serviceEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  matchingResources: (names) => names.filter((name) => RESOURCES.has(name)),
  usage: serviceUsage,
};

function serviceUsage(service: JsonObject): Amounts {
  const isBalanced = textOf(objectOf(service, "spec"), "type") === "LoadBalancer";
  return new Map([
    ["count/services", countOf(1)],
    ["services", countOf(1)],
    ["services.loadbalancers", countOf(isBalanced ? 1 : 0)],
    ["services.nodeports", countOf(nodePorts(service))],
  ]);
}

/** The ports are not allocated yet, so the type decides. */
function nodePorts(service: JsonObject): number {
  const spec = objectOf(service, "spec");
  const ports = objectsOf(spec, "ports");
  const type = textOf(spec, "type");
  if (type === "LoadBalancer" && spec?.["allocateLoadBalancerNodePorts"] === false) {
    return ports.filter((port) => numberOf(port, "nodePort") !== 0).length;
  }
  return type === "NodePort" || type === "LoadBalancer" ? ports.length : 0;
}
