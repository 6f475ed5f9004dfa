/** Waiting, in ways that can be cut short. */
import { setTimeout as wait } from "node:timers/promises";

/** Ends early, without an error, when the signal is given. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch {
    // Only the signal gets here, and the caller checks it next.
  }
}

const FIRST_MS = 100;

/** Longer after every failure, up to a bound, and never quite the same for two who fail together. */
export class Backoff {
  readonly #longest: number;
  #failures = 0;

  constructor(longestMs: number) {
    this.#longest = longestMs;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  async failed(signal: AbortSignal): Promise<void> {
    const ms = Math.min(FIRST_MS * 2 ** this.#failures++, this.#longest);
    await pause(ms * (0.75 + Math.random() / 2), signal);
  }
}
