/** Keys to be worked on, one after the other, each once however often it was added meanwhile. Failures come back later. */
import { ALWAYS, type Leadership } from "./leadership.ts";

const RETRY_MS = 500;

/** Thrown by work that has to wait for others: tried again, and nothing to complain about. */
export class NotYet extends Error {
  override readonly name = "NotYet";
}

export class WorkQueue {
  readonly #work: (key: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #leadership: Leadership;
  readonly #keys = new Set<string>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #running: Promise<void> | undefined;
  #isClosed = false;

  /** Only the leader works; one that may become the leader keeps its keys until then. */
  constructor(work: (key: string) => Promise<void>, onError: (error: unknown) => void, leadership = ALWAYS) {
    this.#work = work;
    this.#onError = onError;
    this.#leadership = leadership;
    leadership.onLead(() => this.#start());
  }

  add(key: string): void {
    if (this.#isClosed || !this.#leadership.canLead) return;
    this.#keys.add(key);
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
    for (const key of this.#keys) {
      if (!this.#leadership.isLeader) break;
      this.#keys.delete(key);
      await this.#attempt(key);
    }
    this.#running = undefined;
  }

  async #attempt(key: string): Promise<void> {
    try {
      await this.#work(key);
    } catch (error) {
      // A failure may succeed on retry; nothing waits for the outcome.
      if (!(error instanceof NotYet)) this.#onError(error);
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.add(key);
      }, RETRY_MS);
      this.#timers.add(timer);
    }
  }
}
