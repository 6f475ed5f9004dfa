/** Numbers from a seed, so that a run can be repeated. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Mulberry32: from 0 up to 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  bool(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error("nothing to pick from");
    return chosen;
  }

  /** Some of the choices, in random order, without repetition. */
  some<T>(choices: readonly T[], most: number): T[] {
    const left = [...choices];
    const chosen: T[] = [];
    for (let count = this.below(most + 1); count > 0 && left.length > 0; count--) {
      chosen.push(...left.splice(this.below(left.length), 1));
    }
    return chosen;
  }
}
