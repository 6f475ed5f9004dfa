/**
 * All webhooks of one type in the order of calls: by the name of their configuration in byte order, then as listed.
 * They are indexed by the resources in their rules, so that webhooks for other resources cost a request little. A change
 * of one configuration updates only its own part of the index.
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

/** A webhook and its place in its configuration. */
interface IndexedWebhook {
  readonly webhook: AdmissionWebhook;
  readonly configuration: WebhookConfiguration;
  readonly offset: number;
}

export class WebhookSet {
  /** Sorted by name. */
  readonly #configurations: WebhookConfiguration[];
  readonly #byResource = new Map<string, Set<IndexedWebhook>>();
  /** What `#byResource` has of each configuration, and under which keys. */
  readonly #indexed = new Map<WebhookConfiguration, (readonly [key: string, indexed: IndexedWebhook])[]>();
  /** How many webhooks match equivalent resources too, which takes a search of all kinds. */
  #equivalentCount = 0;
  /** The index of the first webhook of each configuration; undefined after a change. */
  #starts: Map<WebhookConfiguration, number> | undefined;

  /** Those from files, which are called first, and for admission configurations as well. */
  readonly staticPart: WebhookSet | undefined;

  constructor(configurations: readonly WebhookConfiguration[], staticPart?: WebhookSet) {
    this.staticPart = staticPart;
    this.#configurations = [...configurations].sort((left, right) => compareStrings(left.name, right.name));
    for (const configuration of this.#configurations) this.#index(configuration);
  }

  /** All webhooks in the order of calls. */
  get webhooks(): readonly AdmissionWebhook[] {
    return [...(this.staticPart?.webhooks ?? []), ...this.#configurations.flatMap(({ webhooks }) => webhooks)];
  }

  get isEmpty(): boolean {
    return this.#configurations.length === 0 && (this.staticPart?.isEmpty ?? true);
  }

  add(configuration: WebhookConfiguration): void {
    this.#configurations.splice(this.#placeOf(configuration.name), 0, configuration);
    this.#index(configuration);
    this.#starts = undefined;
  }

  /** Removes a configuration that was added, the same object. */
  remove(configuration: WebhookConfiguration): void {
    const at = this.#configurations.indexOf(configuration, this.#placeOf(configuration.name));
    if (at === -1) return;
    this.#configurations.splice(at, 1);
    for (const [key, indexed] of this.#indexed.get(configuration) ?? []) {
      const bucket = this.#byResource.get(key);
      bucket?.delete(indexed);
      if (bucket?.size === 0) this.#byResource.delete(key);
    }
    this.#indexed.delete(configuration);
    this.#equivalentCount -= configuration.webhooks.filter(matchesEquivalents).length;
    this.#starts = undefined;
  }

  /** Webhooks with a rule that may match the request. */
  candidates(attributes: AdmissionAttributes, equivalents: EquivalentResources): PlacedWebhook[] {
    const first = this.staticPart?.candidates(attributes, equivalents) ?? [];
    const own = this.#byResource.size === 0 ? [] : this.#ownCandidates(attributes, equivalents);
    return first.length === 0 ? own : [...first, ...own];
  }

  #ownCandidates({ resource, subresource }: AdmissionAttributes, equivalents: EquivalentResources): PlacedWebhook[] {
    const found = new Set<IndexedWebhook>();
    this.#collect(resource.group, resource.resource, found);
    const others = this.#equivalentCount === 0 ? [] : equivalents.equivalents(resource, subresource);
    for (const other of others) this.#collect(other.group, other.resource, found);
    if (found.size === 0) return [];
    const starts = this.#startsOfAll();
    const placed = [...found].map(({ webhook, configuration, offset }) => ({
      webhook,
      index: (starts.get(configuration) ?? 0) + offset,
    }));
    return placed.sort((left, right) => left.index - right.index);
  }

  #collect(group: string, resource: string, found: Set<IndexedWebhook>): void {
    for (const key of [`${group}|${resource}`, `${group}|*`, `*|${resource}`, "*|*"]) {
      for (const each of this.#byResource.get(key) ?? []) found.add(each);
    }
  }

  #startsOfAll(): ReadonlyMap<WebhookConfiguration, number> {
    if (this.#starts !== undefined) return this.#starts;
    this.#starts = new Map();
    let start = this.staticPart?.webhooks.length ?? 0;
    for (const configuration of this.#configurations) {
      this.#starts.set(configuration, start);
      start += configuration.webhooks.length;
    }
    return this.#starts;
  }

  /** Where a configuration of this name is, or belongs. */
  #placeOf(name: string): number {
    let [low, high] = [0, this.#configurations.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareStrings(this.#configurations[middle]?.name ?? "", name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #index(configuration: WebhookConfiguration): void {
    const entries = configuration.webhooks.flatMap((webhook, offset) => {
      const indexed = { webhook, configuration, offset };
      return [...resourceKeys(webhook)].map((key) => [key, indexed] as const);
    });
    this.#indexed.set(configuration, entries);
    this.#equivalentCount += configuration.webhooks.filter(matchesEquivalents).length;
    for (const [key, indexed] of entries) {
      const bucket = this.#byResource.get(key);
      if (bucket === undefined) this.#byResource.set(key, new Set([indexed]));
      else bucket.add(indexed);
    }
  }
}

function matchesEquivalents({ criteria }: AdmissionWebhook): boolean {
  return criteria.match.matchPolicy !== "Exact";
}

/** `group|resource` of all rules. */
function resourceKeys({ criteria }: AdmissionWebhook): Set<string> {
  const keys = new Set<string>();
  for (const { apiGroups, resources } of criteria.match.resourceRules) {
    for (const group of apiGroups) for (const each of resources) keys.add(`${group}|${splitResource(each)[0]}`);
  }
  return keys;
}
