/** Small plugins of kube-apiserver that are off unless they are enabled. */
import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";
import { refusal } from "./refusal.ts";

/** Follows plugin/pkg/admission/deny. */
export const alwaysDeny: AdmissionPlugin = {
  name: "AlwaysDeny",
  mutate: async (request) => {
    throw refusal(request, DENIED);
  },
};

const DENIED = "admission control is denying all modifications";

/**
 * Every image is pulled for every pod, so that only those who may pull an image can use it. Follows
 * plugin/pkg/admission/alwayspullimages, where an update that keeps the images is left alone.
 */
export const alwaysPullImages: AdmissionPlugin = {
  name: "AlwaysPullImages",
  mutate: async (request) => {
    const { object } = request;
    if (object === undefined || !isPodWrite(request) || keepsImages(request)) return object;
    if (!isObject(object["spec"])) return object;
    return withMember(object, "spec", pullVolumes(CONTAINERS.reduce(pullAlways, object["spec"])));
  },
};

const CONTAINERS = ["containers", "initContainers", "ephemeralContainers"];

function isPodWrite({ endpoint: { type, subresource }, operation }: AdmissionRequest): boolean {
  const isPod = type.group === "" && type.plural === "pods";
  const isWrite = operation === "CREATE" || operation === "UPDATE";
  return isPod && isWrite && subresource === undefined;
}

function keepsImages({ object, old, operation }: AdmissionRequest): boolean {
  if (operation !== "UPDATE") return false;
  const before = new Set(imagesOf(old));
  return imagesOf(object).every((image) => before.has(image));
}

function imagesOf(pod: JsonObject | undefined): JsonValue[] {
  const spec = pod?.["spec"];
  if (!isObject(spec)) return [];
  return CONTAINERS.flatMap((key) => listOf(spec[key]).map((container) => container["image"] ?? ""));
}

function pullAlways(spec: JsonObject, key: string): JsonObject {
  if (!isArray(spec[key])) return spec;
  const containers = listOf(spec[key]).map((container) => withMember(container, "imagePullPolicy", "Always"));
  return withMember(spec, key, containers);
}

/** Volumes may be images too. */
function pullVolumes(spec: JsonObject): JsonObject {
  if (!isArray(spec["volumes"])) return spec;
  const volumes = listOf(spec["volumes"]).map((volume) => {
    const image = volume["image"];
    return isObject(image) ? withMember(volume, "image", withMember(image, "pullPolicy", "Always")) : volume;
  });
  return withMember(spec, "volumes", volumes);
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

/** Services get no new external addresses. Follows plugin/pkg/admission/denyserviceexternalips. */
export const denyServiceExternalIps: AdmissionPlugin = {
  name: "DenyServiceExternalIPs",
  validate: async (request) => {
    const { endpoint, operation, object, old } = request;
    const isService = endpoint.type.group === "" && endpoint.type.plural === "services";
    if (!isService || endpoint.subresource !== undefined || object === undefined) return;
    if (operation !== "CREATE" && operation !== "UPDATE") return;
    const before = new Set(externalIps(old));
    if (!externalIps(object).every((ip) => before.has(ip))) throw refusal(request, NO_EXTERNAL_IPS);
  },
};

const NO_EXTERNAL_IPS = "Use of external IPs is denied by admission control.";

function externalIps(service: JsonObject | undefined): JsonValue[] {
  const spec = service?.["spec"];
  return isObject(spec) && isArray(spec["externalIPs"]) ? [...spec["externalIPs"]] : [];
}
