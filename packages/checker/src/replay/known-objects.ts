/**
 * What is known of the objects of the cluster at a time of the log: from the files given, and from the answers in the log.
 *
 * It keeps a limited amount of memory: objects that were not used for longest are forgotten, and are then unknown, never
 * taken for missing.
 */

import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { DecodedTexts, type JsonText } from "./log/json-text.ts";

export type Known =
  | Present
  | { readonly state: "absent" }
  /** Whether it exists, or what it contains, is not known. */
  | {
      readonly state: "uncertain";
      readonly why: string;
      /** What it is if it still exists. */
      readonly unlessGone?: Present | undefined;
    };

export interface Present {
  readonly state: "present";
  readonly object: JsonText;
  /** False if fields that only the server sets are not those of the cluster. */
  readonly isExact: boolean;
  readonly resourceVersion: number;
  /** What it may be instead, where the log leaves that open. */
  readonly others?: readonly JsonText[] | undefined;
}

export interface Version {
  readonly known: Known;
  /** When another version took its place; infinite for the present one. Microseconds. */
  readonly until: number;
}

interface Entry {
  known: Known;
  since: number;
  /** Versions that were replaced lately, the newest first. */
  earlier: Version[];
  /** When the newest version that is no longer kept was replaced. */
  droppedUntil: number;
  isPinned: boolean;
}

export const ABSENT: Known = { state: "absent" };

/**
 * A write that the log does not show, or not as a whole, may have changed objects. Undefined parts may be anything. What is
 * observed after it counts again.
 */
export interface Doubt {
  readonly place?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** When the write ended at the latest. Microseconds. */
  readonly until: number;
  readonly why: string;
  /** Whether it only made objects: those that exist are as they were. */
  readonly isCreation?: boolean;
}

/** For events that come so late that what they found is no longer kept. */
const OUT_OF_ORDER: Known = { state: "uncertain", why: "the event is too far out of order: raise --window" };

/** How long replaced versions are kept for requests that ran at the same time. */
const KEPT_MICROSECONDS = 60_000_000;
const KEPT_VERSIONS = 64;

/** The objects of one kind share a place; namespace is "" for cluster-scoped objects. */
export interface ObjectKey {
  readonly place: string;
  readonly namespace: string;
  readonly name: string;
}

export class KnownObjects {
  /** By place, namespace and name. */
  readonly #places = new Map<string, Map<string, Map<string, Entry>>>();
  /** The least recently written entry of all places is the first. */
  readonly #order = new Map<Entry, ObjectKey>();
  readonly #forgotten = new Set<string>();
  readonly #decoded = new DecodedTexts(DECODED_SIZE);
  readonly #limit: number;
  #size = 0;
  #doubts: readonly Doubt[] = [];

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined if nothing is known. */
  get(key: ObjectKey): Known | undefined {
    const entry = this.#entry(key);
    return this.#doubted(key, entry) ?? entry?.known;
  }

  /** Objects are uncertain from now on. */
  doubt(doubt: Doubt): void {
    this.#doubts = withDoubt(this.#doubts, doubt);
  }

  /** Why a place may have objects that are not known; undefined if it has none. */
  whyIncomplete(place: string, namespace?: string): string | undefined {
    return this.#doubts.find((each) => isAbout(each, { place, namespace, name: undefined }))?.why;
  }

