/** The messages of server-side apply. Go values are printed as Go prints them. */
import { quote } from "@portcullis/gostd/quote";
import type { JsonValue } from "../value/json.ts";
import { goPlain, goSyntax, goType } from "./types/go-value.ts";

export function undeclaredField(): string {
  return "field not declared in schema";
}

export function invalidType(name: string | undefined): string {
  return `schema error: invalid atom: ${name === undefined ? "inlined" : `named type: ${name}`}`;
}

export function expectedNumeric(value: JsonValue): string {
  return `expected numeric (int or float), got ${goType(value)}`;
}

export function expectedString(value: JsonValue): string {
  return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
}

export function expectedBoolean(value: JsonValue): string {
  return `expected boolean, got &{${goPlain(value)}}`;
}

export function expectedScalar(value: JsonValue): string {
  return `expected any scalar, got &{${goPlain(value)}}`;
}

export function expectedList(value: JsonValue): string {
  return `expected list, got &{${goPlain(value)}}`;
}

export function expectedMap(value: JsonValue): string {
  return `expected map, got &{${goPlain(value)}}`;
}

export function badItem(index: number, reason: string): string {
  return `element ${index}: ${reason}`;
}

export function duplicateItem(element: string): string {
  return `duplicate entries for key ${element}`;
}

export function notAssociative(): string {
  return "invalid indexing of non-associative list";
}

export function nullInKeyedList(): string {
  return "associative list with keys may not have a null element";
}

export function scalarInKeyedList(): string {
  return "associative list with keys may not have non-map elements";
}

export function keysOmitted(keys: readonly string[]): string {
  const list = keys.map(quote).join(" ");
  return `associative list with keys has an element that omits all key fields [${list}] (and doesn't have default values for any key fields)`;
}

export function keyOmitted(key: string): string {
  return `associative list with keys has an element that omits key field ${quote(key)} (and doesn't have default value)`;
}

export function noKeyDefault(name: string): string {
  return `couldn't find default value for ${name}: associative list may not have non-map types`;
}

export function nullInSet(): string {
  return "associative list without keys has an element that's an explicit null";
}

export function listInSet(): string {
  return "not supported: associative list with lists as elements";
}

export function mapInSet(): string {
  return "associative list without keys has an element that's a map type";
}

export function noType(kind: string): string {
  return `no corresponding type for ${kind}`;
}

export function invalidConversion(apiVersion: string): string {
  return `request to convert CR to an invalid group/version: ${apiVersion}`;
}

export function unsuitableConversion(kind: string, apiVersion: string): string {
  return `${kind} is unstructured and is not suitable for converting to ${quote(apiVersion)}`;
}

export function badGroupVersion(text: string): string {
  return `unexpected GroupVersion string: ${text}`;
}

export function notAnObject(value: JsonValue): string {
  return `failed to convert value to unstructured for type ${goType(value)}`;
}

/** A step that failed and why, as Go wraps errors. */
export function failedTo(step: string, reason: string): string {
  return `failed to ${step}: ${reason}`;
}

export function failedPart(part: string, reason: string): string {
  return `failed ${part}: ${reason}`;
}

export function wrongObjectType(kind: string): string {
  return `invalid object type: ${kind}`;
}

export function managedFieldsNotNil(): string {
  return "metadata.managedFields must be nil";
}

export function badOperation(): string {
  return "operation must be `Apply` or `Update`";
}

export function noApiVersion(): string {
  return "apiVersion must not be empty";
}

export function noFieldsType(index: number): string {
  return `missing fieldsType in managed fields entry ${index}`;
}

export function badFieldsType(fieldsType: string, index: number): string {
  return `invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`;
}

/** Ours: upstream has no limit. */
export function deepObject(limit: number): string {
  return `an object that is nested more than ${limit} levels deep cannot be applied`;
}

/** Ours: upstream has no limit. */
export function tooDeep(): string {
  return "nested too deeply";
}

export function badFields(reason: string): string {
  return `error decoding set: ${reason}`;
}

export interface PrintedManager {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** Only updates print their version. */
export function printedManager({ manager, operation, apiVersion, subresource }: PrintedManager): string {
  const name = subresource === "" ? quote(manager) : `${quote(manager)} with subresource ${quote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

export function conflictWith(manager: string): string {
  return `conflict with ${manager}`;
}

export function oneConflict(manager: string, path: string): string {
  return `Apply failed with 1 conflict: conflict with ${manager}: ${path}`;
}

export interface ManagerConflicts {
  readonly manager: string;
  readonly paths: readonly string[];
}

export function manyConflicts(count: number, groups: readonly ManagerConflicts[]): string {
  const lines = groups.flatMap(({ manager, paths }) => [
    `conflicts with ${manager}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}
