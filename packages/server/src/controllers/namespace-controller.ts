/** Processes a namespace after it was written: creates its default objects, or deletes its contents. */

import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import {
  NAMESPACE_PREFIX,
  namespaceKind,
  waitsForContents,
  withoutSpecFinalizer,
} from "@portcullis/engine/internal/review/kinds/namespace";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import { controllerUser } from "../registry/server-writes.ts";
import { changeStored, createStored, removeStored } from "../registry/stored.ts";
import { NotYet, WorkQueue } from "../registry/work-queue.ts";
import type { Entry } from "../storage/store.ts";
import { drainType } from "./drain.ts";

const USER = controllerUser("namespace-controller");
const ROOT_CERTIFICATE = "kube-root-ca.crt";

export interface NamespaceControllerOptions {
  /** Whether to delete the contents of namespaces that are terminated. */
  readonly empties: boolean;
  /** Whether every namespace gets the ServiceAccount `default`. */
  readonly createsAccounts: boolean;
  /** The certificate that clients in the cluster trust, published in every namespace; not published if undefined. */
  readonly rootCertificate?: string | undefined;
}

export class NamespaceController {
  readonly #server: ServerContext;
  readonly #options: NamespaceControllerOptions;
  readonly #queue: WorkQueue;

  constructor(server: ServerContext, options: NamespaceControllerOptions) {
    this.#server = server;
    this.#options = options;
    this.#queue = new WorkQueue("namespace", (key) => this.#sync(key), server);
  }

  async start(): Promise<void> {
    const see = (key: string, entry: Entry | undefined): void => {
      if (entry !== undefined) this.#queue.add(key);
    };
    await this.#server.followers.follow({ name: "namespaces", prefix: NAMESPACE_PREFIX, see, isBackground: true });
    if (this.#options.createsAccounts) await this.#guard("serviceaccounts", "default");
    if (this.#options.rootCertificate !== undefined) await this.#guard("configmaps", ROOT_CERTIFICATE);
  }

  /** Restores default objects of a namespace that were deleted or changed. */
  async #guard(plural: string, name: string): Promise<void> {
    const type = this.#server.registry.find("", "v1", plural);
    if (type === undefined) return;
    const { storagePrefix: prefix } = type;
    const selects = (key: string): boolean => key.endsWith(`/${name}`) && key.split("/").length === segments;
    const segments = prefix.split("/").length + 1;
    const see = (key: string): void => this.#queue.add(NAMESPACE_PREFIX + key.slice(prefix.length, -name.length - 1));
    await this.#server.followers.follow({ name: plural, prefix, selects, see, isBackground: true });
  }

  close(): void {
    this.#queue.close();
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  async #sync(key: string): Promise<void> {
    const entry = await this.#server.store.get(key);
    if (entry === undefined) return;
    const namespace = decodeEntry(entry, namespaceKind);
    const name = metaText(namespace, "name");
    if (metaText(namespace, "deletionTimestamp") === "") await this.#createDefaults(name);
    else if (this.#options.empties && waitsForContents(namespace)) await this.#empty(key, name);
  }

  async #createDefaults(namespace: string): Promise<void> {
    const { rootCertificate, createsAccounts } = this.#options;
    if (createsAccounts) await this.#ensure("serviceaccounts", namespace, "default", objectOf({}));
    if (rootCertificate === undefined) return;
    const data = objectOf({ "ca.crt": rootCertificate });
    await this.#ensure("configmaps", namespace, ROOT_CERTIFICATE, objectOf({ data }));
    const type = this.#server.registry.find("", "v1", "configmaps");
    if (type === undefined) return;
    const key = keyOf(type, namespace, ROOT_CERTIFICATE);
    await changeStored(this.#server.store, key, type, (found) => objectOf({ ...found, data, binaryData: undefined }));
  }

  async #ensure(plural: string, namespace: string, name: string, body: JsonObject): Promise<void> {
    const { registry, store, system } = this.#server;
    const type = registry.find("", "v1", plural);
    if (type === undefined) return;
    const metadata = objectOf({ name, namespace, uid: system.uid(), creationTimestamp: system.now() });
    const object = objectOf({ apiVersion: "v1", kind: type.kind, metadata, ...body });
    await createStored(store, keyOf(type, namespace, name), type, object);
  }

  /** Deletes all contents, through one version of each kind; objects with finalizers are tried again. */
  async #empty(key: string, namespace: string): Promise<void> {
    let isEmpty = true;
    for (const type of namespacedTypes(this.#server.registry.all())) {
      if (!(await drainType(this.#server, type, { namespace, user: USER }))) isEmpty = false;
    }
    if (!isEmpty) throw new NotYet();
    await removeStored(this.#server.store, key, namespaceKind, withoutSpecFinalizer);
  }
}

function namespacedTypes(types: readonly ResourceKind[]): ResourceKind[] {
  const byPrefix = new Map<string, ResourceKind>();
  for (const type of types) {
    if (type.namespaced && type.verbs.includes("delete")) byPrefix.set(type.storagePrefix, type);
  }
  return [...byPrefix.values()];
}
