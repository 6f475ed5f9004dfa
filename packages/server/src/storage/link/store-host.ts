/** The end of a link that has the store: answers what a `LinkedStore` at the other end asks. */
import type { Entry, EntryList, ListOptions, StoreEvent, Subscription, WatchableStore } from "../store.ts";
import type { Link } from "./link.ts";
import {
  ANSWER,
  CALL,
  type CallMessage,
  EVENT,
  type EventMessage,
  errorMessage,
  FAILED,
  type StoreCall,
  UNCHANGED,
  type WatchCall,
  type Written,
} from "./protocol.ts";

/** A list is sent in parts of about this many characters, so that neither end is busy with one for long. */
const PART_LENGTH = 1 << 20;
const PART_ENTRIES = 512;

export class StoreHost {
  readonly #store: WatchableStore;
  readonly #link: Link;
  readonly #subscriptions = new Map<number, Subscription>();
  /** The last message with an event. A store shows a change to all its subscribers at once; they share the message. */
  #last: EventMessage | undefined;

  constructor(store: WatchableStore, link: Link) {
    this.#store = store;
    this.#link = link;
    link.on<CallMessage>(CALL, ({ id, call }) => void this.#answer(id, call));
  }

  /** The other end is gone. */
  close(): void {
    for (const subscription of this.#subscriptions.values()) subscription.close();
    this.#subscriptions.clear();
  }

  async #answer(id: number, call: StoreCall): Promise<void> {
    try {
      this.#link.send(ANSWER, { id, value: await this.#perform(call) });
    } catch (error) {
      this.#link.send(ANSWER, { id, error: errorMessage(error, "key" in call ? call.key : "") });
    }
  }

  #perform(call: StoreCall): Promise<unknown> {
    const store = this.#store;
    switch (call.method) {
      case "revision":
        return store.revision();
      case "compactedRevision":
        return store.compactedRevision();
      case "checkWrites":
        return store.checkWrites?.() ?? Promise.resolve();
      case "get":
        return this.#get(call.key, call.known);
      case "list":
        return this.#list(call.prefix, call.options);
      case "create":
        return store.create(call.key, call.value).then(writtenOf);
      case "update":
        return store.update(call.key, call.value, call.expected).then(writtenOf);
      case "delete":
        return store.delete(call.key, call.expected);
      case "compact":
        return store.compact(call.revision);
      case "watch":
        return this.#watch(call);
      case "unwatch":
        return this.#unwatch(call.subscription);
    }
  }

  async #get(key: string, known: number | undefined): Promise<Entry | undefined | typeof UNCHANGED> {
    const entry = await this.#store.get(key);
    return entry !== undefined && entry.revision === known ? UNCHANGED : entry;
  }

  async #list(prefix: string, options: ListOptions): Promise<EntryList> {
    const limit = Math.min(options.limit ?? PART_ENTRIES, PART_ENTRIES);
    const { entries, revision, remaining } = await this.#store.list(prefix, { ...options, limit });
    let length = 0;
    const end = entries.findIndex(({ value }) => {
      length += value.length;
      return length > PART_LENGTH;
    });
    const part = end === -1 ? entries : entries.slice(0, Math.max(1, end));
    return { entries: part, revision, remaining: remaining + entries.length - part.length };
  }

  async #watch({ subscription: id, prefix, after, isBare }: WatchCall): Promise<void> {
    const subscription = await this.#store.watch(prefix, after, {
      event: (event) => (isBare ? this.#bareEvent(event, id) : this.#event(event, id)),
      failed: (error) => {
        this.#subscriptions.delete(id);
        this.#link.send(FAILED, { subscription: id, error: errorMessage(error) });
      },
    });
    this.#subscriptions.set(id, subscription);
  }

  async #unwatch(id: number): Promise<void> {
    this.#subscriptions.get(id)?.close();
    this.#subscriptions.delete(id);
  }

  #bareEvent(event: StoreEvent, subscription: number): void {
    this.#link.send(EVENT, { event: { ...event, previous: undefined }, subscriptions: [subscription] });
  }

  #event(event: StoreEvent, subscription: number): void {
    if (this.#last?.event === event) {
      this.#last.subscriptions.push(subscription);
      return;
    }
    this.#last = { event, subscriptions: [subscription] };
    this.#link.send(EVENT, this.#last);
    // A watch that starts later may see the same event, when this message has been sent.
    queueMicrotask(() => {
      this.#last = undefined;
    });
  }
}

/** The other end has the rest. */
function writtenOf({ revision, created }: Entry): Written {
  return { revision, created };
}
