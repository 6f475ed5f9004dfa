/**
 * A store that another thread or process of the same server has. Every read is answered there, so it is as current as a
 * read of the store itself; watches are sent the same events in the same order.
 */
import {
  Compacted,
  type Entry,
  type EntryList,
  type ListOptions,
  type StoreSubscriber,
  type Subscription,
  type WatchableStore,
} from "../store.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { EntryCache } from "./entry-cache.ts";
import type { Link } from "./link.ts";
import {
  ANSWER,
  type AnswerMessage,
  CALL,
  EVENT,
  type EventMessage,
  errorOf,
  FAILED,
  type FailedMessage,
  type StoreCall,
  UNCHANGED,
  type Written,
} from "./protocol.ts";

export interface LinkedStoreOptions {
  /**
   * Whether requests arrive at this end. They may follow a write that was acknowledged at another one, so followers are
   * brought up to date for each. Otherwise requests come over the link, after all events that they depend on.
   */
  readonly servesClients?: boolean;
}

export interface LinkedSubscriber extends StoreSubscriber {
  /** Whether events come without the previous version: a subscriber with a copy of its own has it. */
  readonly isBare?: boolean;
}

/** Every write in a namespace reads the namespace, so they are all kept here. */
const MIRRORED = "/registry/namespaces/";

interface Mirror {
  /** Undefined until it is complete. */
  entries: ReadonlyMap<string, Entry> | undefined;
}

interface Waiter {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

export class LinkedStore implements WatchableStore {
  readonly isBehind: boolean;
  readonly #link: Link;
  readonly #waiting = new Map<number, Waiter>();
  readonly #subscribers = new Map<number, StoreSubscriber>();
  readonly #entries = new EntryCache();
  /** The question that was not sent yet; everyone who asks until then shares its answer. */
  #asked: Promise<number> | undefined;
  #mirror: Mirror | undefined;
  #serial = 0;
  #lost: Error | undefined;

  /** That of the store at the other end. */
  maxValue?: number;

  constructor(link: Link, { servesClients = false }: LinkedStoreOptions = {}) {
    this.#link = link;
    this.isBehind = servesClients;
    link.on<AnswerMessage>(ANSWER, (answer) => this.#complete(answer));
    link.on<EventMessage>(EVENT, (message) => this.#publish(message));
    link.on<FailedMessage>(FAILED, ({ subscription, error }) => {
      const subscriber = this.#subscribers.get(subscription);
      this.#subscribers.delete(subscription);
      subscriber?.failed(errorOf(error));
    });
  }

  /** The other end is gone: nothing will be answered any more. */
  lose(): void {
    const error = new StoreUnavailable("the process that has the store is gone", { definite: false });
    this.#lost = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const subscriber of this.#subscribers.values()) subscriber.failed(error);
    this.#subscribers.clear();
  }

  revision(): Promise<number> {
    if (this.#asked === undefined) {
      this.#asked = this.#call<number>({ method: "revision" });
      // A caller in a later turn may know of a later write.
      queueMicrotask(() => {
        this.#asked = undefined;
      });
    }
    return this.#asked;
  }

  compactedRevision(): Promise<number> {
    return this.#call({ method: "compactedRevision" });
  }

  async get(key: string): Promise<Entry | undefined> {
    const known = this.#entries.get(key);
    const answer = await this.#call<Entry | undefined | typeof UNCHANGED>({
      method: "get",
      key,
      known: known?.revision,
    });
    if (answer === UNCHANGED) return known;
    this.#entries.set(key, answer);
    return answer;
  }

  /** For keys of the mirror. Its events arrive in the order of all messages, so it is as new as the last answer. */
  peek(key: string): Entry | undefined {
    if (!key.startsWith(MIRRORED)) return undefined;
    if (this.#mirror === undefined) this.#startMirror();
    return this.#mirror?.entries?.get(key);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<EntryList> {
    for (;;) {
      try {
        return await this.#listAll(prefix, options);
      } catch (error) {
        // The history was compacted between two parts.
        if (!(error instanceof Compacted) || options.revision !== undefined) throw error;
      }
    }
  }

  async create(key: string, value: string): Promise<Entry> {
    const { revision, created } = await this.#call<Written>({ method: "create", key, value });
    return { key, value, revision, created };
  }

  async update(key: string, value: string, expected: number): Promise<Entry> {
    const { revision, created } = await this.#call<Written>({ method: "update", key, value, expected });
    return { key, value, revision, created };
  }

  async delete(key: string, expected: number): Promise<number> {
    return this.#call({ method: "delete", key, expected });
  }

  async compact(revision: number): Promise<void> {
    await this.#call({ method: "compact", revision });
  }

  async checkWrites(): Promise<void> {
    await this.#call({ method: "checkWrites" });
  }

  async watch(prefix: string, after: number, subscriber: LinkedSubscriber): Promise<Subscription> {
    const subscription = ++this.#serial;
    this.#subscribers.set(subscription, subscriber);
    const { isBare = false } = subscriber;
    try {
      await this.#call({ method: "watch", subscription, prefix, after, isBare });
    } catch (error) {
      this.#subscribers.delete(subscription);
      throw error;
    }
    return {
      close: () => {
        if (!this.#subscribers.delete(subscription)) return;
        this.#call({ method: "unwatch", subscription }).catch(() => {});
      },
    };
  }

  /** Leaves the store itself open: others use it. */
  async close(): Promise<void> {
    const error = new Error("the store is closed");
    for (const subscriber of this.#subscribers.values()) subscriber.failed(error);
    this.#subscribers.clear();
  }

  async #listAll(prefix: string, options: ListOptions): Promise<EntryList> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    const entries: Entry[] = [];
    let from: ListOptions = options;
    for (;;) {
      const part = await this.#call<EntryList>({ method: "list", prefix, options: from });
      for (const entry of part.entries) entries.push(this.#entries.same(entry));
      const { revision, remaining } = part;
      const last = entries.at(-1);
      if (remaining === 0 || entries.length >= limit || last === undefined) return { entries, revision, remaining };
      from = { start: `${last.key}\0`, revision };
      if (limit !== Number.POSITIVE_INFINITY) from = { ...from, limit: limit - entries.length };
    }
  }

  #startMirror(): void {
    const mirror: Mirror = { entries: undefined };
    this.#mirror = mirror;
    const lose = (): void => {
      if (this.#mirror === mirror) this.#mirror = undefined;
    };
    const start = async (): Promise<void> => {
      const { entries, revision } = await this.list(MIRRORED);
      const known = new Map(entries.map((entry) => [entry.key, entry]));
      const event: StoreSubscriber["event"] = ({ key, entry }) => {
        if (entry === undefined) known.delete(key);
        else known.set(key, entry);
      };
      await this.watch(MIRRORED, revision, { event, failed: lose });
      mirror.entries = known;
    };
    start().catch(lose);
  }

  #call<T>(call: StoreCall): Promise<T> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const id = ++this.#serial;
    this.#link.send(CALL, { id, call });
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiter["resolve"], reject });
    });
  }

  #complete({ id, value, error }: AnswerMessage): void {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiter?.resolve(value as never);
    else waiter?.reject(errorOf(error));
  }

  #publish({ event, subscriptions }: EventMessage): void {
    this.#entries.note(event);
    for (const subscription of subscriptions) this.#subscribers.get(subscription)?.event(event);
  }
}
