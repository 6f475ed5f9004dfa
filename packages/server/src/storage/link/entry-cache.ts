/**
 * Entries that were read lately. What is derived from an entry (a parsed object, for example) is kept by the entry
 * itself, so a client that reads an unchanged key again should get the same one.
 */
import type { Entry, StoreEvent } from "../store.ts";

/** Characters of all values together. */
const CAPACITY = 16 << 20;

export class EntryCache {
  /** The one that was used longest ago first. */
  readonly #entries = new Map<string, Entry>();
  #length = 0;

  get(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, entry: Entry | undefined): void {
    this.#forget(key);
    if (entry === undefined || entry.value.length > CAPACITY / 4) return;
    this.#entries.set(key, entry);
    this.#length += entry.value.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= CAPACITY) return;
      this.#forget(oldest);
    }
  }

  /** The entry that is known already, if it is the same version. */
  same(entry: Entry): Entry {
    const known = this.#entries.get(entry.key);
    return known?.revision === entry.revision ? known : entry;
  }

  /** Replaces the old version of a key that is known. */
  note({ key, entry, revision }: StoreEvent): void {
    const known = this.#entries.get(key);
    if (known !== undefined && known.revision < revision) this.set(key, entry);
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#length -= entry.value.length;
    this.#entries.delete(key);
  }
}
