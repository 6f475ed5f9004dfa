/**
 * Keeps a replica of everything under the store's prefix: reads it once, then follows a watch for ever, resuming where it
 * left off when the connection or a member is lost.
 *
 * A little history is read along with the state, so that clients of a server that restarts can resume their watches too.
 */
import { Replica } from "../../storage/replica.ts";
import { StoreState } from "../../storage/state.ts";
import type { StoreEvent } from "../../storage/store.ts";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { type EtcdClient, isCompacted } from "./client.ts";
import type { KeySpace } from "./key-space.ts";
import { clusterSetBack, historyLost, storeClosed, watchBehind, watchLost } from "./messages.ts";
import { PUT, RANGE, type WatchEvent } from "./protocol.ts";
import { WatchStream } from "./watch-stream.ts";

const PAGE = 1000;
/** So many revisions before the present are remembered when the store opens. */
const HISTORY = 10_000;
const RECONNECT_PAUSE = 100;
/** The watch usually delivers within a millisecond or two; if it has not, it is asked how far it is. */
const NUDGE_AFTER = 10;
const NUDGE_EVERY = 50;
/** A process that did nothing for so long was stopped: events wait for it unread, and so do requests. */
const PAUSE = 1_000;
const TICK = 250;
/** A watch that is asked and stays silent for so long is given up for another. */
const SILENCE = 3_000;

interface Waiter {
  readonly revision: number;
  readonly finish: (error?: Error) => void;
}

export interface FollowerOptions {
  readonly client: EtcdClient;
  readonly keys: KeySpace;
  readonly log: (message: string) => void;
}

export class Follower {
  readonly replica: Replica;
  readonly #client: EtcdClient;
  readonly #keys: KeySpace;
  readonly #log: (message: string) => void;
  readonly #following: Promise<void>;
  #stream: WatchStream | undefined;
  readonly #waiters = new Set<Waiter>();
  readonly #reloadWaiters: (() => void)[] = [];
  #nudging: NodeJS.Timeout | undefined;
  #isAsking = false;
  /**
   * Set until everything is read again; the end of a stream alone proves nothing, because it may have ended just
   * before.
   */
  #mustStartOver = false;
  #isClosed = false;
  readonly #ticking: NodeJS.Timeout;
  #ticked = performance.now();
  #losses = 0;

  private constructor({ client, keys, log }: FollowerOptions, state: StoreState) {
    this.replica = new Replica(state);
    this.#client = client;
    this.#keys = keys;
    this.#log = log;
    this.#following = this.#follow();
    this.#ticking = setInterval(() => this.#notePause(), TICK);
    this.#ticking.unref();
  }

  /** How often the events stopped; until a later read has caught up, some may be missing. */
  get losses(): number {
    this.#notePause();
    return this.#losses;
  }

  lose(): void {
    this.#losses++;
  }

  /** Whether it hears of changes: not while it connects again. */
  get isLive(): boolean {
    return this.#stream?.isLive === true;
  }

  static async start(options: FollowerOptions): Promise<Follower> {
    return new Follower(options, await loadState(options.client, options.keys));
  }

  /** Resolves when everything up to the revision has been seen. */
  async reach(revision: number, timeout = this.#client.timeout): Promise<void> {
    if (this.replica.state.revision >= revision) return;
    if (this.#isClosed) throw new Error(storeClosed());
    await new Promise<void>((resolve, reject) => {
      const finish = (error?: Error): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        if (error === undefined) resolve();
        else reject(error);
      };
      const waiter = { revision, finish };
      const timer = setTimeout(() => finish(new StoreUnavailable(watchBehind())), timeout);
      this.#waiters.add(waiter);
      this.#nudging ??= setTimeout(() => this.#nudge(), NUDGE_AFTER);
    });
  }

