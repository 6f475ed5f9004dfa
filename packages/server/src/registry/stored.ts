/** Writes that the server makes by itself, without admission or validation: each tried again until no race is lost. */

import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { finalizersOf, metaText } from "@portcullis/engine/internal/value/metadata";
import { type Entry, KeyExists, RevisionConflict, type Store } from "../storage/store.ts";
import { decodeEntry, encodeObject } from "./object-codec.ts";

type ChangeObject = (object: JsonObject) => JsonObject | Promise<JsonObject>;

/** Nothing happens where the object is gone or the change changes nothing. */
export function changeStored(store: Store, key: string, type: ResourceKind, change: ChangeObject): Promise<void> {
  return retry(store, key, async (entry) => {
    const text = (await encodeObject(await change(decodeEntry(entry, type)), type, entry)).plain();
    if (text !== entry.value) await store.update(key, text, entry.revision);
  });
}

/** The same, but an object in deletion that has lost its last finalizer goes. */
export function removeStored(store: Store, key: string, type: ResourceKind, change: ChangeObject): Promise<void> {
  return retry(store, key, async (entry) => {
    const changed = await change(decodeEntry(entry, type));
    const isDone = metaText(changed, "deletionTimestamp") !== "" && finalizersOf(changed).length === 0;
    if (isDone && (type.strategy.isFinished?.(changed) ?? true)) await store.delete(key, entry.revision);
    else await store.update(key, (await encodeObject(changed, type, entry)).plain(), entry.revision);
  });
}

/** Does nothing if the key exists. */
export async function createStored(store: Store, key: string, type: ResourceKind, object: JsonObject): Promise<void> {
  // At every start but the first it does.
  if ((await store.get(key)) !== undefined) return;
  try {
    await store.create(key, (await encodeObject(object, type)).plain());
  } catch (error) {
    if (!(error instanceof KeyExists)) throw error;
  }
}

async function retry(store: Store, key: string, write: (entry: Entry) => Promise<void>): Promise<void> {
  let entry = await store.get(key);
  while (entry !== undefined) {
    try {
      await write(entry);
      return;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      entry = error.current;
    }
  }
}
