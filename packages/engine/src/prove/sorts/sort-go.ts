/**
 * The sorts of built-in kinds, from their Go types: the values after decoding, defaulting and native validation, as Go
 * encodes them. A field with `omitempty` is absent or not zero, unless it is a pointer.
 */
import type { GoField, GoShape, GoStruct } from "../../field/go-shape.ts";
import { formatQuantity, parseQuantity } from "../../value/quantity.ts";
import { type FieldPremise, type Inside, premiseOf } from "./premises.ts";
import {
  type Alternative,
  ANY,
  always,
  lazySort,
  type MapAlternative,
  openMap,
  optional,
  type Premise,
  type Property,
  type Sort,
  sortOf,
  type TextAlternative,
} from "./sort.ts";

const INT32_MAX = 2n ** 31n - 1n;
const INT32_MIN = -(2n ** 31n);
const NO_PREMISE: FieldPremise = {};

/** Premises that do not hold; undefined if all do. */
type Mode = Inside | undefined;

function goSort(shape: GoShape, mode?: Mode): Sort {
  if (shape.kind === "struct") return structSort(shape, mode);
  return lazySort(() => [alternativeOf(shape, false, NO_PREMISE, mode)].flat());
}

const structs = new WeakMap<GoStruct, Map<Mode, Sort>>();

export function structSort(struct: GoStruct, mode?: Mode): Sort {
  const known = structs.get(struct) ?? new Map<Mode, Sort>();
  structs.set(struct, known);
  const made = known.get(mode) ?? lazySort(() => [structAlternative(struct, mode)]);
  known.set(mode, made);
  return made;
}

function structAlternative(struct: GoStruct, mode?: Mode): MapAlternative {
  const made = new Map<string, Property>();
  return {
    kind: "map",
    property: (key) => {
      const field = struct.fields().get(key);
      if (field === undefined) return undefined;
      const property = made.get(key) ?? propertyOf(field, premiseIn(struct.go, key, mode), mode);
      made.set(key, property);
      return property;
    },
    min: 0,
    keys: () => [...struct.fields().keys()],
  };
}

function premiseIn(struct: string, key: string, mode: Mode): FieldPremise {
  const premise = mode === "unchecked" ? undefined : premiseOf(struct, key);
  if (premise === undefined) return NO_PREMISE;
  if (mode !== "undefaulted" || premise.always !== "default") return premise;
  const { always: _, ...rest } = premise;
  return rest;
}

function withoutMembers(map: MapAlternative, names: readonly string[]): MapAlternative {
  return {
    ...map,
    property: (key) => (names.includes(key) ? undefined : map.property(key)),
    keys: () => map.keys().filter((key) => !names.includes(key)),
  };
}

function propertyOf(field: GoField, premise: FieldPremise, mode: Mode): Property {
  const inner = mode === "unchecked" ? mode : premise.inside;
  const sort = fieldSort(field, premise, inner);
  if (premise.always !== undefined) return always(sort, premise.always);
  return field.omitEmpty ? optional(sort) : always(sort);
}

function fieldSort(field: GoField, premise: FieldPremise, mode: Mode): Sort {
  const { shape, isPointer, omitEmpty } = field;
  if (shape.kind === "struct" && premise.without !== undefined) {
    const { without } = premise;
    return lazySort(() => [withoutMembers(structAlternative(shape), without)], ["native-validation"]);
  }
  if (shape.kind === "struct") {
    const isNullable = isPointer && !omitEmpty && premise.always === undefined;
    const plain = structSort(shape, mode);
    return isNullable ? lazySort(() => [...plain.alternatives(), { kind: "null" }]) : plain;
  }
  const hasZero = isPointer || !omitEmpty;
  const isNil = !omitEmpty && isNilable(field) && premise.always === undefined;
  return lazySort(
    () => {
      const plain = [alternativeOf(shape, !hasZero, premise, mode)].flat();
      return isNil ? [...plain, { kind: "null" }] : plain;
    },
    reliesOf(premise, !hasZero),
  );
}

