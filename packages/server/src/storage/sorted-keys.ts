/**
 * Sorted keys, in chunks of a few hundred: inserting into the middle of 200,000 keys moves one chunk, not all of them.
 *
 * The order is that of UTF-16 units, which for the names Kubernetes allows is byte order.
 */

const MAX_CHUNK = 512;

export class SortedKeys {
  /** INVARIANT: no chunk is empty; all keys of a chunk are below those of the next. */
  readonly #chunks: string[][] = [];

  /** The key must not exist yet. */
  add(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#append(key);
      return;
    }
    chunk.splice(lowerBound(chunk, key), 0, key);
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(chunk.length >> 1));
  }

  remove(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    const index = chunk === undefined ? -1 : lowerBound(chunk, key);
    if (chunk?.[index] !== key) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** From the first key that is not below `start`, as long as keys have the prefix. */
  *range(prefix: string, start: string = prefix): Generator<string> {
    const from = start < prefix ? prefix : start;
    for (let at = this.#chunkOf(from); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] ?? [];
      for (let index = lowerBound(chunk, from); index < chunk.length; index++) {
        const key = chunk[index] as string;
        if (!key.startsWith(prefix)) return;
        yield key;
      }
    }
  }

  /** How many keys `range` would yield; skips whole chunks. */
  count(prefix: string, start: string = prefix): number {
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
    return Math.max(0, this.#countBelow(end) - this.#countBelow(start < prefix ? prefix : start));
  }

  #countBelow(key: string): number {
    const at = this.#chunkOf(key);
    let count = lowerBound(this.#chunks[at] ?? [], key);
    for (let index = 0; index < at; index++) count += this.#chunks[index]?.length ?? 0;
    return count;
  }

  #append(key: string): void {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.length < MAX_CHUNK) last.push(key);
    else this.#chunks.push([key]);
  }

  /** The first chunk whose last key is not below the key; the number of chunks if all are below. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#chunks[middle]?.at(-1) ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