  #doubted(key: ObjectKey, entry: Entry | undefined): Known | undefined {
    if (this.#doubts.length === 0) return undefined;
    const isBelieved = entry?.known.state === "present";
    const found = this.#doubts.find(
      (each) =>
        (entry?.since ?? Number.NEGATIVE_INFINITY) <= each.until &&
        !(isBelieved && each.isCreation) &&
        isAbout(each, key),
    );
    return found && { state: "uncertain", why: found.why };
  }

  /** When the object last changed; 0 if it has not changed in the log. */
  since(key: ObjectKey): number {
    return this.#entry(key)?.since ?? 0;
  }

  /** The version at a time; undefined if nothing is known. */
  at(key: ObjectKey, time: number): Known | undefined {
    const entry = this.#entry(key);
    const doubted = this.#doubted(key, entry);
    if (doubted !== undefined) return doubted;
    if (entry === undefined || entry.since <= time) return entry?.known;
    if (time < entry.droppedUntil) return OUT_OF_ORDER;
    const earlier = entry.earlier.findLast(({ until }) => until > time);
    return earlier?.known;
  }

  /** All versions that were current at some time from `time` on, the newest first. */
  versionsSince(key: ObjectKey, time: number): readonly Known[] {
    const entry = this.#entry(key);
    const doubted = this.#doubted(key, entry);
    if (doubted !== undefined) return [doubted];
    if (entry === undefined) return [];
    const earlier = entry.earlier.filter(({ until }) => until >= time).map(({ known }) => known);
    return time < entry.droppedUntil ? [OUT_OF_ORDER] : [entry.known, ...earlier];
  }

  /** Whether objects of this place were forgotten for lack of memory. */
  isForgetful(place: string): boolean {
    return this.#forgotten.has(place);
  }

  has(place: string): boolean {
    return (this.#places.get(place)?.size ?? 0) > 0;
  }

  keys(place: string, namespace?: string): ObjectKey[] {
    const spaces = this.#places.get(place);
    if (spaces === undefined) return [];
    const keysIn = (each: string): ObjectKey[] =>
      [...(spaces.get(each)?.keys() ?? [])].map((name) => ({ place, namespace: each, name }));
    return namespace === undefined ? [...spaces.keys()].flatMap(keysIn) : keysIn(namespace);
  }

  /** A version that arrives late, as its resourceVersion shows, only joins the earlier ones. */
  set(key: ObjectKey, known: Known, at: number, isPinned = false): void {
    const space = this.#space(key);
    const kept = this.#packed(known);
    let entry = space.get(key.name);
    if (entry === undefined) {
      entry = { known: kept, since: at, earlier: [], droppedUntil: Number.NEGATIVE_INFINITY, isPinned };
      space.set(key.name, entry);
      this.#size += sizeOf(kept);
    } else if (isOlder(kept, entry.known) || at < entry.since) {
      entry.earlier.push({ known: kept, until: entry.since });
      this.#size += sizeOf(kept);
    } else {
      this.#keepEarlier(entry, at);
      this.#size += sizeOf(kept);
      entry.known = kept;
      entry.since = at;
    }
    this.#order.delete(entry);
    if (!isPinned && !entry.isPinned) this.#order.set(entry, key);
    this.#forget();
  }

  #packed(known: Known): Known {
    // What is left of a deletion is packed already.
    if (known.state !== "present") return known;
    const others = known.others?.map((each) => each.packed(this.#decoded));
    return { ...known, object: known.object.packed(this.#decoded), ...(others && { others }) };
  }

  #keepEarlier(entry: Entry, at: number): void {
    if (entry.earlier.length === 0) {
      entry.earlier.push({ known: entry.known, until: at });
      return;
    }
    const all = [{ known: entry.known, until: at }, ...entry.earlier];
    entry.earlier = all.filter(({ until }) => until >= at - KEPT_MICROSECONDS).slice(0, KEPT_VERSIONS);
    for (const { known, until } of all) {
      if (entry.earlier.some((each) => each.known === known)) continue;
      this.#size -= sizeOf(known);
      entry.droppedUntil = Math.max(entry.droppedUntil, until);
    }
  }

  #forget(): void {
    for (const [entry, key] of this.#order) {
      if (this.#size <= this.#limit) return;
      this.#order.delete(entry);
      this.#size -= sizeOf(entry.known);
      for (const { known } of entry.earlier) this.#size -= sizeOf(known);
      this.#places.get(key.place)?.get(key.namespace)?.delete(key.name);
      this.#forgotten.add(key.place);
    }
  }

  #space({ place, namespace }: ObjectKey): Map<string, Entry> {
    let spaces = this.#places.get(place);
    if (spaces === undefined) {
      spaces = new Map();
      this.#places.set(place, spaces);
    }
    let space = spaces.get(namespace);
    if (space === undefined) {
      space = new Map();
      spaces.set(namespace, space);
    }
    return space;
  }

  #entry({ place, namespace, name }: ObjectKey): Entry | undefined {
    return this.#places.get(place)?.get(namespace)?.get(name);
  }
}

function isAbout(
  doubt: Doubt,
  { place, namespace, name }: Partial<Record<keyof ObjectKey, string | undefined>>,
): boolean {
  const mayBe = (wanted: string | undefined, found: string | undefined): boolean =>
    wanted === undefined || found === undefined || wanted === found;
  return mayBe(doubt.place, place) && mayBe(doubt.namespace, namespace) && mayBe(doubt.name, name);
}

/** Of a log with very many damaged lines, all objects are doubted. */
const MOST_DOUBTS = 200;

function withDoubt(doubts: readonly Doubt[], doubt: Doubt): readonly Doubt[] {
  const rest = doubts.filter((each) => !includes(doubt, each));
  if (rest.length < MOST_DOUBTS) return [...rest, doubt];
  const until = Math.max(doubt.until, ...rest.map((each) => each.until));
  return [{ until, why: "many lines of the log are damaged, and may have changed it" }];
}

function includes(doubt: Doubt, other: Doubt): boolean {
  const parts = ["place", "namespace", "name"] as const;
  const isWider = parts.every((part) => doubt[part] === undefined || doubt[part] === other[part]);
  return isWider && doubt.until >= other.until && (doubt.isCreation !== true || other.isCreation === true);
}

function isOlder(known: Known, than: Known): boolean {
  return (
    known.state === "present" &&
    than.state === "present" &&
    known.resourceVersion > 0 &&
    known.resourceVersion < than.resourceVersion
  );
}

/** Of an entry with its keys. */
const OVERHEAD = 700;

/** How much of the texts may be decoded at a time. */
const DECODED_SIZE = 128 * 1024;

function sizeOf(known: Known): number {
  if (known.state === "uncertain" && known.unlessGone !== undefined) return sizeOf(known.unlessGone);
  if (known.state !== "present") return OVERHEAD;
  return (known.others ?? []).reduce((size, each) => size + each.size, OVERHEAD + known.object.size);
}

/** The object, if it is known that it exists and what it is. */
export function onlyForm(known: Known | undefined): JsonObject | undefined {
  return known?.state === "present" && !known.others?.length ? known.object.object() : undefined;
}

/** An object as the log or a file has it. */
export function presentAs(object: JsonText, isExact: boolean): Known {
  const version = Number(object.resourceVersion());
  return { state: "present", object, isExact, resourceVersion: Number.isSafeInteger(version) ? version : 0 };
}
