/**
 * A map for walks over the keys of objects. Most objects of a kind have the same keys in the same order, so each entry
 * remembers which one followed it: most look-ups are one comparison.
 */

export interface OrderedEntry<T> {
  /** The very string that objects have for a key, which makes comparing it with theirs a matter of identity. */
  name: string;
  readonly value: T;
  /** What followed when this entry was last met. */
  next: OrderedEntry<T> | undefined;
}

export class OrderedMap<T> {
  readonly #entries: ReadonlyMap<string, OrderedEntry<T>>;
  #first: OrderedEntry<T> | undefined = undefined;

  constructor(entries: Iterable<readonly [name: string, value: T]>) {
    this.#entries = new Map(
      Array.from(entries, ([name, value]): [string, OrderedEntry<T>] => [name, { name, value, next: undefined }]),
    );
  }

  get size(): number {
    return this.#entries.size;
  }

  /** `before` is the entry that was found before in the same object. */
  find(name: string, before: OrderedEntry<T> | undefined): OrderedEntry<T> | undefined {
    const expected = before === undefined ? this.#first : before.next;
    return expected !== undefined && expected.name === name ? expected : this.#search(name, before);
  }

  #search(name: string, before: OrderedEntry<T> | undefined): OrderedEntry<T> | undefined {
    const found = this.#entries.get(name);
    if (found === undefined) return undefined;
    found.name = name;
    if (before === undefined) this.#first = found;
    else before.next = found;
    return found;
  }
}
