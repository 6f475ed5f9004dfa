/**
 * `metadata.managedFields`, read and written.
 *
 * Follows apimachinery util/managedfields/internal/managedfields.go. A manager is identified by its name, operation and
 * subresource, and for updates also by its version; appliers keep their identity when they change version. The identifier
 * is JSON text, as upstream's is, because managers are sorted by it.
 */
import { jsonString } from "@portcullis/gostd/json-text";
import type { Result } from "@portcullis/gostd/result";
import { formatRfc3339, parseRfc3339 } from "@portcullis/gostd/time";
import { compareStrings } from "@portcullis/gostd/utf8";
import { decodeSet, encodeSet } from "../../fieldset/serialize.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";
import { isDeeperThan, MAX_FIELDS_DEPTH } from "../depth.ts";
import * as messages from "../messages.ts";
import { withoutManagedFields } from "./managed-entries.ts";
import type { OwnedSet } from "./owners.ts";

export type Operation = "Apply" | "Update";

/** The identity of a manager. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: string;
  /** "" for appliers. */
  readonly apiVersion: string;
  readonly subresource: string;
}

export interface ManagedEntry {
  readonly identity: ManagerIdentity;
  readonly owned: OwnedSet;
  /** RFC 3339 in UTC; undefined if none was recorded. */
  readonly time: string | undefined;
}

/** By identifier. */
export type Managed = ReadonlyMap<string, ManagedEntry>;

export const NO_MANAGERS: Managed = new Map();

export function identify(identity: ManagerIdentity): string {
  const { manager, operation, apiVersion, subresource } = identity;
  const members = [
    ["manager", manager],
    ["operation", operation],
    ["apiVersion", operation === "Apply" ? "" : apiVersion],
    ["subresource", subresource],
  ] as const;
  const texts = members.filter(([, text]) => text !== "").map(([name, text]) => `"${name}":${quoted(text)}`);
  return `{${texts.join(",")}}`;
}

function quoted(text: string): string {
  return jsonString(text, { escapeHtml: true });
}

export function withManagedFields(object: JsonObject, managed: Managed): JsonObject {
  return managed.size === 0 ? withoutManagedFields(object) : withEntries(object, encodeManaged(managed));
}

export function withEntries(object: JsonObject, entries: JsonValue[]): JsonObject {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return withMember(object, "metadata", withMember(metadata, "managedFields", entries));
}

export function decodeManaged(entries: readonly JsonObject[]): Result<Managed> {
  const managed = new Map<string, ManagedEntry>();
  for (const [index, entry] of entries.entries()) {
    const decoded = decodeEntry(entry, index);
    if (decoded.error !== undefined) return decoded;
    managed.set(identify(decoded.value.identity), decoded.value);
  }
  return { value: managed };
}

function decodeEntry(entry: JsonObject, index: number): Result<ManagedEntry> {
  const operation = text(entry["operation"]);
  if (operation !== "Apply" && operation !== "Update") return { error: messages.badOperation() };
  const apiVersion = text(entry["apiVersion"]);
  if (apiVersion === "") return { error: messages.noApiVersion() };
  const fieldsType = text(entry["fieldsType"]);
  if (fieldsType === "") return { error: messages.noFieldsType(index) };
  if (fieldsType !== "FieldsV1") return { error: messages.badFieldsType(fieldsType, index) };
  const fields = entry["fieldsV1"] ?? newObject();
  if (isDeeperThan(fields, MAX_FIELDS_DEPTH)) return { error: messages.badFields(messages.tooDeep()) };
  const { set, error } = decodeSet(fields);
  if (set === undefined) return { error: messages.badFields(error) };
  const applied = operation === "Apply";
  const identity = {
    manager: text(entry["manager"]),
    operation,
    apiVersion: applied ? "" : apiVersion,
    subresource: text(entry["subresource"]),
  };
  return { value: { identity, owned: { set, apiVersion, applied }, time: inUtc(text(entry["time"])) } };
}

function inUtc(time: string): string | undefined {
  const parsed = parseRfc3339(time);
  return parsed.error === undefined ? formatRfc3339(parsed.value.seconds) : undefined;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Entries in upstream's order. */
export function encodeManaged(managed: Managed): JsonValue[] {
  return [...managed.values()].sort(compareEntries).map(encodeEntry);
}

/** By operation, then time in seconds, then manager, version and subresource. */
function compareEntries(a: ManagedEntry, b: ManagedEntry): number {
  return (
    compareStrings(operationOf(a), operationOf(b)) ||
    compareTimes(a.time, b.time) ||
    compareStrings(a.identity.manager, b.identity.manager) ||
    compareStrings(a.owned.apiVersion, b.owned.apiVersion) ||
    compareStrings(a.identity.subresource, b.identity.subresource)
  );
}

/** No time counts as the beginning of 1970. */
export function compareTimes(a: string | undefined, b: string | undefined): number {
  const [left, right] = [secondsOf(a), secondsOf(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function secondsOf(time: string | undefined): bigint {
  return time === undefined ? 0n : (parseRfc3339(time).value?.seconds ?? 0n);
}

function operationOf(entry: ManagedEntry): string {
  return entry.owned.applied ? "Apply" : entry.identity.operation;
}

function encodeEntry(entry: ManagedEntry): JsonObject {
  const { identity, owned, time } = entry;
  const { manager, subresource } = identity;
  const written = { manager, operation: operationOf(entry), apiVersion: owned.apiVersion, subresource };
  return entryOf(written, encodeSet(owned.set), time);
}

/** One entry, its field set written already. */
export function entryOf(identity: ManagerIdentity, fields: JsonObject, time: string | undefined): JsonObject {
  const object = newObject();
  setText(object, "manager", identity.manager);
  setText(object, "operation", identity.operation);
  setText(object, "apiVersion", identity.apiVersion);
  setText(object, "time", time ?? "");
  object["fieldsType"] = "FieldsV1";
  object["fieldsV1"] = fields;
  setText(object, "subresource", identity.subresource);
  return object;
}

function setText(object: JsonObject, name: string, value: string): void {
  if (value !== "") object[name] = value;
}
