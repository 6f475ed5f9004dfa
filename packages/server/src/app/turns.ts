/**
 * Long work is done in slices, and one slice in each turn of the event loop: between two of them the server reads what has
 * arrived and answers small requests. Flows take turns, so that one with much work delays its own requests, not those of
 * others.
 */
export class Turns {
  readonly #nextTurn: () => Promise<void>;
  /** Those that wait, by flow; the flow whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isRunning = false;

  /** The function resolves after whatever else is ready to run has run. */
  constructor(nextTurn: () => Promise<void>) {
    this.#nextTurn = nextTurn;
  }

  /** Resolves when the next slice may run. */
  wait(flow: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(flow);
      if (queue === undefined) this.#waiting.set(flow, [resolve]);
      else queue.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      await this.#nextTurn();
      this.#resolveNext();
    }
    this.#isRunning = false;
  }

  #resolveNext(): void {
    for (const [flow, queue] of this.#waiting) {
      this.#waiting.delete(flow);
      queue.shift()?.();
      if (queue.length > 0) this.#waiting.set(flow, queue);
      return;
    }
  }
}