  /** The cluster was restored from a backup: everything known of it is stale. Resolves when all is read again. */
  async startOver(): Promise<void> {
    if (this.#isClosed) throw new Error(storeClosed());
    this.#mustStartOver = true;
    this.#stream?.close(clusterSetBack());
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new StoreUnavailable(clusterSetBack())), this.#client.timeout);
      this.#reloadWaiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nudging);
    clearInterval(this.#ticking);
    this.#stream?.close(storeClosed());
    await this.#following;
    for (const { finish } of this.#waiters) finish(new Error(storeClosed()));
    for (const resolve of this.#reloadWaiters.splice(0)) resolve();
    this.replica.close(new Error(storeClosed()));
  }

  /** Requests that arrived meanwhile may be read before the events that did. */
  #notePause(): void {
    const now = performance.now();
    if (now - this.#ticked > PAUSE) this.lose();
    this.#ticked = now;
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#mustStartOver) {
        await this.#reload();
        continue;
      }
      const { endpoint } = this.#client;
      const sink = {
        events: (events: readonly WatchEvent[]): void => this.#receive(events),
        progress: (revision: number): void => this.#advance(revision),
      };
      const start = this.replica.state.revision + 1;
      const stream = new WatchStream(endpoint, { range: this.#keys.range, start, sink });
      this.#stream = stream;
      const { reason, compacted } = await stream.ended;
      if (this.#isClosed) return;
      this.lose();
      if (compacted !== undefined) this.#mustStartOver = true;
      if (!this.#mustStartOver) {
        this.#log(watchLost(endpoint.name, reason));
        this.#client.leave(endpoint);
        await pause(RECONNECT_PAUSE);
      }
    }
  }

  async #reload(): Promise<void> {
    while (!this.#isClosed) {
      try {
        this.#mustStartOver = false;
        const state = await loadState(this.#client, this.#keys);
        this.#log(historyLost(state.compacted));
        this.replica.replace(state);
        this.#wake();
        // Requests made during the read wait for the next one.
        if (!this.#mustStartOver) for (const resolve of this.#reloadWaiters.splice(0)) resolve();
        return;
      } catch (error) {
        // On any error readers learn that the store is behind; stale data is never served.
        this.#mustStartOver = true;
        this.#log(error instanceof Error ? error.message : String(error));
        await pause(RECONNECT_PAUSE);
      }
    }
  }

  #receive(events: readonly WatchEvent[]): void {
    for (const event of events) {
      const change = this.#translate(event);
      if (change === undefined) this.replica.state.advance(event.entry.modified);
      else this.replica.apply(change);
    }
    this.#wake();
  }

  #translate({ isDeletion, entry: { key: etcdKey, value, created, modified } }: WatchEvent): StoreEvent | undefined {
    const key = this.#keys.fromEtcd(etcdKey);
    if (key === undefined) return undefined;
    const previous = this.replica.state.get(key);
    const entry = isDeletion ? undefined : { key, value, revision: modified, created };
    return { key, revision: modified, entry, previous };
  }

  #advance(revision: number): void {
    this.replica.state.advance(revision);
    this.#wake();
  }

  #wake(): void {
    const { revision } = this.replica.state;
    for (const { revision: wanted, finish } of this.#waiters) if (wanted <= revision) finish();
  }

  /** Somebody else's writes move the cluster's revision without an event for us; then only asking helps. */
  #nudge(): void {
    this.#nudging = undefined;
    const stream = this.#stream;
    if (this.#waiters.size === 0 || this.#isClosed) return;
    this.#nudging = setTimeout(() => this.#nudge(), NUDGE_EVERY);
    if (stream?.isSilentFor(SILENCE)) stream.close(watchBehind());
    else if (stream !== undefined) this.#ask(stream).catch((error: Error) => this.#log(error.message));
  }

  /** If a progress request does not work, our own write to the marker causes an event that nothing can overtake. */
  async #ask(stream: WatchStream): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      if (!(await stream.requestProgress())) await this.#client.read(PUT, { key: this.#keys.marker, value: "" });
    } finally {
      this.#isAsking = false;
    }
  }
}

async function loadState(client: EtcdClient, keys: KeySpace): Promise<StoreState> {
  const { revision } = await client.read(RANGE, { key: keys.marker, keysOnly: true });
  let base = Math.max(1, revision - HISTORY);
  for (;;) {
    try {
      return await readState(client, keys, base);
    } catch (error) {
      if (!isCompacted(error)) throw error;
      base = await findCompacted(client, keys, base);
    }
  }
}

async function readState(client: EtcdClient, keys: KeySpace, revision: number): Promise<StoreState> {
  const state = new StoreState(revision);
  let { key, end } = keys.range;
  for (;;) {
    const page = await client.read(RANGE, { key, end, limit: PAGE, revision });
    for (const { key: etcdKey, value, created, modified } of page.entries) {
      const own = keys.fromEtcd(etcdKey);
      if (own !== undefined) state.restore({ key: own, value, revision: modified, created });
      key = `${etcdKey}\0`;
    }
    if (!page.more) return state;
  }
}

/** etcd reports its compacted revision only to a watch that starts below it. */
async function findCompacted(client: EtcdClient, keys: KeySpace, start: number): Promise<number> {
  const { endpoint } = client;
  const stream = new WatchStream(endpoint, {
    range: { key: keys.marker },
    start,
    sink: { events() {}, progress() {} },
  });
  const timer = setTimeout(() => stream.close("no answer"), client.timeout);
  const { compacted } = await stream.ended;
  clearTimeout(timer);
  if (compacted !== undefined) return compacted;
  client.leave(endpoint);
  await pause(RECONNECT_PAUSE);
  return start;
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
