/**
 * Offset ranges by node id.
 *
 * Ids are small and dense, so two arrays hold them at a fraction of the cost of a `Map`; parsing fills this
 * table for every node, and for most expressions nothing reads it.
 */
import type { OffsetRange } from "../ast/expr.ts";

/** Not a valid start: the offset of a node that is not in the text is -1. */
const FREE = -2;

export class PositionTable implements ReadonlyMap<number, OffsetRange> {
  readonly #starts: number[] = [FREE];
  readonly #stops: number[] = [FREE];

  set(id: number, start: number, stop: number): void {
    this.#starts[id] = start;
    this.#stops[id] = stop;
  }

  delete(id: number): void {
    if (id >= 0) this.#starts[id] = FREE;
  }

  /** The start of a node, or -1 if it is not in the text. */
  startOf(id: number): number {
    return this.has(id) ? (this.#starts[id] ?? -1) : -1;
  }

  get(id: number): OffsetRange | undefined {
    if (!this.has(id)) return undefined;
    return { start: this.#starts[id] ?? -1, stop: this.#stops[id] ?? -1 };
  }

  has(id: number): boolean {
    return (this.#starts[id] ?? FREE) !== FREE;
  }

  get size(): number {
    let count = 0;
    for (const start of this.#starts) if (start !== FREE) count++;
    return count;
  }

  *keys(): MapIterator<number> {
    for (let id = 0; id < this.#starts.length; id++) if (this.has(id)) yield id;
  }

  *values(): MapIterator<OffsetRange> {
    for (const [, range] of this.entries()) yield range;
  }

  *entries(): MapIterator<[number, OffsetRange]> {
    for (const id of this.keys()) {
      const range = this.get(id);
      if (range !== undefined) yield [id, range];
    }
  }

  [Symbol.iterator](): MapIterator<[number, OffsetRange]> {
    return this.entries();
  }

  forEach(visit: (range: OffsetRange, id: number, table: ReadonlyMap<number, OffsetRange>) => void): void {
    for (const [id, range] of this.entries()) visit(range, id, this);
  }
}
