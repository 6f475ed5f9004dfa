/**
 * After how many seconds a refused client should try again: longer while many are refused.
 *
 * Follows apiserver pkg/util/flowcontrol/dropped_requests_tracker.go.
 */

const MAX_SECONDS = 32;

export class RetryAfter {
  /** Refusals by second, oldest first. */
  readonly #history = new Map<number, number>();
  #seconds = 1;
  #raisedAt = 0;

  get seconds(): number {
    return this.#seconds;
  }

  /** `now` in seconds. */
  noteRefusal(now: number): void {
    const second = Math.floor(now);
    const count = this.#history.get(second);
    if (count === undefined) this.#adapt(second);
    this.#history.set(second, (count ?? 0) + 1);
  }

  /** Doubles like the backoff of a congested TCP connection, and decreases step by step. */
  #adapt(now: number): void {
    const seconds = this.#seconds;
    for (const then of this.#history.keys()) {
      if (now - then > Math.min(2 * seconds, MAX_SECONDS)) this.#history.delete(then);
    }
    let refused = 0;
    for (const [then, count] of this.#history) if (now - then <= seconds) refused += count;
    if (now - this.#raisedAt >= seconds && refused >= 3 * seconds) {
      this.#seconds = Math.min(2 * seconds, MAX_SECONDS);
      this.#raisedAt = now;
    } else if (refused < seconds && seconds > 1) this.#seconds--;
  }
}
