/**
 * The webhook configurations in the store, ready to be used.
 *
 * A watch keeps them up to date. Before they are used, everything the store has acknowledged is waited for, so that a
 * configuration is in force as soon as the client that wrote it has its answer.
 */
import { POLICY_GROUP } from "@portcullis/engine/policy/decode";
import { readWebhooks } from "@portcullis/engine/webhooks/webhook";
import { type WebhookConfiguration, WebhookSet } from "@portcullis/engine/webhooks/webhook-set";
import { metaText } from "../registry/meta.ts";
import { decodeEntry } from "../registry/object-codec.ts";
import type { Registry } from "../registry/registry.ts";
import type { Entry, Store } from "../storage/store.ts";

export type WebhookResource = "mutatingwebhookconfigurations" | "validatingwebhookconfigurations";

/** How the objects of a kind are followed: `put` and `remove` are called for all that are there and all that change. */
export type Follow = (prefix: string, handlers: FollowHandlers) => Promise<void>;

export interface FollowHandlers {
  readonly put: (entry: Entry) => void;
  readonly remove: (key: string) => void;
}

export class WebhookCatalog {
  readonly #store: Store;
  readonly #resource: WebhookResource;
  readonly #configurations = new Map<string, WebhookConfiguration>();
  #set: WebhookSet | undefined;

  constructor(store: Store, resource: WebhookResource) {
    this.#store = store;
    this.#resource = resource;
  }

  async start(registry: Registry, follow: Follow = followStore(this.#store)): Promise<void> {
    const type = registry.find(POLICY_GROUP, "v1", this.#resource);
    if (type === undefined) return;
    await follow(type.storagePrefix, {
      put: (entry) => {
        const object = decodeEntry(entry, type);
        this.#configurations.set(entry.key, { name: metaText(object, "name"), webhooks: readWebhooks(object) });
        this.#set = undefined;
      },
      remove: (key) => {
        this.#configurations.delete(key);
        this.#set = undefined;
      },
    });
  }

  async current(): Promise<WebhookSet> {
    await this.#store.revision();
    this.#set ??= new WebhookSet([...this.#configurations.values()]);
    return this.#set;
  }
}

function followStore(store: Store): Follow {
  return async (prefix, { put, remove }) => {
    const { entries, revision } = await store.list(prefix);
    entries.forEach(put);
    await store.watch(prefix, revision, {
      event: ({ key, entry }) => (entry === undefined ? remove(key) : put(entry)),
      failed: () => {},
    });
  };
}
