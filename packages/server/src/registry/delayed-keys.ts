/** Keys that are handed on some time after they were first added, each once. */
export class DelayedKeys {
  readonly #delay: number;
  readonly #handOn: (key: string) => void;
  /** When each is due. All wait equally long, so the first is due first. */
  readonly #due = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(delay: number, handOn: (key: string) => void) {
    this.#delay = delay;
    this.#handOn = handOn;
  }

  add(key: string): void {
    if (this.#isClosed || this.#due.has(key)) return;
    this.#due.set(key, performance.now() + this.#delay);
    this.#arm();
  }

  /** Hands all on at once; false if there are none. */
  flush(): boolean {
    const keys = [...this.#due.keys()];
    this.#due.clear();
    for (const key of keys) this.#handOn(key);
    return keys.length > 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#due.clear();
    clearTimeout(this.#timer);
  }

  #arm(): void {
    const [first] = this.#due.values();
    if (this.#timer !== undefined || first === undefined) return;
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, first - performance.now()));
  }

  #fire(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [key, due] of this.#due) {
      if (due > now) break;
      this.#due.delete(key);
      this.#handOn(key);
    }
    this.#arm();
  }
}
