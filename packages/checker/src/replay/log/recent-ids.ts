/** The events seen lately: rotated logs may overlap. */
export class RecentIds {
  #young = new Set<string>();
  #old = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(id: string): boolean {
    return id !== "" && (this.#young.has(id) || this.#old.has(id));
  }

  add(id: string): void {
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(id);
  }
}
