/**
 * The webhook configurations in the store, ready for use.
 *
 * A watch keeps them up to date. A request first waits for everything that the store has acknowledged, so that a
 * configuration applies as soon as its write is answered.
 */
import { POLICY_GROUP } from "@portcullis/engine/internal/policy/objects/decode";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { readWebhooks } from "@portcullis/engine/internal/webhooks/webhook";
import { type WebhookConfiguration, WebhookSet } from "@portcullis/engine/internal/webhooks/webhook-set";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry } from "../registry/object-codec.ts";
import type { Registry } from "../registry/registry.ts";
import type { Followers } from "../storage/followers.ts";
import type { Entry, Store } from "../storage/store.ts";

export type WebhookResource = "mutatingwebhookconfigurations" | "validatingwebhookconfigurations";

export class WebhookCatalog {
  readonly #store: Store;
  readonly #followers: Followers;
  readonly #resource: WebhookResource;
  readonly #configurations = new Map<string, WebhookConfiguration>();
  #set: WebhookSet | undefined;
  #static: WebhookSet | undefined;

  constructor({ store, followers }: Pick<ServerContext, "store" | "followers">, resource: WebhookResource) {
    this.#store = store;
    this.#followers = followers;
    this.#resource = resource;
  }

  async start(registry: Registry): Promise<void> {
    const type = registry.find(POLICY_GROUP, "v1", this.#resource);
    if (type === undefined) return;
    const see = (key: string, entry: Entry | undefined): void => {
      if (entry === undefined) this.#configurations.delete(key);
      else this.#configurations.set(key, read(decodeEntry(entry, type)));
      this.#set = undefined;
    };
    await this.#followers.follow({ name: type.plural, prefix: type.storagePrefix, see });
  }

  async current(): Promise<WebhookSet> {
    await this.#store.revision();
    this.#set ??= new WebhookSet([...this.#configurations.values()], this.#static);
    return this.#set;
  }

  /** Replaces the configurations from files. */
  setStatic(configurations: readonly JsonObject[]): void {
    this.#static = new WebhookSet(configurations.map(read));
    this.#set = undefined;
  }
}

function read(object: JsonObject): WebhookConfiguration {
  return { name: metaText(object, "name"), webhooks: readWebhooks(object) };
}
