/**
 * All webhooks of one type in the order of calls: by the name of their configuration in byte order, then as listed.
 * They are indexed by the resources in their rules, so that webhooks for other resources cost a request little.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import type { AdmissionAttributes, EquivalentResources } from "../policy/attributes.ts";
import { splitResource } from "../policy/match.ts";
import type { AdmissionWebhook } from "./webhook.ts";

/** A webhook and its index among all of its type, which audit annotations contain. */
export interface PlacedWebhook {
  readonly webhook: AdmissionWebhook;
  readonly index: number;
}

/** The webhooks of one configuration. */
export interface WebhookConfiguration {
  readonly name: string;
  readonly webhooks: readonly AdmissionWebhook[];
}

export class WebhookSet {
  readonly webhooks: readonly PlacedWebhook[];
  readonly #index = new Map<string, number[]>();
  readonly #usesEquivalents: boolean;

  /** Those from files, which are called first, and for admission configurations as well. */
  readonly staticPart: WebhookSet | undefined;

  constructor(configurations: readonly WebhookConfiguration[], staticPart?: WebhookSet) {
    this.staticPart = staticPart;
    const sorted = [...configurations].sort((left, right) => compareStrings(left.name, right.name));
    const first = staticPart?.webhooks.map(({ webhook }) => webhook) ?? [];
    const all = [...first, ...sorted.flatMap(({ webhooks }) => webhooks)];
    this.webhooks = all.map((webhook, index) => ({ webhook, index }));
    this.#usesEquivalents = this.webhooks.some(({ webhook }) => webhook.criteria.match.matchPolicy !== "Exact");
    for (const { webhook, index } of this.webhooks) this.#add(webhook, index);
  }

  /** Webhooks with a rule that may match the request. */
  candidates({ resource, subresource }: AdmissionAttributes, equivalents: EquivalentResources): PlacedWebhook[] {
    if (this.webhooks.length === 0) return [];
    const found = new Set<number>();
    this.#collect(resource.group, resource.resource, found);
    if (this.#usesEquivalents) {
      for (const other of equivalents.equivalents(resource, subresource)) {
        this.#collect(other.group, other.resource, found);
      }
    }
    return [...found].sort((left, right) => left - right).flatMap((at) => this.webhooks[at] ?? []);
  }

  #collect(group: string, resource: string, found: Set<number>): void {
    for (const key of [`${group}|${resource}`, `${group}|*`, `*|${resource}`, "*|*"]) {
      for (const at of this.#index.get(key) ?? []) found.add(at);
    }
  }

  #add({ criteria }: AdmissionWebhook, at: number): void {
    const keys = new Set<string>();
    for (const { apiGroups, resources } of criteria.match.resourceRules) {
      for (const group of apiGroups) for (const each of resources) keys.add(`${group}|${splitResource(each)[0]}`);
    }
    for (const key of keys) {
      const bucket = this.#index.get(key);
      if (bucket === undefined) this.#index.set(key, [at]);
      else bucket.push(at);
    }
  }
}
