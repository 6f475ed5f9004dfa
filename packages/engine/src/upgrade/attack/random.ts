/** Pseudo-random numbers that are the same in every run, so that findings are reproducible. */

export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = [...seed].reduce((hash, char) => (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0, 17) | 1;
  }

  /** At least 0, less than the limit. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return limit <= 0 ? 0 : ((this.#state >>> 8) % 16_777_216) % limit;
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}
