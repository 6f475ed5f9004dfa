/** Declared types of data that has no schema: the variables of policies and of authorization conditions. */
import { listOf, mapOf, objectType, STRING, type Type } from "@portcullis/cel";
import type { DeclType } from "./decl-type.ts";

export function scalar(type: Type): DeclType {
  return { type, maxElements: 0n, minSerializedSize: 0, fields: undefined, key: undefined, element: undefined };
}

export const TEXT = scalar(STRING);

export function list(element: DeclType): DeclType {
  return { ...scalar(listOf(element.type)), element };
}

/** Keys are text. */
export function map(element: DeclType): DeclType {
  return { ...scalar(mapOf(STRING, element.type)), key: TEXT, element };
}

export function object(name: string, fields: Readonly<Record<string, DeclType>>): DeclType {
  return { ...scalar(objectType(name)), fields: new Map(Object.entries(fields)) };
}
