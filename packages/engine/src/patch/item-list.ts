/** A list that patches insert into and remove from: in chunks, so that a change in the front of a long list moves little. */

const MAX_CHUNK = 2048;

export class ItemList<T> implements Iterable<T> {
  /** INVARIANT: none is empty. */
  readonly #chunks: T[][] = [];
  #length = 0;

  constructor(items: readonly T[]) {
    for (let at = 0; at < items.length; at += MAX_CHUNK) this.#chunks.push(items.slice(at, at + MAX_CHUNK));
    this.#length = items.length;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): T | undefined {
    const { chunk, offset } = this.#find(index);
    return this.#chunks[chunk]?.[offset];
  }

  set(index: number, item: T): void {
    const { chunk, offset } = this.#find(index);
    const items = this.#chunks[chunk];
    if (items !== undefined) items[offset] = item;
  }

  /** Up to the length itself. */
  insert(index: number, item: T): void {
    const { chunk, offset } = this.#find(index);
    const items = this.#chunks[chunk];
    this.#length++;
    if (items === undefined) {
      this.#chunks.push([item]);
      return;
    }
    items.splice(offset, 0, item);
    if (items.length > MAX_CHUNK) this.#chunks.splice(chunk + 1, 0, items.splice(MAX_CHUNK / 2));
  }

  remove(index: number): void {
    const { chunk, offset } = this.#find(index);
    const items = this.#chunks[chunk];
    if (items === undefined) return;
    items.splice(offset, 1);
    this.#length--;
    if (items.length === 0) this.#chunks.splice(chunk, 1);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** The place behind the last item is at the end of the last chunk. */
  #find(index: number): { readonly chunk: number; readonly offset: number } {
    let before = 0;
    for (let chunk = 0; chunk < this.#chunks.length; chunk++) {
      const { length } = this.#chunks[chunk] ?? [];
      const isLast = chunk === this.#chunks.length - 1;
      if (index < before + length || (isLast && index === before + length)) return { chunk, offset: index - before };
      before += length;
    }
    return { chunk: this.#chunks.length, offset: 0 };
  }
}
