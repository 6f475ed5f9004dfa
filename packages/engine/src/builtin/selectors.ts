/**
 * Field selectors of built-in kinds. Every kind lists the fields it can be selected by, beyond name and namespace.
 *
 * Follows the field label conversions of pkg/apis and the attribute functions of pkg/registry.
 */
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import * as messages from "./messages.ts";

export interface FieldSelectors {
  readonly has: (field: string) => boolean;
  /** The refusal of a field that cannot be selected by. */
  readonly refuse: (field: string) => string;
  /** The value as selectors compare it; "" where the field is absent. */
  readonly read: (object: JsonObject, field: string) => string;
}

export interface SelectableFields {
  /** A name alone is also the path of the value. */
  readonly fields: readonly (string | SelectableField)[];
  readonly refuse?: (field: string) => string;
}

export interface SelectableField {
  readonly name: string;
  /** Where the value is: the first of these that is not empty. */
  readonly paths?: readonly string[];
  /** The text of a value that is absent; empty unless given. */
  readonly zero?: string;
}

/** Kinds without a list of their own can be selected by name and namespace, even those that have no namespace. */
export const DEFAULT_FIELDS: FieldSelectors = {
  has: (field) => field === "metadata.namespace",
  refuse: messages.unknownFieldSelector,
  read: () => "",
};

export function fieldSelectors(own: SelectableFields | undefined): FieldSelectors {
  if (own === undefined) return DEFAULT_FIELDS;
  const fields = new Map(own.fields.map(parseField));
  return {
    has: (field) => fields.has(field),
    refuse: own.refuse ?? messages.fieldNotSupported,
    read: (object, field) => readField(object, fields.get(field) ?? { name: field }),
  };
}

function parseField(field: string | SelectableField): [string, SelectableField] {
  return typeof field === "string" ? [field, { name: field }] : [field.name, field];
}

function readField(object: JsonObject, { name, paths = [name], zero = "" }: SelectableField): string {
  const values = paths.map((path) => readPath(object, path));
  return values.find((value) => value !== undefined && value !== "") ?? values[0] ?? zero;
}

function readPath(object: JsonObject, path: string): string | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path.split(".")) value = isObject(value) ? value[name] : undefined;
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}
