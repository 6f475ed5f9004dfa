/**
 * What a body says it is: its kind and apiVersion, read before anything else of it.
 *
 * Follows the meta factory of apimachinery runtime/serializer/json, which is the one reader that goes by encoding/json's
 * rules: names match whatever their case, a repeated one is read every time, null leaves what was there, and the first
 * value of a wrong type is an error even where a right one follows.
 */
import { goMap, goRaw } from "../field/go-shape.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { readTypedText } from "./strict.ts";

export interface HeaderBody {
  readonly value: JsonValue;
  /** The text of the body; undefined for what was never text. */
  readonly text?: (() => string) | undefined;
  /** Duplicate keys, as the codec found them. */
  readonly strictErrors?: readonly string[];
  /** Upstream turns YAML into JSON with sorted keys, and meets fields in that order. */
  readonly isYaml?: boolean;
}

export type HeaderName = "kind" | "apiVersion";

export interface Header {
  readonly kind: string;
  readonly apiVersion: string;
  /** The first that is no text. */
  readonly wrong?: { readonly name: HeaderName; readonly value: JsonValue };
}

type Member = readonly [key: string, value: JsonValue];

export function readHeader(body: HeaderBody): Header {
  const header = { kind: "", apiVersion: "" };
  if (!isObject(body.value)) return header;
  for (const [key, value] of membersOf(body, body.value)) {
    const name = headerName(key);
    if (name === undefined || value === null) continue;
    if (typeof value !== "string") return { ...header, wrong: { name, value } };
    header[name] = value;
  }
  return { ...header, apiVersion: withoutEmptyGroup(header.apiVersion) };
}

/** `/v1` is read as `v1`, and a bare slash as no version at all. */
export function withoutEmptyGroup(apiVersion: string): string {
  return apiVersion.lastIndexOf("/") === 0 ? apiVersion.slice(1) : apiVersion;
}

function headerName(key: string): HeaderName | undefined {
  if (key === "kind" || key === "apiVersion") return key;
  const folded = key.toLowerCase();
  if (folded === "kind") return "kind";
  return folded === "apiversion" ? "apiVersion" : undefined;
}

function membersOf({ text, strictErrors = [], isYaml }: HeaderBody, value: JsonObject): readonly Member[] {
  const entries = Object.keys(value).map((key): Member => [key, value[key] ?? null]);
  if (isYaml === true) return entries.sort(([left], [right]) => (left < right ? -1 : 1));
  if (strictErrors.length === 0 || text === undefined) return entries;
  const read = readTypedText(text(), goMap(goRaw));
  return (isObject(read.value) ? read.repeated(read.value) : undefined) ?? entries;
}
