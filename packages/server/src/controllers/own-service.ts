/**
 * The Service `default/kubernetes`, at whose address the server is reached. Follows kubernetes
 * pkg/controlplane/controller/kubernetesservice.
 */

import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { keyOf } from "../registry/object-codec.ts";
import { createStored } from "../registry/stored.ts";
import { WorkQueue } from "../registry/work-queue.ts";

const [NAMESPACE, NAME] = ["default", "kubernetes"];
/** Upstream looks every ten seconds. Until then, clients that delete all services find none. */
const RESTORE_MS = 10_000;

export interface OwnServiceOptions {
  readonly clusterIp: string;
  /** The target port. */
  readonly port: number;
}

export class OwnService {
  readonly #server: ServerContext;
  readonly #options: OwnServiceOptions;
  readonly #queue: WorkQueue;
  #type: ResourceKind | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(server: ServerContext, options: OwnServiceOptions) {
    this.#server = server;
    this.#options = options;
    this.#queue = new WorkQueue("kubernetesservice", () => this.#create(), server);
  }

  /** Resolves when it exists; it is created again some time after it is deleted. */
  async start(): Promise<void> {
    const { registry, followers } = this.#server;
    this.#type = registry.find("", "v1", "services");
    if (this.#type === undefined) return;
    await this.#create();
    const key = keyOf(this.#type, NAMESPACE, NAME);
    await followers.follow({
      name: "the service of the server",
      prefix: this.#type.storagePrefix,
      see: (seen, entry) => {
        if (seen === key && entry === undefined) this.#restore(key);
      },
    });
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#queue.close();
  }

  #restore(key: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#queue.add(key), RESTORE_MS);
  }

  async #create(): Promise<void> {
    const type = this.#type;
    if (type === undefined) return;
    const { store, system } = this.#server;
    const { clusterIp, port } = this.#options;
    const labels = objectOf({ component: "apiserver", provider: "kubernetes" });
    const identity = { name: NAME, namespace: NAMESPACE, uid: system.uid(), creationTimestamp: system.now() };
    const service = objectOf({
      apiVersion: "v1",
      kind: "Service",
      metadata: objectOf({ ...identity, labels }),
      spec: objectOf({
        type: "ClusterIP",
        clusterIP: clusterIp,
        clusterIPs: [clusterIp],
        internalTrafficPolicy: "Cluster",
        ipFamilies: [clusterIp.includes(":") ? "IPv6" : "IPv4"],
        ipFamilyPolicy: "SingleStack",
        ports: [objectOf({ name: "https", port: 443, protocol: "TCP", targetPort: port })],
        sessionAffinity: "None",
      }),
      status: objectOf({ loadBalancer: objectOf({}) }),
    });
    await createStored(store, keyOf(type, NAMESPACE, NAME), type, service);
  }
}
