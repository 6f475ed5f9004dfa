/** The target of a connection, and why it cannot be reached. */
import { badRequest, bareError, notFound, StatusError } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import type { Call } from "../endpoints/call.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import * as messages from "./messages.ts";

/** Throws the error that a cluster returns. */
export async function refuseConnection(call: Call, options: JsonObject): Promise<never> {
  switch (options["kind"]) {
    case "ServiceProxyOptions":
      return refuseService(call);
    case "NodeProxyOptions":
      return refuseNode(call, splitName(call.info.name).name, "nodes");
    case "PodProxyOptions":
      return refuseAddress(await podOf(call, splitName(call.info.name).name));
    default:
      return refuseStream(call, options);
  }
}

/** `scheme:name:port`, `name:port` or `name`. */
function splitName(text: string): { readonly name: string; readonly port: string } {
  const parts = text.split(":");
  if (parts.length === 3) return { name: parts[1] ?? "", port: parts[2] ?? "" };
  return { name: parts[0] ?? "", port: parts[1] ?? "" };
}

async function find(call: Call, plural: string, namespace: string, name: string): Promise<JsonObject> {
  const { store, registry } = call.server;
  const type = registry.find("", "v1", plural);
  const entry = type && (await store.get(keyOf(type, namespace, name)));
  if (type === undefined || entry === undefined) throw notFound({ group: "", resource: plural }, name);
  return decodeEntry(entry, type);
}

function podOf(call: Call, name: string): Promise<JsonObject> {
  return find(call, "pods", call.info.namespace, name);
}

async function refuseStream(call: Call, options: JsonObject): Promise<never> {
  const pod = await podOf(call, call.info.name);
  if (options["kind"] !== "PodPortForwardOptions") checkContainer(pod, textOf(options["container"]));
  const node = textOf(objectOf(pod["spec"])["nodeName"]);
  if (node === "") throw badRequest(messages.noHost(metaText(pod, "name")));
  return refuseNode(call, node, "pods");
}

/** The node that would have the logs of a pod; "" if there is none. */
export async function findLogNode(call: Call, container: string): Promise<string> {
  const pod = await podOf(call, call.info.name);
  checkContainer(pod, container);
  return textOf(objectOf(pod["spec"])["nodeName"]);
}

const DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

function checkContainer(pod: JsonObject, container: string): void {
  const spec = objectOf(pod["spec"]);
  const namesOf = (list: string): string[] => objectsOf(spec[list]).map(({ name }) => textOf(name));
  const all = [...namesOf("initContainers"), ...namesOf("containers"), ...namesOf("ephemeralContainers")];
  const annotations = objectOf(objectOf(pod["metadata"])["annotations"]);
  const isClear = namesOf("containers").length === 1 || all.includes(textOf(annotations[DEFAULT_CONTAINER]));
  if (container === "" && !isClear) throw badRequest(messages.containerNeeded(metaText(pod, "name"), all));
  if (container !== "" && !all.includes(container)) {
    throw badRequest(messages.containerUnknown(container, metaText(pod, "name")));
  }
}

/** The error for a missing node names the requested resource. */
export async function refuseNode(call: Call, name: string, resource: "nodes" | "pods"): Promise<never> {
  const node = await find(call, "nodes", "", name).catch((error: unknown) => {
    throw error instanceof StatusError && error.code === 404 ? notFound({ group: "", resource }, name) : error;
  });
  const [address] = objectsOf(objectOf(node["status"])["addresses"]);
  throw bareError(
    address === undefined ? messages.noAddress([]) : messages.notReached(`${textOf(address["address"])}:10250`),
  );
}

function refuseAddress(pod: JsonObject): never {
  const ip = textOf(objectOf(pod["status"])["podIP"]);
  if (ip === "") throw badRequest(messages.addressNotAllowed());
  throw unavailable(messages.notReached(`${ip}:80`));
}

async function refuseService(call: Call): Promise<never> {
  const { name, port } = splitName(call.info.name);
  const isNumber = /^[+-]?\d+$/.test(port);
  const service = isNumber ? await find(call, "services", call.info.namespace, name) : undefined;
  const ports = objectsOf(objectOf(service?.["spec"])["ports"]);
  if (service !== undefined && !ports.some((each) => String(each["port"]) === port)) {
    throw unavailable(messages.noServicePort(port, name));
  }
  const endpoints = await find(call, "endpoints", call.info.namespace, name).catch(() => undefined);
  if (!isObject(endpoints)) throw notFound({ group: "", resource: "services" }, name);
  throw unavailable(messages.noEndpoints(name));
}

function unavailable(message: string): StatusError {
  return new StatusError({ code: 503, reason: "ServiceUnavailable", message });
}
