/** Services, endpoints and ingresses. Follows pkg/api/service/warnings.go and the strategies. */
import { newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { has, metaOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { ipWarnings, serviceCidrWarnings, serviceIpWarnings } from "../validate/addresses.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";

export function serviceWarnings(service: JsonObject): string[] {
  const spec = objectOf(service, "spec") ?? {};
  const type = textOf(spec, "type");
  const isHeadless = type === "ClusterIP" && textOf(spec, "clusterIP") === "None";
  const [ips, balancer] = [textsOf(spec, "externalIPs"), textOf(spec, "loadBalancerIP")];
  const isOld = has(objectOf(metaOf(service), "annotations"), TOPOLOGY_HINTS);
  const hasIps = ips.length > 0;
  return [
    ...(isOld ? [messages.oldTopology(TOPOLOGY_HINTS, TOPOLOGY_MODE)] : []),
    ...(isHeadless ? [] : textsOf(spec, "clusterIPs")).flatMap((ip, index) =>
      serviceIpWarnings(ip, SPEC.child("clusterIPs").index(index)),
    ),
    ...(isHeadless && since("1.34") ? headlessWarnings(spec) : []),
    ...ips.flatMap((ip, index) => serviceIpWarnings(ip, SPEC.child("externalIPs").index(index))),
    ...(since("1.36") && hasIps && !isHeadless && type !== "ExternalName" ? [messages.externalIps()] : []),
    ...(balancer === "" ? [] : serviceIpWarnings(balancer, SPEC.child("loadBalancerIP"))),
    ...textsOf(spec, "loadBalancerSourceRanges").flatMap((range, index) =>
      serviceCidrWarnings(range, SPEC.child("loadBalancerSourceRanges").index(index)),
    ),
    ...(type === "ExternalName" && hasIps ? [messages.externalIpsIgnored()] : []),
    ...(type !== "ExternalName" && textOf(spec, "externalName") !== "" ? [messages.externalNameIgnored()] : []),
    ...(since("1.35") && textOf(spec, "trafficDistribution") === "PreferClose" ? [messages.preferClose()] : []),
  ];
}

function headlessWarnings(spec: JsonObject): string[] {
  return [
    ...(textOf(spec, "loadBalancerIP") === "" ? [] : [messages.ignoredHeadless("loadBalancerIP")]),
    ...(textsOf(spec, "externalIPs").length === 0 ? [] : [messages.ignoredHeadless("externalIPs")]),
    ...(textOf(spec, "sessionAffinity") === "None" ? [] : [messages.ignoredHeadless("SessionAffinity")]),
  ];
}

/** Of services and ingresses alike. */
export function balancerWarnings(object: JsonObject): string[] {
  const path = newPath("status", "loadBalancer", "ingress");
  return objectsOf(objectOf(objectOf(object, "status"), "loadBalancer"), "ingress").flatMap((ingress, index) => {
    const ip = textOf(ingress, "ip");
    return ip === "" ? [] : ipWarnings(ip, path.index(index));
  });
}

const MANAGED_BY = "endpoints.kubernetes.io/managed-by";

export function endpointsWarnings(endpoints: JsonObject): string[] {
  if (textOf(objectOf(metaOf(endpoints), "labels"), MANAGED_BY) === "endpoint-controller") return [];
  return objectsOf(endpoints, "subsets").flatMap((subset, index) =>
    ["addresses", "notReadyAddresses"].flatMap((key) =>
      objectsOf(subset, key).flatMap((address, place) =>
        ipWarnings(textOf(address, "ip"), newPath("subsets").index(index).child(key).index(place).child("ip")),
      ),
    ),
  );
}

const OWN_SLICES = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

export function sliceWarnings(slice: JsonObject): string[] {
  const manager = textOf(objectOf(metaOf(slice), "labels"), "endpointslice.kubernetes.io/managed-by");
  if (OWN_SLICES.includes(manager)) return [];
  return objectsOf(slice, "endpoints").flatMap((endpoint, index) =>
    textsOf(endpoint, "addresses").flatMap((address, place) =>
      ipWarnings(address, newPath("endpoints").index(index).child("addresses").index(place)),
    ),
  );
}

export function newSliceWarnings(slice: JsonObject): string[] {
  const isOld = textOf(slice, "addressType") === "FQDN";
  const old = isOld ? [messages.about(newPath("spec", "addressType"), messages.oldAddressType())] : [];
  return [...old, ...sliceWarnings(slice)];
}
