/** Service: addresses and ports are allocated in `strategies/service.ts`. */
import { isArray, type JsonObject } from "../../../value/json.ts";
import { AGE, NAME, selectorText, spec, specText, status, text } from "../../columns/column.ts";
import { type Draft, fill, fillZero, inner } from "../../defaults/draft.ts";
import { numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { prepareService, prepareServiceUpdate } from "../../strategies/service.ts";
import { validateService } from "../../validate/networking/service.ts";
import { validateAddresses } from "../../validate/networking/service-addresses.ts";
import { validateServiceStatus, validateServiceUpdate } from "../../validate/networking/service-update.ts";
import { balancerWarnings, serviceWarnings } from "../../warnings/networking.ts";
import { defineKind, onEveryWrite } from "../kind.ts";
import { serviceName } from "../names.ts";

export const service = defineKind("v1", "Service", {
  defaults: { "v1.Service": fillService },
  checkName: serviceName,
  ownsStatus: true,
  prepareCreate: prepareService,
  prepareUpdate: prepareServiceUpdate,
  validateFirst: validateAddresses,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateServiceStatus,
  warnings: { ...onEveryWrite(serviceWarnings), statusUpdate: balancerWarnings },
  columns: [
    NAME,
    specText("Type", "type"),
    specText("Cluster-IP", "clusterIP", "<none>"),
    text("External-IP", externalIp),
    text("Port(s)", portText),
    AGE,
    text("Selector", (object) => selectorText(spec(object)["selector"]), 1),
  ],
  selectableFields: { fields: ["spec.clusterIP", "spec.type"] },
  createOnUpdate: true,
  returnsDeletedObject: true,
  storagePrefix: "services/specs",
});

const AFFINITY_SECONDS = 10_800;

function fillService(draft: Draft): void {
  const serviceSpec = inner(draft, "spec");
  fillAffinity(serviceSpec);
  fillZero(serviceSpec, "type", "ClusterIP");
  for (const port of objectsOf(serviceSpec, "ports")) {
    fillZero(port, "protocol", "TCP");
    fillZero(port, "targetPort", numberOf(port, "port"));
  }
  fillTrafficPolicies(serviceSpec);
  if (serviceSpec["type"] === "LoadBalancer") fillBalancer(draft, serviceSpec);
}

function fillAffinity(serviceSpec: Draft): void {
  fillZero(serviceSpec, "sessionAffinity", "None");
  if (serviceSpec["sessionAffinity"] === "None") delete serviceSpec["sessionAffinityConfig"];
  if (serviceSpec["sessionAffinity"] === "ClientIP") {
    fill(inner(inner(serviceSpec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds", AFFINITY_SECONDS);
  }
}

function fillTrafficPolicies(serviceSpec: Draft): void {
  const { type } = serviceSpec;
  if (isExternallyAccessible(serviceSpec)) fillZero(serviceSpec, "externalTrafficPolicy", "Cluster");
  if (type === "NodePort" || type === "LoadBalancer" || type === "ClusterIP") {
    fill(serviceSpec, "internalTrafficPolicy", "Cluster");
  }
}

function isExternallyAccessible({ type, externalIPs }: Draft): boolean {
  const hasExternalIps = isArray(externalIPs) && externalIPs.length > 0;
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && hasExternalIps);
}

function fillBalancer(draft: Draft, serviceSpec: Draft): void {
  fill(serviceSpec, "allocateLoadBalancerNodePorts", true);
  for (const ingress of objectsOf(inner(inner(draft, "status"), "loadBalancer"), "ingress")) {
    if (textOf(ingress, "ip") !== "") fill(ingress, "ipMode", "VIP");
  }
}

function externalIp(object: JsonObject): string {
  const { type } = spec(object);
  if (type === "ExternalName") return textOf(spec(object), "externalName");
  const ingress = objectsOf(objectOf(status(object), "loadBalancer"), "ingress").map(
    (each) => textOf(each, "ip") || textOf(each, "hostname"),
  );
  const ips = [...(type === "LoadBalancer" ? ingress : []), ...textsOf(spec(object), "externalIPs")];
  if (ips.length > 0) return ips.join(",");
  return type === "LoadBalancer" ? "<pending>" : "<none>";
}

function portText(object: JsonObject): string {
  const ports = objectsOf(spec(object), "ports").map((port) => {
    const nodePort = numberOf(port, "nodePort");
    return `${numberOf(port, "port")}${nodePort > 0 ? `:${nodePort}` : ""}/${textOf(port, "protocol")}`;
  });
  return ports.join(",") || "<none>";
}
