/**
 * A fraction whose histogram counts how long it had each value, in nanoseconds: a load that is looked at only when
 * something changes would seem to be high all the time.
 *
 * Follows component-base/metrics/prometheusextension/timing_histogram.go.
 */

const NANOSECONDS = 1e9;

export class TimedRatio {
  readonly #note: (value: number, times: number) => void;
  #value = 0;
  #since: number;

  /** The beginning is in seconds, as all times. */
  constructor(note: (value: number, times: number) => void, now: number) {
    this.#note = note;
    this.#since = now;
  }

  set(value: number, now: number): void {
    this.pass(now);
    this.#value = value;
  }

  /** Counts the time since the last call. */
  pass(now: number): void {
    const passed = Math.round((now - this.#since) * NANOSECONDS);
    if (passed <= 0) return;
    this.#note(this.#value, passed);
    this.#since = now;
  }
}
