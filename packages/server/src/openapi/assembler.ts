/** Puts documents together from pieces that it keeps as long as their kinds live. */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import type { Pause } from "../endpoints/request-time.ts";
import type { Fragment } from "./extension-documents.ts";

/** Encoded members by name; those that are put together member by member are maps in turn, and others plain values. */
export type Members = Map<string, Uint8Array | Members | { readonly value: JsonValue }>;

export interface AssemblerOptions {
  /** Names the members that are put together member by member. */
  readonly merged: readonly string[];
  /** Encodes one member of those. */
  readonly encode: (member: string, name: string, value: JsonObject) => Uint8Array;
}

export class Assembler {
  readonly #make: (types: readonly ResourceKind[]) => JsonObject;
  readonly #options: AssemblerOptions;
  readonly #pieces = new WeakMap<ResourceKind, Members>();
  /** By the first of the kinds. */
  readonly #builtIn = new WeakMap<ResourceKind, { readonly count: number; readonly members: Members }>();
  /** Custom resources share the schemas of their metadata, as the same objects. */
  readonly #encoded = new WeakMap<JsonObject, Uint8Array>();

  constructor(make: (types: readonly ResourceKind[]) => JsonObject, options: AssemblerOptions) {
    this.#make = make;
    this.#options = options;
  }

  async document(types: readonly ResourceKind[], pause: Pause): Promise<Members> {
    const custom = types.filter(({ customSchema }) => customSchema !== undefined);
    const document: Members = new Map();
    merge(document, this.#builtInPiece(types.filter(({ customSchema }) => customSchema === undefined)));
    await pause();
    for (const type of custom) {
      merge(document, this.#piece(type));
      const pausing = pause();
      if (pausing !== undefined) await pausing;
    }
    return document;
  }

  /** Adds what extension API servers publish. */
  add(document: Members, fragments: readonly Fragment[]): void {
    for (const fragment of fragments) {
      for (const [name, value] of Object.entries(fragment))
        merge(document, new Map([[name, this.#split(name, value)]]));
    }
  }

  /** Built-in kinds are the same for as long as the server runs. */
  #builtInPiece(types: readonly ResourceKind[]): Members {
    const [first] = types;
    if (first === undefined) return new Map();
    const known = this.#builtIn.get(first);
    if (known?.count === types.length) return known.members;
    const members = this.#membersOf(types);
    this.#builtIn.set(first, { count: types.length, members });
    return members;
  }

  #piece(type: ResourceKind): Members {
    const known = this.#pieces.get(type);
    if (known !== undefined) return known;
    const made = this.#membersOf([type]);
    this.#pieces.set(type, made);
    return made;
  }

  #membersOf(types: readonly ResourceKind[]): Members {
    const members: Members = new Map();
    for (const [name, value] of Object.entries(this.#make(types))) {
      members.set(name, this.#options.merged.includes(name) ? this.#split(name, value) : { value });
    }
    return members;
  }

  /** Schemas of version 3 are one level deeper than those of version 2. */
  #split(member: string, value: JsonValue): Members {
    const members: Members = new Map();
    for (const [name, each] of isObject(value) ? Object.entries(value) : []) {
      if (name === "schemas") members.set(name, this.#split(name, each));
      else if (isObject(each)) members.set(name, this.#encode(member, name, each));
    }
    return members;
  }

  #encode(member: string, name: string, value: JsonObject): Uint8Array {
    let bytes = this.#encoded.get(value);
    if (bytes === undefined) {
      bytes = this.#options.encode(member, name, value);
      this.#encoded.set(value, bytes);
    }
    return bytes;
  }
}

/** What is there stays: what two pieces share is the same in both, or more complete in the first, the built-in one. */
function merge(into: Members, from: Members): void {
  for (const [name, value] of from) {
    const present = into.get(name);
    if (present === undefined) into.set(name, value instanceof Map ? copy(value) : value);
    else if (present instanceof Map && value instanceof Map) merge(present, value);
  }
}

function copy(members: Members): Members {
  return new Map([...members].map(([name, value]) => [name, value instanceof Map ? copy(value) : value]));
}

export function sortedMembers(members: Members): [name: string, value: Uint8Array | Members | { value: JsonValue }][] {
  return [...members].sort(([a], [b]) => (a < b ? -1 : 1));
}