function isNilable({ shape, isPointer }: GoField): boolean {
  const isTime = shape.kind === "custom" && shape.go === "v1.MicroTime";
  return isPointer || isTime || ["list", "map", "time", "bytes", "raw"].includes(shape.kind);
}

function reliesOf(
  { always: filled, samples: _, inside: __, uniqueBy: ___, ...bounds }: FieldPremise,
  isNonZero: boolean,
): Premise[] {
  const isBounded = Object.values(bounds).some((bound) => bound !== undefined);
  return [
    ...(filled === undefined ? [] : [filled]),
    ...(isBounded ? (["native-validation"] as const) : []),
    ...(isNonZero ? (["omitempty"] as const) : []),
  ];
}

/** The sort of a value that is present; `isNonZero` if zero values are omitted. */
function alternativeOf(
  shape: GoShape,
  isNonZero: boolean,
  premise: FieldPremise,
  mode: Mode,
): Alternative | readonly Alternative[] {
  switch (shape.kind) {
    case "bool":
      return { kind: "bool", only: isNonZero ? true : undefined };
    case "int": {
      const [low, high] = shape.bits === 32 ? [INT32_MIN, INT32_MAX] : [undefined, undefined];
      const { min = low, max = high } = premise;
      return { kind: "int", min, max, excluded: isNonZero ? [0n] : [] };
    }
    case "float":
      return [{ kind: "double", integral: true }, { kind: "double", integral: false }, { kind: "int" }];
    case "string":
      return textOf(isNonZero, premise);
    case "time":
    case "bytes":
      return { kind: "string", ...(isNonZero ? { minLength: 1 } : {}) };
    case "raw":
      return ANY.alternatives();
    case "list":
      return {
        kind: "list",
        item: () => (premise.listedItems === undefined ? goSort(shape.of, mode) : listedText(premise.listedItems)),
        min: Math.max(premise.minItems ?? 0, isNonZero ? 1 : 0),
        uniqueBy: premise.uniqueBy,
      };
    case "map":
      return mapOf(() => goSort(shape.of, mode), isNonZero, premise);
    case "struct":
      return structSort(shape, mode).alternatives();
    default:
      return customOf(shape.go);
  }
}

function listedText(listed: readonly string[]): Sort {
  return sortOf([{ kind: "string", listed }], ["native-validation"]);
}

function textOf(isNonZero: boolean, premise: FieldPremise): TextAlternative {
  const { patterns = [], minLength = 0, maxLength, listed, samples = [] } = premise;
  return { kind: "string", patterns, minLength: Math.max(minLength, isNonZero ? 1 : 0), maxLength, listed, samples };
}

function mapOf(
  value: () => Sort,
  isNonZero: boolean,
  { minItems = 0, keyPattern, maxKeyLength }: FieldPremise,
): MapAlternative {
  const patterns = keyPattern === undefined ? [] : [keyPattern];
  const key: TextAlternative = {
    kind: "string",
    patterns,
    minLength: keyPattern === undefined ? 0 : 1,
    maxLength: maxKeyLength,
  };
  return openMap(value, key, Math.max(minItems, isNonZero ? 1 : 0));
}

/** Types that decode themselves. */
function customOf(go: string): Alternative | readonly Alternative[] {
  if (go === "resource.Quantity") return QUANTITY.alternatives();
  if (go === "intstr.IntOrString") return [{ kind: "int", min: INT32_MIN, max: INT32_MAX }, { kind: "string" }];
  if (go === "v1.MicroTime") return { kind: "string" };
  return ANY.alternatives();
}

/** A quantity is canonical when it reaches admission: `1000m` has become `1`. */
const QUANTITY: Sort = sortOf(
  [
    {
      kind: "string",
      minLength: 1,
      isPossible: isCanonicalQuantity,
      samples: ["1", "500m", "2", "100Mi", "1Gi", "0", "3", "4"],
    },
  ],
  ["canonical-quantity"],
);

export function isCanonicalQuantity(text: string): boolean {
  const parsed = parseQuantity(text);
  return parsed.error === undefined && formatQuantity(parsed.value) === text;
}
