/**
 * Which of a type's forms a value takes.
 *
 * Follows deduceAtom and handleAtom of structured-merge-diff typed/helpers.go. A null, a missing value and a value of no
 * allowed form leave the question open ("any"); an open question is answered with the first form the type has, in the
 * order map, scalar, list.
 */
import { isArray, isObject, type JsonValue } from "../../value/json.ts";
import type { MapType, MergeType } from "./types.ts";

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

/** The form in which a value is looked at; "none" where its type allows none. */
export type ResolvedForm = "map" | "scalar" | "list" | "none";

export function resolveForm({ map, scalar, list }: MergeType, form: Form): ResolvedForm {
  if (form !== "any") return form;
  if (map !== undefined) return "map";
  if (scalar !== undefined) return "scalar";
  return list === undefined ? "none" : "list";
}

/** The type of a member: of its field, else of all other members. */
export function memberType(type: MapType, name: string): MergeType | undefined {
  return type.fields.get(name)?.type ?? type.element;
}
