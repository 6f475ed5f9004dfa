/**
 * Where a webhook that is named by a service listens.
 *
 * A cluster assigns addresses to services; this server cannot, so its operator configures where each service leads. A
 * stored service is resolved as upstream resolves it: to its external name, or to its cluster IP. Follows
 * ResolveCluster of apiserver pkg/util/proxy/proxy.go.
 */
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import type { Registry } from "../registry/registry.ts";
import type { Store } from "../storage/store.ts";
import { WebhookUnreachable } from "./call-webhook.ts";
import * as messages from "./messages.ts";

export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** `name.namespace`, or `name.namespace:port` for one of its ports, to where it leads. */
export type ServiceAddressBook = ReadonlyMap<string, Address>;

export type ResolveService = (service: ServiceReference) => Promise<Address>;

export function serviceResolver(store: Store, registry: Registry, book: ServiceAddressBook): ResolveService {
  return async (service) => {
    const { name, namespace, port } = service;
    const known = book.get(`${name}.${namespace}:${port}`) ?? book.get(`${name}.${namespace}`);
    if (known !== undefined) return known;
    const type = registry.find("", "v1", "services");
    const entry = type && (await store.get(keyOf(type, namespace, name)));
    if (type === undefined || entry === undefined) throw new WebhookUnreachable(messages.serviceNotFound(name));
    const spec = decodeEntry(entry, type)["spec"];
    return followService(isObject(spec) ? spec : undefined, service);
  };
}

function followService(spec: JsonObject | undefined, { name, port }: ServiceReference): Address {
  if (textOf(spec?.["type"]) === "ExternalName") return { host: textOf(spec?.["externalName"]), port };
  const host = textOf(spec?.["clusterIP"]);
  if (host === "None") throw new WebhookUnreachable(messages.headlessService());
  const ports = spec?.["ports"];
  const hasPort = isArray(ports) && ports.some((each) => isObject(each) && each["port"] === port);
  if (!hasPort) throw new WebhookUnreachable(messages.noServicePort(port, name));
  return { host, port };
}
