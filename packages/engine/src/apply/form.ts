/**
 * Which of a type's forms a value takes.
 *
 * Follows deduceAtom and handleAtom of structured-merge-diff typed/helpers.go. A null, a missing value and a value of no
 * allowed form leave the question open ("any"); an open question is answered with the first form the type has, in the
 * order map, scalar, list.
 */
import { isArray, isObject, type JsonValue } from "../value/json.ts";
import type { ListType, MapType, MergeType, ScalarKind } from "./types.ts";

export type Form = "map" | "scalar" | "list" | "any";

export function formOf(type: MergeType, value: JsonValue | undefined): Form {
  return onlyForm(type) ?? formOfValue(type, value);
}

function onlyForm({ map, scalar, list }: MergeType): Form | undefined {
  if (map !== undefined) return scalar === undefined && list === undefined ? "map" : undefined;
  if (scalar !== undefined) return list === undefined ? "scalar" : undefined;
  return list === undefined ? "any" : "list";
}

function formOfValue(type: MergeType, value: JsonValue | undefined): Form {
  if (value === undefined || value === null) return "any";
  if (isArray(value)) return type.list === undefined ? "any" : "list";
  if (isObject(value)) return type.map === undefined ? "any" : "map";
  return type.scalar === undefined ? "any" : "scalar";
}

export interface FormHandler<T> {
  readonly map: (type: MapType) => T;
  readonly scalar: (kind: ScalarKind) => T;
  readonly list: (type: ListType) => T;
  /** The type has no form at all. */
  readonly none: () => T;
}

export function handleForm<T>(type: MergeType, form: Form, handler: FormHandler<T>): T {
  const { map, scalar, list } = type;
  if (map !== undefined && (form === "map" || form === "any")) return handler.map(map);
  if (scalar !== undefined && (form === "scalar" || form === "any")) return handler.scalar(scalar);
  if (list !== undefined && (form === "list" || form === "any")) return handler.list(list);
  return handler.none();
}

/** The type of a member: of its field, else of all other members. */
export function memberType(type: MapType, name: string): MergeType | undefined {
  return type.fields.get(name)?.type ?? type.element;
}
