/**
 * The shape of a Go struct, as far as its JSON shows: what decoding into it refuses, drops and keeps.
 *
 * A shape is data, written once for each type that the API server decodes into a struct rather than into a map.
 */
import type { JsonValue } from "../value/json.ts";

export type GoShape =
  | { readonly kind: "string"; readonly go: string }
  | { readonly kind: "bool"; readonly go: string }
  | { readonly kind: "int"; readonly go: string; readonly bits: 32 | 64 }
  | { readonly kind: "float"; readonly go: string }
  /** metav1.Time and MicroTime: RFC 3339 text, kept to the second or the microsecond. */
  | { readonly kind: "time"; readonly go: string; readonly digits: 0 | 6 }
  /** []byte: base64 text. */
  | { readonly kind: "bytes"; readonly go: string }
  /** Any JSON, kept as it is. */
  | { readonly kind: "raw"; readonly go: string }
  | { readonly kind: "list"; readonly go: string; readonly of: GoShape }
  | { readonly kind: "map"; readonly go: string; readonly of: GoShape }
  | GoStruct
  /** A type with its own UnmarshalJSON. */
  | {
      readonly kind: "custom";
      readonly go: string;
      readonly decode: (value: JsonValue, options: { readonly keepEmpty?: boolean }) => GoDecoded;
      /** How its zero value is written; null unless it is given. */
      readonly zero?: JsonValue;
    };

export interface GoStruct {
  readonly kind: "struct";
  /** With its package, as type errors print it: `v1.ObjectMeta`. */
  readonly go: string;
  readonly fields: () => ReadonlyMap<string, GoField>;
}

export interface GoField {
  readonly shape: GoShape;
  /** A pointer distinguishes zero from absent. */
  readonly isPointer: boolean;
  /** Whether a zero value is left out when written. */
  readonly omitEmpty: boolean;
  /** The embedded structs the field is inlined from; type errors name them. */
  readonly embedded?: readonly string[];
}

export interface GoDecoded {
  readonly value: JsonValue;
  /** Paths of fields the struct does not have. */
  readonly unknown: readonly string[];
  /**
   * The first type error, with encoding/json's message. Decoding continues after it, so the value equals upstream's.
   */
  readonly error: string | undefined;
  /** What the error is made of, where it is about a type: the decoder around it puts its own place before it. */
  readonly typeError?: GoTypeError | undefined;
}

export interface GoTypeError {
  /** What was found: `string`, `number 1.5`. */
  readonly found: string;
  /** The innermost struct; undefined if the value is not inside one. */
  readonly struct: string | undefined;
  /** The fields that lead to the value, from the outermost struct on. */
  readonly fields: readonly string[];
  /** The type it does not fit. */
  readonly go: string;
}

export const goString: GoShape = { kind: "string", go: "string" };
export const goBool: GoShape = { kind: "bool", go: "bool" };
export const goInt32: GoShape = { kind: "int", go: "int32", bits: 32 };
export const goInt64: GoShape = { kind: "int", go: "int64", bits: 64 };
export const goFloat64: GoShape = { kind: "float", go: "float64" };
export const goTime: GoShape = { kind: "time", go: "v1.Time", digits: 0 };
export const goRaw: GoShape = { kind: "raw", go: "v1.JSON" };
export const goBytes: GoShape = { kind: "bytes", go: "[]uint8" };

export function namedString(go: string): GoShape {
  return { kind: "string", go };
}

export function goList(of: GoShape): GoShape {
  return { kind: "list", go: `[]${of.go}`, of };
}

export function goMap(of: GoShape): GoShape {
  return { kind: "map", go: `map[string]${of.go}`, of };
}

/** A struct whose fields are given by JSON name. Lazily, so that a type may contain itself. */
export function goStruct(go: string, fields: () => Readonly<Record<string, GoField>>): GoStruct {
  let map: ReadonlyMap<string, GoField> | undefined;
  return {
    kind: "struct",
    go,
    fields: () => {
      map ??= new Map(Object.entries(fields()));
      return map;
    },
  };
}

/** `json:"name,omitempty"` */
export function field(shape: GoShape): GoField {
  return { shape, isPointer: false, omitEmpty: true };
}

/** `json:"name"` */
export function alwaysField(shape: GoShape): GoField {
  return { shape, isPointer: false, omitEmpty: false };
}

/** `json:"name,omitempty"` on a pointer. */
export function pointerField(shape: GoShape): GoField {
  return { shape, isPointer: true, omitEmpty: true };
}
