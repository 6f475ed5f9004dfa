/** Removing an object from the store, or marking it for deletion. A lost race is reviewed again. */
import { groupResourceOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { markDeleted } from "@portcullis/engine/internal/review/mark-deleted";
import type { DeleteWrite } from "@portcullis/engine/internal/review/write";
import { notFound } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { type Entry, RevisionConflict } from "../storage/store.ts";
import type { WriteCall } from "./context.ts";
import { encodeObject, keyOf, readEntry } from "./object-codec.ts";
import { reviewed } from "./reviewed.ts";

export interface Deleted {
  /** The answer: the object, or a Status. */
  readonly result: JsonObject;
  readonly object: JsonObject;
  readonly isGone: boolean;
}

export async function deleteObject(write: Omit<DeleteWrite, "live">, call: WriteCall): Promise<Deleted> {
  const { type } = write.endpoint;
  let entry = await call.server.store.get(keyOf(type, write.namespace, write.name));
  for (;;) {
    if (entry === undefined) throw notFound(groupResourceOf(type), write.name);
    try {
      return await deleteOnce(write, call, entry);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      entry = error.current;
    }
  }
}

async function deleteOnce(write: Omit<DeleteWrite, "live">, call: WriteCall, entry: Entry): Promise<Deleted> {
  const { type } = write.endpoint;
  const { store } = call.server;
  call.weigh?.(entry.value.length);
  const live = await readEntry(entry, type);
  const { object: marked } = await reviewed({ ...write, live: async () => live }, call);
  if (marked === undefined) {
    const last = await markedBefore(live, { write, call, entry });
    if (!write.isDryRun) await store.delete(entry.key, last.revision);
    const result = type.strategy.returnsDeletedObject ? last.object : successStatus(type, last.object);
    return { result, object: last.object, isGone: true };
  }
  const text = (await encodeObject(marked, type, entry)).plain();
  if (text === entry.value || write.isDryRun) return { result: marked, object: marked, isGone: false };
  const stored = await readEntry(await store.update(entry.key, text, entry.revision), type);
  return { result: stored, object: stored, isGone: false };
}

interface Removal {
  readonly write: Omit<DeleteWrite, "live">;
  readonly call: WriteCall;
  readonly entry: Entry;
}

/** The last state of an object, and its revision. */
async function markedBefore(live: JsonObject, { write, call, entry }: Removal) {
  const { type } = write.endpoint;
  const { store, system } = call.server;
  const isMarked =
    metaText(live, "deletionTimestamp") !== "" && (metaOf(live)["deletionGracePeriodSeconds"] ?? 0) === 0;
  if (type.strategy.gracePeriod === undefined || isMarked) return { object: live, revision: entry.revision };
  const object = markDeleted(live, system.now());
  if (write.isDryRun) return { object, revision: entry.revision };
  const written = await store.update(entry.key, (await encodeObject(object, type, entry)).plain(), entry.revision);
  const last = await readEntry(written, type);
  // Upstream marks the object and then removes it, and asks admission both times.
  const { resourceVersion: _, ...deletion } = write.deletion;
  const options = deletion.isCollection ? write.options : withMember(write.options, "gracePeriodSeconds", 0);
  await reviewed({ ...write, deletion, options, live: async () => last }, call);
  return { object: last, revision: written.revision };
}

function successStatus(type: ResourceKind, object: JsonObject): JsonObject {
  const details = objectOf({
    name: metaText(object, "name"),
    group: type.group === "" ? undefined : type.group,
    kind: type.plural,
    uid: metaText(object, "uid"),
  });
  return objectOf({ kind: "Status", apiVersion: "v1", metadata: objectOf({}), status: "Success", details });
}
