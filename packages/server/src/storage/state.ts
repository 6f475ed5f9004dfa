/**
 * The state of a store in memory: the newest version of every key, and the older ones that are not compacted.
 *
 * Drivers that keep everything in memory (memory, embedded) share it; they differ in how a write becomes durable before
 * it is applied here. Versions of a key form a chain from new to old; the log holds all events since the last
 * compaction.
 */
import { SortedKeys } from "./sorted-keys.ts";
import { Compacted, type Entry, type EntryList, FutureRevision, type ListOptions, type StoreEvent } from "./store.ts";

interface Version {
  readonly revision: number;
  /** Undefined for a deletion. */
  readonly entry: Entry | undefined;
  older: Version | undefined;
}

export class StoreState {
  readonly #newest = new Map<string, Version>();
  readonly #keys = new SortedKeys();
  /** Keys whose newest version is a deletion. */
  readonly #gone = new SortedKeys();
  /** INVARIANT: revisions strictly increase and lie above the compacted one. */
  #log: StoreEvent[] = [];
  #revision: number;
  #compacted: number;

  /** A store at `revision` without earlier history. */
  constructor(revision = 1) {
    this.#revision = revision;
    this.#compacted = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  get compacted(): number {
    return this.#compacted;
  }

  get(key: string): Entry | undefined {
    return this.#newest.get(key)?.entry;
  }

  list(prefix: string, { start, limit, revision }: ListOptions = {}): EntryList {
    const at = revision ?? this.#revision;
    if (at > this.#revision) throw new FutureRevision(this.#revision);
    if (at < this.#compacted) throw new Compacted(this.#compacted);
    const entries: Entry[] = [];
    for (const key of this.#keys.range(prefix, start)) {
      if (entries.length === limit) return { entries, revision: at, remaining: this.#countFrom(key, prefix, at) };
      const entry = this.#entryAt(key, at);
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, revision: at, remaining: 0 };
  }

  /** The event must have a larger revision than the current one. */
  apply(event: StoreEvent): void {
    const older = this.#newest.get(event.key);
    if (older === undefined) this.#keys.add(event.key);
    const wasGone = older !== undefined && older.entry === undefined;
    if (event.entry === undefined && !wasGone) this.#gone.add(event.key);
    if (event.entry !== undefined && wasGone) this.#gone.remove(event.key);
    this.#newest.set(event.key, { revision: event.revision, entry: event.entry, older });
    this.#log.push(event);
    this.#revision = event.revision;
  }

  /** Advances the revision without an event. */
  advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
  }

  /** Restores an entry when a store is opened, before requests are served. */
  restore(entry: Entry): void {
    if (!this.#newest.has(entry.key)) this.#keys.add(entry.key);
    this.#newest.set(entry.key, { revision: entry.revision, entry, older: undefined });
    this.advance(entry.revision);
    this.#compacted = this.#revision;
  }

  /** Events after the revision whose key starts with the prefix. */
  *eventsAfter(revision: number, prefix: string): Generator<StoreEvent> {
    if (revision < this.#compacted) throw new Compacted(this.#compacted);
    for (let index = this.#firstAfter(revision); index < this.#log.length; index++) {
      const event = this.#log[index] as StoreEvent;
      if (event.key.startsWith(prefix)) yield event;
    }
  }

  compact(revision: number): void {
    const target = Math.min(revision, this.#revision);
    if (target <= this.#compacted) return;
    const cut = this.#firstAfter(target);
    for (const event of this.#log.slice(0, cut)) this.#forget(event.key, target);
    this.#log = this.#log.slice(cut);
    this.#compacted = target;
  }

  /** The number of entries from the key on at the revision: the current number, minus later changes. */
  #countFrom(start: string, prefix: string, revision: number): number {
    let count = this.#keys.count(prefix, start) - this.#gone.count(prefix, start);
    const changed = new Set<string>();
    for (let index = this.#firstAfter(revision); index < this.#log.length; index++) {
      const { key } = this.#log[index] as StoreEvent;
      if (key >= start && key.startsWith(prefix)) changed.add(key);
    }
    for (const key of changed) {
      if (this.get(key) !== undefined) count--;
      if (this.#entryAt(key, revision) !== undefined) count++;
    }
    return count;
  }

  #entryAt(key: string, revision: number): Entry | undefined {
    let version = this.#newest.get(key);
    while (version !== undefined && version.revision > revision) version = version.older;
    return version?.entry;
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#log[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Keeps the version visible at the revision, removes older ones, and removes a key whose newest version is a
   * deletion.
   */
  #forget(key: string, revision: number): void {
    let version = this.#newest.get(key);
    while (version !== undefined && version.revision > revision) version = version.older;
    if (version === undefined) return;
    version.older = undefined;
    if (version.entry === undefined && version === this.#newest.get(key)) {
      this.#newest.delete(key);
      this.#keys.remove(key);
      this.#gone.remove(key);
    }
  }
}
