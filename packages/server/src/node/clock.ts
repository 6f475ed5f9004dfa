/** A clock that a test turns. */

/** For example `const clock = new TestClock(); await startServer({ now: clock.now }); clock.advance(3_600_000);`. */
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
