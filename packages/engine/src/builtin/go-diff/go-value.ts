/** Values as Go's reflection sees them: with their types, and with all fields of a struct. */

export type GoValue = GoStruct | GoPointer | GoSlice | GoMap | GoScalar;
export type GoKind = GoValue["kind"];

interface Typed {
  /** As Go names the type: `core.PodSpec`, `[]string`. */
  readonly type: string;
  /** What the type's own method prints of it. */
  readonly ownText?: string;
}

export interface GoStruct extends Typed {
  readonly kind: "struct";
  readonly fields: readonly GoField[];
  /** Where the type has a method that compares values: equal values have equal identities. */
  readonly identity?: string;
}

export interface GoField {
  readonly name: string;
  readonly value: GoValue;
}

export interface GoPointer extends Typed {
  readonly kind: "pointer";
  readonly to: GoValue | undefined;
}

export interface GoSlice extends Typed {
  readonly kind: "slice";
  readonly items: readonly GoValue[] | undefined;
}

export interface GoMap extends Typed {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, GoValue> | undefined;
  /** Whether the keys print themselves. */
  readonly hasOwnKeys: boolean;
}

export interface GoScalar extends Typed {
  readonly kind: "string" | "int" | "bool";
  /** A number as it is printed. */
  readonly value: string | boolean;
}

export function isNil(value: GoValue): boolean {
  switch (value.kind) {
    case "pointer":
      return value.to === undefined;
    case "slice":
      return value.items === undefined;
    case "map":
      return value.entries === undefined;
    default:
      return false;
  }
}

export function isZeroValue(value: GoValue): boolean {
  if (value.kind === "struct") return value.fields.every((field) => isZeroValue(field.value));
  if (value.kind === "string") return value.value === "";
  if (value.kind === "int") return value.value === "0";
  return value.kind === "bool" ? value.value === false : isNil(value);
}

export function structOf(
  type: string,
  fields: Readonly<Record<string, GoValue>>,
  more: Partial<GoStruct> = {},
): GoStruct {
  return { kind: "struct", type, fields: Object.entries(fields).map(([name, value]) => ({ name, value })), ...more };
}

export function stringOf(value: string, type = "string"): GoScalar {
  return { kind: "string", type, value };
}

export function intOf(value: string, type = "int32"): GoScalar {
  return { kind: "int", type, value };
}
