/**
 * All kinds the server serves, by group, version and plural. Listeners hear of every change, so that discovery and
 * OpenAPI documents are made anew when asked for next.
 */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";

export class Registry {
  readonly #types = new Map<string, ResourceKind>();
  readonly #listeners = new Set<() => void>();
  /** By the key of the kind. */
  readonly #users = new Map<string, Set<() => void>>();
  #generation = 0;

  /** Counts the changes: what was derived from the registry at another number is out of date. */
  get generation(): number {
    return this.#generation;
  }

  add(type: ResourceKind): void {
    this.#types.set(keyOf(type.group, type.version, type.plural), type);
    this.#changed();
  }

  remove(type: ResourceKind): void {
    if (this.#types.delete(keyOf(type.group, type.version, type.plural))) this.#changed();
  }

  /** Ends the watches of a kind that is served differently from now on, or no longer. */
  retire(type: ResourceKind): void {
    for (const end of this.#users.get(keyOf(type.group, type.version, type.plural)) ?? []) end();
  }

  /** Calls `end` when the kind is retired, until the returned function is called. */
  untilRetired(type: ResourceKind, end: () => void): () => void {
    const key = keyOf(type.group, type.version, type.plural);
    const users = this.#users.get(key) ?? new Set();
    this.#users.set(key, users.add(end));
    return () => {
      if (users.delete(end) && users.size === 0 && this.#users.get(key) === users) this.#users.delete(key);
    };
  }

  find(group: string, version: string, plural: string): ResourceKind | undefined {
    return this.#types.get(keyOf(group, version, plural));
  }

  /** Any version of the resource. */
  findAny(group: string, plural: string): ResourceKind | undefined {
    return this.all().find((type) => type.group === group && type.plural === plural);
  }

  all(): ResourceKind[] {
    return [...this.#types.values()];
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #changed(): void {
    this.#generation++;
    for (const listener of this.#listeners) listener();
  }
}

function keyOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
