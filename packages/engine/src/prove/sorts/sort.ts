/**
 * The possible values of a place in a request, by the kinds of value that CEL distinguishes. A sort is an upper bound:
 * it contains every value that can reach admission, and may contain more.
 */

/** What a proof relies on beyond the language itself. */
export type Premise =
  | "authorizer"
  | "authentication"
  | "canonical-quantity"
  | "cost"
  | "default"
  | "native-validation"
  | "omitempty"
  | "schema"
  | "server-label"
  | "server-metadata";

export interface Sort {
  readonly alternatives: () => readonly Alternative[];
  readonly relies: readonly Premise[];
}

export type Alternative =
  | { readonly kind: "null" }
  /** `only` if the other value never occurs. */
  | { readonly kind: "bool"; readonly only?: boolean | undefined }
  | IntAlternative
  | DoubleAlternative
  | TextAlternative
  | ListAlternative
  | MapAlternative;

export interface IntAlternative {
  readonly kind: "int";
  readonly min?: bigint | undefined;
  readonly max?: bigint | undefined;
  readonly multipleOf?: bigint | undefined;
  readonly excluded?: readonly bigint[];
  readonly listed?: readonly bigint[] | undefined;
}

export interface DoubleAlternative {
  readonly kind: "double";
  /** Values such as 4.0, which a custom resource may hold if its schema has type integer. */
  readonly integral: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly multipleOf?: bigint | undefined;
  readonly listed?: readonly number[] | undefined;
}

export interface TextAlternative {
  readonly kind: "string";
  /** Patterns that any part of the text matches, as RE2 has it. */
  readonly patterns?: readonly string[];
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly listed?: readonly string[] | undefined;
  /** Whether a string may occur, if no pattern expresses it. */
  readonly isPossible?: (text: string) => boolean;
  /** Strings to try if an example is needed. */
  readonly samples?: readonly string[];
}

export interface ListAlternative {
  readonly kind: "list";
  readonly item: () => Sort;
  readonly min: number;
  readonly max?: number | undefined;
  /** A key in which no two elements are equal; "" if the elements themselves differ. */
  readonly uniqueBy?: string | undefined;
}

export interface MapAlternative {
  readonly kind: "map";
  /** Undefined for a key that is never present. */
  readonly property: (key: string) => Property | undefined;
  /** Set if keys are data, such as labels. */
  readonly open?: OpenKeys | undefined;
  /** The least number of entries. */
  readonly min: number;
  readonly max?: number | undefined;
  /** The possible keys of a struct; empty if they are not known. */
  readonly keys: () => readonly string[];
}

export interface OpenKeys {
  readonly key: TextAlternative;
  readonly value: () => Sort;
}

export interface Property {
  readonly sort: Sort;
  readonly presence: "always" | "optional";
  readonly relies: readonly Premise[];
}

export function sortOf(alternatives: readonly Alternative[], relies: readonly Premise[] = []): Sort {
  return { alternatives: () => alternatives, relies };
}

export function lazySort(make: () => readonly Alternative[], relies: readonly Premise[] = []): Sort {
  let made: readonly Alternative[] | undefined;
  return {
    alternatives: () => {
      made ??= make();
      return made;
    },
    relies,
  };
}

export function always(sort: Sort, ...relies: readonly Premise[]): Property {
  return { sort, presence: "always", relies };
}

export function optional(sort: Sort, ...relies: readonly Premise[]): Property {
  return { sort, presence: "optional", relies };
}

/** A map with fixed keys. */
export function structOf(properties: ReadonlyMap<string, Property>): MapAlternative {
  return { kind: "map", property: (key) => properties.get(key), min: 0, keys: () => [...properties.keys()] };
}

/** A map whose keys are data. */
export function openMap(value: () => Sort, key: TextAlternative = { kind: "string" }, min = 0): MapAlternative {
  return {
    kind: "map",
    property: (name) => (isPossibleText(key, name) ? optional(value()) : undefined),
    open: { key, value },
    min,
    keys: () => [],
  };
}

/** Only what can be decided without an automaton. */
function isPossibleText({ minLength, maxLength, listed, isPossible }: TextAlternative, text: string): boolean {
  if (listed !== undefined && !listed.includes(text)) return false;
  const length = [...text].length;
  if (minLength !== undefined && length < minLength) return false;
  if (maxLength !== undefined && length > maxLength) return false;
  return isPossible?.(text) ?? true;
}

export const TEXT: Sort = sortOf([{ kind: "string" }]);
export const NONEMPTY_TEXT: Sort = sortOf([{ kind: "string", minLength: 1 }]);
export const BOOL: Sort = sortOf([{ kind: "bool" }]);

/** Any JSON. */
export const ANY: Sort = lazySort(() => [
  { kind: "string" },
  { kind: "int" },
  { kind: "bool" },
  { kind: "double", integral: true },
  { kind: "double", integral: false },
  { kind: "list", item: () => ANY, min: 0 },
  openMap(() => ANY),
  { kind: "null" },
]);
