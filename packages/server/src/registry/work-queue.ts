/** Keys to be worked on, one after the other, each once however often it was added meanwhile. Failures come back later. */
import type { QueueTimes } from "../observe/queue-metrics.ts";
import type { ServerContext } from "./context.ts";
import type { Leadership } from "./leadership.ts";

const RETRY_MS = 500;

/** Thrown by work that has to wait for others: tried again, and nothing to complain about. */
export class NotYet extends Error {
  override readonly name = "NotYet";
}

export class WorkQueue {
  readonly #work: (key: string) => Promise<void>;
  readonly #server: Pick<ServerContext, "onDefect" | "metrics">;
  readonly #leadership: Leadership;
  readonly #times: QueueTimes;
  /** When each was added, in seconds. */
  readonly #keys = new Map<string, number>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #running: Promise<void> | undefined;
  #isClosed = false;

  /**
   * Only the leader works; one that may become the leader keeps its keys until then. The name is that of upstream's queue
   * in metrics.
   */
  constructor(
    name: string,
    work: (key: string) => Promise<void>,
    server: Pick<ServerContext, "onDefect" | "metrics" | "leadership">,
    leadership = server.leadership,
  ) {
    this.#work = work;
    this.#server = server;
    this.#leadership = leadership;
    this.#times = server.metrics.queues.queue(name);
    leadership.onLead(() => this.#start());
  }

  add(key: string): void {
    if (this.#isClosed || !this.#leadership.canLead) return;
    if (!this.#keys.has(key)) {
      this.#keys.set(key, this.#server.metrics.clock());
      this.#times.added();
    }
    this.#start();
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  close(): void {
    this.#isClosed = true;
    this.#keys.clear();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #start(): void {
    if (this.#leadership.isLeader && this.#keys.size > 0) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // The work starts after the caller that added the key, so that a write is finished before its consequences begin.
    await Promise.resolve();
    for (const [key, added] of this.#keys) {
      if (!this.#leadership.isLeader) break;
      this.#keys.delete(key);
      this.#times.begun(this.#server.metrics.clock() - added);
      await this.#attempt(key);
      this.#times.ended();
    }
    this.#running = undefined;
  }

  async #attempt(key: string): Promise<void> {
    try {
      await this.#work(key);
    } catch (error) {
      // The store is closed under work that has begun.
      if (this.#isClosed) return;
      // A failure may succeed on retry; nothing waits for the outcome.
      if (!(error instanceof NotYet)) this.#server.onDefect(error);
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#times.retried();
        this.add(key);
      }, RETRY_MS);
      this.#timers.add(timer);
    }
  }
}
