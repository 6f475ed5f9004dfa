/** A clock that a test turns. */

/**
 * For example `const clock = new TestClock(); await startServer({ now: clock.now }); clock.advance(3_600_000);`.
 * @example
 * const clock = new TestClock(Date.parse("2030-01-01T00:00:00Z"));
 * clock.advance(3_600_000);
 * new Date(clock.now()).toISOString(); // "2030-01-01T01:00:00.000Z"
 */
export class TestClock {
  #time: number;

  /** Milliseconds since 1970; default the present. */
  constructor(time: number = Date.now()) {
    this.#time = time;
  }

  readonly now = (): number => this.#time;

  /** By milliseconds. */
  advance(milliseconds: number): void {
    this.#time += milliseconds;
  }

  set(time: number): void {
    this.#time = time;
  }
}
