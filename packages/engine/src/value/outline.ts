/**
 * The outline of a document: its distinct keys, with all items of a list taken together.
 *
 * A thousand similar objects in a list have the outline of one. Everything that depends on keys alone is decided by the
 * outline, in a fraction of the time of a walk over the document, and while decoding it predicts the next key.
 */
import type { JsonValue } from "./json.ts";

/** All values at one place: under one key of one place, or in the lists there. */
export class Outline {
  /** "" at the root and for items. */
  readonly key: string;
  /** The document, at the root. */
  document: JsonValue | undefined = undefined;
  /** The members of all objects that stand here, in the order they were first met. */
  readonly members: Outline[] = [];
  /** The items of all lists that stand here. */
  items: Outline | undefined = undefined;
  hasNull = false;
  /** For the decoder: the member that came first in the last object that stood here. */
  entry: Outline | undefined = undefined;
  /** For the decoder: the member that followed this one when it was last met. */
  next: Outline | undefined = undefined;
  /** For the decoder: the number of the last object that had this member. */
  seenIn = 0;
  /** For the decoder: the UTF-16 units of the key, which compare faster than a text. */
  units: readonly number[] | undefined = undefined;
  #byKey: Map<string, Outline> | undefined = undefined;

  constructor(key: string) {
    this.key = key;
  }

  /** Notes the units of the key. */
  spell(): readonly number[] {
    const units: number[] = [];
    for (let i = 0; i < this.key.length; i++) units.push(this.key.charCodeAt(i));
    this.units = units;
    return units;
  }

  /** The member of a key; made where there is none. */
  member(key: string): Outline {
    const { members } = this;
    if (this.#byKey !== undefined || members.length >= MAX_LINEAR) return this.#indexed(key);
    for (const member of members) if (member.key === key) return member;
    return this.#add(key);
  }

  #indexed(key: string): Outline {
    this.#byKey ??= new Map(this.members.map((member) => [member.key, member]));
    return this.#byKey.get(key) ?? this.#add(key);
  }

  #add(key: string): Outline {
    const member = new Outline(key);
    this.members.push(member);
    this.#byKey?.set(key, member);
    return member;
  }
}

/** So many keys are found faster by looking at each. */
const MAX_LINEAR = 8;
