/**
 * Storing a changed object. A lost race is reviewed again with the object that won.
 *
 * Follows Update of apiserver pkg/registry/generic/registry/store.go. An update that changes nothing is not written, and
 * one that takes the last finalizer from an object in deletion removes it.
 */
import { withoutEmpty } from "@portcullis/engine/internal/admission/seen";
import type { PatchWrite, UpdateWrite } from "@portcullis/engine/internal/review/write";
import { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { finalizersOf, metaOf, metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import { type Entry, KeyExists, RevisionConflict } from "../storage/store.ts";
import { ChoiceTaken } from "./choice-taken.ts";
import type { WriteCall } from "./context.ts";
import { CHOICE_ATTEMPTS, storeNew } from "./create.ts";
import { asStored, encodeWithinLimit, keyOf, readEntry, readWritten, type Written } from "./object-codec.ts";
import { reviewed, storeReserved } from "./reviewed.ts";

type Unread<W> = Omit<W, "live">;

/** The caller does not read the live object; this module does, as often as races are lost. */
export type ChangeWrite = Unread<UpdateWrite> | Unread<PatchWrite>;

export interface Changed extends Written {
  readonly isCreated: boolean;
}

interface Known {
  readonly entry: Entry | undefined;
  /**
   * Whether another server may have written a newer version. What is stored is compared with the store anyway; a refusal
   * or an update that changes nothing is confirmed first, as upstream does.
   */
  readonly isGuess?: boolean;
}

export async function updateObject(write: ChangeWrite, call: WriteCall): Promise<Changed> {
  const { store } = call.server;
  const { type } = write.endpoint;
  const key = keyOf(type, write.namespace, write.name);
  const guess = write.isDryRun ? undefined : store.peek?.(key);
  let known: Known | undefined = guess && { entry: guess, isGuess: true };
  const readLive = async (): Promise<Known> => known ?? { entry: await store.get(key) };
  for (let choices = 1; ; ) {
    try {
      return await updateOnce(write, call, readLive);
    } catch (error) {
      if (error instanceof ChoiceTaken && choices < CHOICE_ATTEMPTS) choices++;
      else if (error instanceof RevisionConflict) known = { entry: error.current };
      else if (error instanceof KeyExists) known = undefined;
      else if (!(error instanceof StatusError) || known?.isGuess !== true) throw error;
      else {
        const entry = await store.get(key);
        if (entry !== undefined && entry.revision === known.entry?.revision) throw error;
        known = { entry };
      }
    }
  }
}

async function updateOnce(write: ChangeWrite, call: WriteCall, readLive: () => Promise<Known>): Promise<Changed> {
  const { type } = write.endpoint;
  let entry: Entry | undefined;
  let isGuess = false;
  const live = async (): Promise<JsonObject | undefined> => {
    ({ entry, isGuess = false } = await readLive());
    if (entry !== undefined) call.weigh?.(entry.value.length);
    return entry && readEntry(entry, type);
  };
  const accepted = await reviewed({ ...write, live }, call);
  const { object } = accepted;
  if (object === undefined) throw new Error("a changed object is missing");
  return storeReserved(accepted, write, async () => {
    if (entry === undefined) return { ...(await storeNew(object, write, call)), isCreated: true };
    return shownAs(write, await storeChanged(object, { entry, isGuess }, write, call));
  });
}

/** The answer shows the subresource that was written. */
function shownAs({ endpoint: { subresource } }: ChangeWrite, written: Written): Changed {
  const shown = subresource?.view(written.object, "result") ?? written.object;
  return { ...(shown === written.object ? written : { object: shown }), isCreated: false };
}

async function storeChanged(
  object: JsonObject,
  { entry, isGuess }: { readonly entry: Entry; readonly isGuess: boolean },
  write: ChangeWrite,
  call: WriteCall,
): Promise<Written> {
  const { type } = write.endpoint;
  const { store } = call.server;
  const live = await readEntry(entry, type);
  if (shouldDelete(object, live) && (type.strategy.isFinished?.(object) ?? true)) {
    if (!write.isDryRun) await store.delete(entry.key, entry.revision);
    // It is not read from the store again, and so may have empty lists that JSON leaves out.
    return { object: type.isCustom ? object : withoutEmpty(object, type) };
  }
  const needsManagedFields = write.verb === "patch" && write.patchType.startsWith("application/apply-patch");
  const limits = { replaced: entry, needsManagedFields, maxValue: store.maxValue, isDryRun: write.isDryRun };
  const encoded = await encodeWithinLimit(object, type, limits);
  const plain = encoded.text.plain();
  if (plain === entry.value) {
    const now = isGuess ? await store.get(entry.key) : entry;
    if (now?.revision !== entry.revision) throw new RevisionConflict(entry.key, now);
    return { object: live };
  }
  if (write.isDryRun) {
    const resourceVersion = metaText(live, "resourceVersion");
    return { object: withMeta(await asStored(object, type), { resourceVersion }) };
  }
  return readWritten(await store.update(entry.key, plain, entry.revision), type, encoded);
}

/** Deletion was requested, its grace period is over, and no finalizer holds the object any more. */
function shouldDelete(object: JsonObject, live: JsonObject): boolean {
  if (finalizersOf(object).length > 0 || metaText(live, "deletionTimestamp") === "") return false;
  const grace = metaOf(live)["deletionGracePeriodSeconds"];
  return grace === undefined || grace === 0;
}
