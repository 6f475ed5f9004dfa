/** Creates the objects that exist before the first request: the default namespaces, and the endpoints of the server. */

import { apiVersionOf } from "@portcullis/engine/internal/review/kind";
import { DEFAULT_NAMESPACES, namespaceKind, newNamespace } from "@portcullis/engine/internal/review/kinds/namespace";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { keyOf } from "../registry/object-codec.ts";
import { changeStored, createStored } from "../registry/stored.ts";

export interface BootstrapOptions {
  /** The target port. */
  readonly port: number;
  /** The address at which clients reach the server; if absent, the Service has no endpoints. */
  readonly address?: string | undefined;
}

export async function bootstrap(server: ServerContext, { address, port }: BootstrapOptions): Promise<void> {
  await Promise.all([
    ...DEFAULT_NAMESPACES.map((name) => createNamespace(server, name)),
    ...(address === undefined ? [] : createEndpoints(server, address, port)),
  ]);
}

/** Does nothing if there is one of that name. */
export async function createNamespace({ store, system }: ServerContext, name: string): Promise<void> {
  const namespace = newNamespace(name, system.uid(), system.now());
  await createStored(store, keyOf(namespaceKind, "", name), namespaceKind, namespace);
}

/** Updates both kinds of endpoints at every start, because the address may have changed. */
function createEndpoints(server: ServerContext, address: string, port: number): Promise<void>[] {
  const name = { name: "https", port, protocol: "TCP" };
  const endpoints = createOrUpdate(server, ["", "v1", "endpoints"], {
    labels: objectOf({ "endpointslice.kubernetes.io/skip-mirror": "true" }),
    body: {
      subsets: [objectOf({ addresses: [objectOf({ ip: address })], ports: [objectOf(name)] })],
    },
  });
  const slice = createOrUpdate(server, ["discovery.k8s.io", "v1", "endpointslices"], {
    labels: objectOf({ "kubernetes.io/service-name": "kubernetes" }),
    body: {
      addressType: address.includes(":") ? "IPv6" : "IPv4",
      endpoints: [objectOf({ addresses: [address], conditions: objectOf({ ready: true }) })],
      ports: [objectOf(name)],
    },
  });
  return [endpoints, slice];
}

interface Wanted {
  readonly labels: JsonObject;
  readonly body: Readonly<Record<string, JsonValue>>;
}

async function createOrUpdate(
  { store, system, registry }: ServerContext,
  [group, version, plural]: readonly [string, string, string],
  { labels, body }: Wanted,
): Promise<void> {
  const type = registry.find(group, version, plural);
  if (type === undefined) return;
  const key = keyOf(type, "default", "kubernetes");
  const identity = { name: "kubernetes", namespace: "default", uid: system.uid(), creationTimestamp: system.now() };
  const metadata = objectOf({ ...identity, labels });
  const object = objectOf({ apiVersion: apiVersionOf(type), kind: type.kind, metadata, ...body });
  await createStored(store, key, type, object);
  await changeStored(store, key, type, (found) => objectOf({ ...found, ...body }));
}
