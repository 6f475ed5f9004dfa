/**
 * Which kind a document says it is of, and the error where that cannot be read.
 *
 * Follows the meta factory of apimachinery runtime/serializer/json.
 */
import { isObject, type JsonValue } from "../value/json.ts";
import type { Kind } from "./decode.ts";
import { readHeader } from "./header.ts";
import { badGroupVersion, jsonName, notAHeader, noVersionOrKind, wrongHeaderField } from "./messages.ts";

/** What the document does not say is "". A text says why it cannot be read. */
export function readClaimedKind(value: JsonValue): Kind | string {
  if (value !== null && !isObject(value)) return noVersionOrKind(notAHeader(jsonName(value)));
  const { kind, apiVersion, wrong } = readHeader({ value });
  if (wrong !== undefined) return noVersionOrKind(wrongHeaderField(jsonName(wrong.value), wrong.name));
  const parts = apiVersion.split("/");
  if (parts.length > 2) return badGroupVersion(apiVersion);
  return { kind, group: parts.length === 2 ? (parts[0] ?? "") : "", version: parts.at(-1) ?? "" };
}
