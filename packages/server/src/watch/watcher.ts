/**
 * One watch: what the store reports, as the client's selectors see it.
 *
 * An object that starts to match is ADDED, one that stops is DELETED (as it was, at the new revision). The same event is
 * turned into text once for all watches of a kind that ask for it in the same form.
 */

import { answerJson } from "@portcullis/engine/internal/builtin/answers/answer-json";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { decodeDeleted, decodeEntry } from "../registry/object-codec.ts";
import type { StoreEvent } from "../storage/store.ts";

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

export interface WatchEvent {
  readonly type: WatchEventType;
  readonly object: JsonObject;
}

/** Undefined if the watch does not see the change. */
export function toWatchEvent(
  event: StoreEvent,
  type: ResourceKind,
  matches: (object: JsonObject) => boolean,
): WatchEvent | undefined {
  const was = event.previous !== undefined && matches(decodeEntry(event.previous, type));
  const now = event.entry && decodeEntry(event.entry, type);
  const is = now !== undefined && matches(now);
  if (is && now !== undefined) return { type: was ? "MODIFIED" : "ADDED", object: now };
  const gone = was ? decodeDeleted(event, type) : undefined;
  return gone && { type: "DELETED", object: gone };
}

interface SharedBytes {
  /** Of the time that is in it; 0 if it has none. */
  readonly second: number;
  readonly bytes: Uint8Array;
}

const lines = new WeakMap<StoreEvent, WeakMap<ResourceKind, Map<string, SharedBytes>>>();

export interface SharedForm {
  /** Distinguishes what clients can ask for. */
  readonly name: string;
  readonly second: number;
  readonly encode: (seen: WatchEvent) => Uint8Array;
}

/** `parts` distinguish it from others. */
export function sharedForm(
  parts: readonly unknown[],
  second: number,
  encode: (seen: WatchEvent) => string | Uint8Array,
): SharedForm {
  const toBytes = (seen: WatchEvent): Uint8Array => {
    const encoded = encode(seen);
    return typeof encoded === "string" ? encodeUtf8(encoded) : encoded;
  };
  return { name: JSON.stringify(parts), second, encode: toBytes };
}

const PLAIN: SharedForm = { name: "", second: 0, encode: (seen) => encodeUtf8(lineOf(seen)) };

/** The bytes of a change, made once: however many clients are slow to take them, they are there once. */
export function sharedLine(event: StoreEvent, type: ResourceKind, seen: WatchEvent, form = PLAIN): Uint8Array {
  let byType = lines.get(event);
  if (byType === undefined) {
    byType = new WeakMap();
    lines.set(event, byType);
  }
  let byKind = byType.get(type);
  if (byKind === undefined) {
    byKind = new Map();
    byType.set(type, byKind);
  }
  const key = seen.type + form.name;
  let line = byKind.get(key);
  if (line?.second !== form.second) {
    line = { second: form.second, bytes: form.encode(seen) };
    byKind.set(key, line);
  }
  return line.bytes;
}

export function lineOf({ type, object }: WatchEvent): string {
  return `{"type":"${type}","object":${answerJson(object)}}\n`;
}
