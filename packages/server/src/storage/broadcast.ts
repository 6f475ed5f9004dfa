/**
 * Subscribers by prefix. An event goes to the subscribers of every prefix of its key that ends in a slash, so a
 * thousand watches of other resources cost nothing.
 */
import type { StoreEvent, StoreSubscriber, Subscription } from "./store.ts";

export class Broadcast {
  readonly #subscribers = new Map<string, Set<StoreSubscriber>>();

  /** The prefix must end in a slash. */
  subscribe(prefix: string, subscriber: StoreSubscriber): Subscription {
    if (!prefix.endsWith("/")) throw new Error(`prefix ${prefix} does not end in a slash`);
    const set = this.#subscribers.get(prefix) ?? new Set();
    this.#subscribers.set(prefix, set);
    set.add(subscriber);
    return { close: () => this.#unsubscribe(prefix, subscriber) };
  }

  publish(event: StoreEvent): void {
    for (let at = event.key.indexOf("/"); at !== -1; at = event.key.indexOf("/", at + 1)) {
      for (const subscriber of this.#subscribers.get(event.key.slice(0, at + 1)) ?? []) subscriber.event(event);
    }
  }

  /** Ends all subscriptions. */
  fail(error: Error): void {
    const all = [...this.#subscribers.values()];
    this.#subscribers.clear();
    for (const set of all) for (const subscriber of set) subscriber.failed(error);
  }

  #unsubscribe(prefix: string, subscriber: StoreSubscriber): void {
    const set = this.#subscribers.get(prefix);
    set?.delete(subscriber);
    if (set?.size === 0) this.#subscribers.delete(prefix);
  }
}
