/** What is there before the first request: the default namespaces, and the Service that leads to the server itself. */
import type { ServerContext } from "./context.ts";
import { objectOf } from "./meta.ts";
import { DEFAULT_NAMESPACES, namespaceType, newNamespace } from "./namespace.ts";
import { keyOf } from "./object-codec.ts";
import { createStored } from "./stored.ts";

export async function bootstrap(server: ServerContext, port: number): Promise<void> {
  const { store, system } = server;
  for (const name of DEFAULT_NAMESPACES) {
    const namespace = newNamespace(name, system.uid(), system.now());
    await createStored(store, keyOf(namespaceType, "", name), namespaceType, namespace);
  }
  await createService(server, port);
}

/** The first address of the range that kube-apiserver takes for services where it is told nothing. */
const CLUSTER_IP = "10.0.0.1";

async function createService({ store, system, registry }: ServerContext, port: number): Promise<void> {
  const type = registry.find("", "v1", "services");
  if (type === undefined) return;
  const labels = objectOf({ component: "apiserver", provider: "kubernetes" });
  const identity = { name: "kubernetes", namespace: "default", uid: system.uid(), creationTimestamp: system.now() };
  const service = objectOf({
    apiVersion: "v1",
    kind: "Service",
    metadata: objectOf({ ...identity, labels }),
    spec: objectOf({
      type: "ClusterIP",
      clusterIP: CLUSTER_IP,
      clusterIPs: [CLUSTER_IP],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [objectOf({ name: "https", port: 443, protocol: "TCP", targetPort: port })],
      sessionAffinity: "None",
    }),
    status: objectOf({ loadBalancer: objectOf({}) }),
  });
  await createStored(store, keyOf(type, "default", "kubernetes"), type, service);
}
