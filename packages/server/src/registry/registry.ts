/**
 * All kinds the server serves, by group, version and plural. Listeners hear of every change, so that discovery and
 * OpenAPI documents are made anew when asked for next.
 *
 * There may be tens of thousands of kinds: whatever a request looks up is indexed.
 */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";

export class Registry {
  readonly #types = new Map<string, ResourceKind>();
  /** Kinds by group, and in it by key. */
  readonly #groups = new Map<string, Map<string, ResourceKind>>();
  /** How many built-in kinds a group or a version of it has, by its name in URLs. */
  readonly #builtIn = new Map<string, number>();
  /** Kinds by where they are stored, and there by key. */
  readonly #prefixes = new Map<string, Map<string, ResourceKind>>();
  readonly #listeners = new Set<() => void>();
  /** By the key of the kind. */
  readonly #users = new Map<string, Set<() => void>>();
  /** Kinds that requests may have found before they were retired. */
  readonly #retired = new WeakSet<ResourceKind>();
  #generation = 0;

  /** Counts the changes: what was derived from the registry at another number is out of date. */
  get generation(): number {
    return this.#generation;
  }

  add(type: ResourceKind): void {
    const key = keyOf(type.group, type.version, type.plural);
    this.#forget(key);
    this.#types.set(key, type);
    addTo(this.#groups, type.group, key, type);
    addTo(this.#prefixes, type.storagePrefix, key, type);
    this.#countBuiltIn(type, 1);
    this.#changed();
  }

  remove(type: ResourceKind): void {
    if (this.#forget(keyOf(type.group, type.version, type.plural))) this.#changed();
  }

  /** Ends the watches of a kind that is served differently from now on, or no longer. */
  retire(type: ResourceKind): void {
    this.#retired.add(type);
    this.endWatches(type);
  }

  endWatches(type: ResourceKind): void {
    for (const end of this.#users.get(keyOf(type.group, type.version, type.plural)) ?? []) end();
  }

  /** Calls `end` when the kind is retired, at once if it already is, until the returned function is called. */
  untilRetired(type: ResourceKind, end: () => void): () => void {
    if (this.#retired.has(type)) {
      end();
      return () => {};
    }
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
    return this.#findInGroup(group, (type) => type.plural === plural);
  }

  findKind(group: string, version: string, kind: string): ResourceKind | undefined {
    return this.#findInGroup(group, (type) => type.version === version && type.kind === kind);
  }

  /** The kinds of a group, in the order they were added. */
  ofGroup(group: string): ResourceKind[] {
    return [...(this.#groups.get(group)?.values() ?? [])];
  }

  /** The names of all groups that have a kind. */
  groups(): string[] {
    return [...this.#groups.keys()];
  }

  /** Whether a kind of the group is built in. */
  isBuiltIn(group: string): boolean {
    return (this.#builtIn.get(group) ?? 0) > 0;
  }

  isBuiltInVersion(group: string, version: string): boolean {
    return (this.#builtIn.get(`${group}/${version}`) ?? 0) > 0;
  }

  #countBuiltIn({ group, version, isCustom }: ResourceKind, change: number): void {
    if (isCustom) return;
    for (const name of [group, `${group}/${version}`]) this.#builtIn.set(name, (this.#builtIn.get(name) ?? 0) + change);
  }

  /** The kinds that are stored under a prefix: versions of one resource. */
  *storedUnder(prefix: string): Iterable<ResourceKind> {
    yield* this.#prefixes.get(prefix)?.values() ?? [];
  }

  all(): ResourceKind[] {
    return [...this.#types.values()];
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #findInGroup(group: string, isWanted: (type: ResourceKind) => boolean): ResourceKind | undefined {
    for (const type of this.#groups.get(group)?.values() ?? []) if (isWanted(type)) return type;
    return undefined;
  }

  #forget(key: string): boolean {
    const type = this.#types.get(key);
    if (type === undefined) return false;
    removeFrom(this.#groups, type.group, key);
    removeFrom(this.#prefixes, type.storagePrefix, key);
    this.#countBuiltIn(type, -1);
    return this.#types.delete(key);
  }

  #changed(): void {
    this.#generation++;
    for (const listener of this.#listeners) listener();
  }
}

type Index = Map<string, Map<string, ResourceKind>>;

function addTo(index: Index, name: string, key: string, type: ResourceKind): void {
  const types = index.get(name);
  if (types === undefined) index.set(name, new Map([[key, type]]));
  else types.set(key, type);
}

function removeFrom(index: Index, name: string, key: string): void {
  const types = index.get(name);
  types?.delete(key);
  if (types?.size === 0) index.delete(name);
}

function keyOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
