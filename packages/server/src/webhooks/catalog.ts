/**
 * The webhook configurations in the store, ready for use.
 *
 * A follower keeps them up to date: no request is handled while one is behind, and it has seen every write that was
 * acknowledged here. So a configuration applies as soon as its write is answered.
 */
import { POLICY_GROUP } from "@portcullis/engine/internal/policy/objects/decode";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { readWebhooks } from "@portcullis/engine/internal/webhooks/webhook";
import { type WebhookConfiguration, WebhookSet } from "@portcullis/engine/internal/webhooks/webhook-set";
import { decodeEntry } from "../registry/object-codec.ts";
import type { Registry } from "../registry/registry.ts";
import type { Followers } from "../storage/followers.ts";
import type { Entry } from "../storage/store.ts";

export type WebhookResource = "mutatingwebhookconfigurations" | "validatingwebhookconfigurations";

export class WebhookCatalog {
  readonly #followers: Followers;
  readonly #resource: WebhookResource;
  readonly #configurations = new Map<string, WebhookConfiguration>();
  #set = new WebhookSet([]);

  constructor(followers: Followers, resource: WebhookResource) {
    this.#followers = followers;
    this.#resource = resource;
  }

  async start(registry: Registry): Promise<void> {
    const type = registry.find(POLICY_GROUP, "v1", this.#resource);
    if (type === undefined) return;
    const see = (key: string, entry: Entry | undefined): void => {
      const previous = this.#configurations.get(key);
      if (previous !== undefined) this.#set.remove(previous);
      this.#configurations.delete(key);
      if (entry === undefined) return;
      const configuration = read(decodeEntry(entry, type));
      this.#configurations.set(key, configuration);
      this.#set.add(configuration);
    };
    await this.#followers.follow({ name: type.plural, prefix: type.storagePrefix, see });
  }

  current(): WebhookSet {
    return this.#set;
  }

  /** Replaces the configurations from files. */
  setStatic(configurations: readonly JsonObject[]): void {
    this.#set = new WebhookSet([...this.#configurations.values()], new WebhookSet(configurations.map(read)));
  }
}

function read(object: JsonObject): WebhookConfiguration {
  return { name: metaText(object, "name"), webhooks: readWebhooks(object) };
}
