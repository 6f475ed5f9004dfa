/** How much is done in one turn of the event loop, in milliseconds. A slice that has begun is not interrupted. */
const TURN_MS = 10;
const STEPS = 4;
/** After so many slices, work goes behind the other work of its flow. */
const LONG_SLICES = 20;

/** The head of a request has up to a megabyte of selectors, and many may arrive in one turn. */
const LONG_TARGET = 64 * 1024;
/** Their flow, before it is known whose they are. */
export const LONG_HEADS = "long heads";

export function isLong({ target }: { readonly target: string }): boolean {
  return target.length > LONG_TARGET;
}

/**
 * Long work is done in slices, and one long slice in each turn of the event loop: between two of them the server reads
 * what has arrived and answers small requests. Flows take turns, so that one with much work delays its own requests, not
 * those of others. Slices that are short share a turn.
 */
export class Turns {
  readonly #nextTurn: () => Promise<void>;
  readonly #clock: () => number;
  #began: number | undefined;
  /** Those that wait, by flow; the flow whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isRunning = false;

  /** The function resolves after whatever else is ready to run has run. */
  constructor(nextTurn: () => Promise<void>, clock: () => number = () => performance.now()) {
    this.#nextTurn = nextTurn;
    this.#clock = clock;
  }

  /** When the present turn began. It is noted when it is first asked for in a turn, which may be later, never earlier. */
  get began(): number {
    if (this.#began === undefined) {
      this.#began = this.#clock();
      void this.#nextTurn().then(() => {
        this.#began = undefined;
      });
    }
    return this.#began;
  }

  /** What begins when others have used up the turn waits for its own; undefined if it may begin at once. */
  begin(flow: string): Promise<void> | undefined {
    return this.#clock() - this.began < TURN_MS ? undefined : this.wait(flow);
  }

  /**
   * Resolves when the next slice may run. `slices` is how many of the work have run: what has begun is completed before
   * the flow begins something else, because it holds memory; but what takes very long goes behind the others.
   */
  wait(flow: string, slices = 0): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(flow);
      if (queue === undefined) this.#waiting.set(flow, [resolve]);
      else if (slices % LONG_SLICES === 0) queue.push(resolve);
      else queue.unshift(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      await this.#nextTurn();
      const began = this.#clock();
      do {
        this.#resolveNext();
        // What was resolved runs first, with the steps that wait for nothing.
        for (let step = 0; step < STEPS; step++) await undefined;
      } while (this.#waiting.size > 0 && this.#clock() - began < TURN_MS);
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
