/**
 * Entries in their decoded form, by the kind that reads them. Drivers hand out the same entry again and again, and an
 * entry never changes.
 *
 * Decoded objects take several times the memory of their text, so only those decoded last are kept. What a webhook has
 * converted stays as long as its entry does: it cannot be had again without waiting.
 */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { Entry } from "../storage/store.ts";

/** Characters of text. */
const LIMIT = 16 * 1024 * 1024;

type ByKind = WeakMap<ResourceKind, JsonObject>;

export class DecodedEntries {
  readonly #limit: number;
  readonly #decoded = new WeakMap<Entry, ByKind>();
  readonly #converted = new WeakMap<Entry, ByKind>();
  /** What was decoded first comes first. */
  #queue: Entry[] = [];
  /** How many of the queue are gone already. */
  #gone = 0;
  #size = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  get(entry: Entry, type: ResourceKind): JsonObject | undefined {
    return this.#decoded.get(entry)?.get(type) ?? this.#converted.get(entry)?.get(type);
  }

  add(entry: Entry, type: ResourceKind, object: JsonObject): void {
    const known = this.#decoded.get(entry);
    if (known !== undefined) {
      known.set(type, object);
      return;
    }
    this.#decoded.set(entry, new WeakMap([[type, object]]));
    this.#queue.push(entry);
    this.#size += entry.value.length;
    while (this.#size > this.#limit && this.#gone < this.#queue.length - 1) this.#dropOldest();
  }

  addConverted(entry: Entry, type: ResourceKind, object: JsonObject): void {
    const known = this.#converted.get(entry);
    if (known === undefined) this.#converted.set(entry, new WeakMap([[type, object]]));
    else known.set(type, object);
  }

  #dropOldest(): void {
    const oldest = this.#queue[this.#gone++] as Entry;
    this.#decoded.delete(oldest);
    this.#size -= oldest.value.length;
    if (this.#gone * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#gone);
    this.#gone = 0;
  }
}
