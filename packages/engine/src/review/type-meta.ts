/**
 * The kind that a body claims to be, and the decoding errors if it cannot be determined.
 *
 * Follows the meta factory of apimachinery runtime/serializer/json: a body is first read as a struct of two strings.
 */
import { type HeaderBody, readHeader } from "../builtin/header.ts";
import { isArray, isNumber, isObject, type JsonValue } from "../value/json.ts";

export interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly error?: undefined;
}

export function readTypeMeta(body: HeaderBody): TypeMeta | { readonly error: string } {
  const { value } = body;
  if (value !== null && !isObject(value)) return { error: parseError(notAStruct(goJsonName(value))) };
  const { kind, apiVersion, wrong } = readHeader(body);
  if (wrong !== undefined) return { error: parseError(wrongField(goJsonName(wrong.value), wrong.name)) };
  const parts = apiVersion.split("/");
  if (parts.length > 2) return { error: `unexpected GroupVersion string: ${apiVersion}` };
  return { kind, apiVersion, group: parts.length === 2 ? (parts[0] ?? "") : "", version: parts.at(-1) ?? "" };
}

export function parseError(error: string): string {
  return `couldn't get version/kind; json parse error: ${error}`;
}

export function kindMissing(text: string): string {
  return `Object 'Kind' is missing in '${text}'`;
}

/** As Go prints the anonymous struct. */
const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

function notAStruct(found: string): string {
  return `json: cannot unmarshal ${found} into Go value of type ${TYPE_META}`;
}

function wrongField(found: string, name: string): string {
  return `json: cannot unmarshal ${found} into Go struct field .${name} of type string`;
}

/** What encoding/json calls a value. */
export function goJsonName(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  return isArray(value) ? "array" : "object";
}
