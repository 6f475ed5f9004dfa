/**
 * The merge schema: what server-side apply needs to know of a type, and no more.
 *
 * Follows structured-merge-diff schema/elements.go. A type lists the forms its values may take (scalar, list, map); most
 * have one, free-form data has all three. Types may refer to themselves, so they form a graph and are compared by
 * identity.
 */
import type { JsonValue } from "../../value/json.ts";

export interface MergeType {
  /** Whether the type is named or inlined matters for recognising free-form data. */
  readonly name: string | undefined;
  readonly scalar: ScalarKind | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

export type ScalarKind = "numeric" | "string" | "boolean" | "untyped";

export interface ListType {
  readonly element: MergeType | undefined;
  /** An associative list with keys is a map, without keys a set. */
  readonly relationship: "atomic" | "associative";
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, StructField>;
  /** The type of members that are no fields; undefined if there may be none. */
  readonly element: MergeType | undefined;
  readonly relationship: "atomic" | "separable";
}

export interface StructField {
  readonly type: MergeType;
  /** Counts only where the field is a key of a list: an item that leaves it out has this value. */
  readonly default: JsonValue | undefined;
}

/** How a type graph with cycles is made: the node first, its content later. */
export type MutableMergeType = { -readonly [K in keyof MergeType]: MergeType[K] };

export function newType(parts: Partial<MergeType>): MutableMergeType {
  return { name: parts.name, scalar: parts.scalar, list: parts.list, map: parts.map };
}

export function scalarType(scalar: ScalarKind): MergeType {
  return newType({ scalar });
}

const NO_FIELDS: ReadonlyMap<string, StructField> = new Map();

export function mapOf(element: MergeType): MapType {
  return { fields: NO_FIELDS, element, relationship: "separable" };
}

/** Free-form data as an atomic value: the items of free-form lists. */
export const UNTYPED_ATOMIC: MergeType = makeUntypedAtomic();

/** Free-form data of which each map member has its own owner; its lists are taken as a whole. */
export const DEDUCED: MergeType = makeDeduced();

function makeUntypedAtomic(): MergeType {
  const type = newType({ name: "__untyped_atomic_", scalar: "untyped" });
  type.list = { element: type, relationship: "atomic", keys: [] };
  type.map = { fields: NO_FIELDS, element: type, relationship: "atomic" };
  return type;
}

function makeDeduced(): MergeType {
  const type = newType({ name: "__untyped_deduced_", scalar: "untyped" });
  type.list = { element: UNTYPED_ATOMIC, relationship: "atomic", keys: [] };
  type.map = mapOf(type);
  return type;
}
