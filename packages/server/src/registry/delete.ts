/**
 * Deleting an object: at once, or marked for deletion while finalizers hold it.
 *
 * Follows Delete of apiserver pkg/registry/generic/registry/store.go.
 */
import { conflict, notFound, type StatusError } from "@portcullis/engine/status/error";
import { isInteger, type JsonObject } from "@portcullis/engine/value/json";
import { type Entry, RevisionConflict } from "../storage/store.ts";
import * as admission from "./admission.ts";
import type { WriteCall } from "./context.ts";
import * as messages from "./messages.ts";
import { finalizersOf, metaOf, metaText, objectOf, withMeta } from "./meta.ts";
import { encodeObject, keyOf, readEntry } from "./object-codec.ts";
import { groupResourceOf, type ResourceType } from "./resource-type.ts";

export interface DeleteOptions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  /** Whether a whole collection is deleted: admission is not told the names then. */
  readonly isCollection?: boolean;
}

export interface Deleted {
  /** What is answered: the object, or a Status. */
  readonly result: JsonObject;
  readonly object: JsonObject;
  readonly isGone: boolean;
}

export async function deleteObject(call: WriteCall, name: string, options: DeleteOptions): Promise<Deleted> {
  const { type } = call.endpoint;
  const key = keyOf(type, call.namespace, name);
  let entry = await call.server.store.get(key);
  for (;;) {
    if (entry === undefined) throw notFound(groupResourceOf(type), name);
    try {
      return await deleteOnce(call, name, options, entry);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      entry = error.current;
    }
  }
}

async function deleteOnce(call: WriteCall, name: string, options: DeleteOptions, entry: Entry): Promise<Deleted> {
  const { type } = call.endpoint;
  const live = await readEntry(entry, type);
  checkPreconditions(type, name, live, options);
  const subject = {
    operation: "DELETE",
    name: options.isCollection === true ? "" : name,
    object: undefined,
    old: live,
  } as const;
  await admission.mutate(call, subject);
  await admission.validate(call, subject);
  const marked = markedFor(call, live, options);
  if (marked === undefined) return remove(call, live, entry);
  const text = (await encodeObject(marked, type)).plain();
  if (text === entry.value || call.isDryRun) return { result: marked, object: marked, isGone: false };
  const stored = await readEntry(await call.server.store.update(entry.key, text, entry.revision), type);
  return { result: stored, object: stored, isGone: false };
}

/** What stays of the object for now; undefined where nothing has to. */
function markedFor(call: WriteCall, live: JsonObject, options: DeleteOptions): JsonObject | undefined {
  const now = call.server.system.now();
  const begun = call.endpoint.type.strategy.beginDelete?.(live, now);
  if (begun !== undefined) return begun;
  const finalizers = finalizersAfter(live, options);
  return finalizers.length === 0 ? undefined : markDeleted(withMeta(live, { finalizers }), now);
}

async function remove(call: WriteCall, live: JsonObject, entry: Entry): Promise<Deleted> {
  const { type } = call.endpoint;
  if (!call.isDryRun) await call.server.store.delete(entry.key, entry.revision);
  const result = type.strategy.returnsDeletedObject ? live : successStatus(type, live);
  return { result, object: live, isGone: true };
}

function successStatus(type: ResourceType, object: JsonObject): JsonObject {
  const details = objectOf({
    name: metaText(object, "name"),
    group: type.group === "" ? undefined : type.group,
    kind: type.plural,
    uid: metaText(object, "uid"),
  });
  return objectOf({ kind: "Status", apiVersion: "v1", metadata: objectOf({}), status: "Success", details });
}

function checkPreconditions(type: ResourceType, name: string, live: JsonObject, options: DeleteOptions): void {
  const [uid, version] = [metaText(live, "uid"), metaText(live, "resourceVersion")];
  const refuse = (cause: string): StatusError => conflict({ group: type.group, resource: type.kind }, name, cause);
  if (options.uid !== undefined && options.uid !== uid) {
    throw refuse(messages.uidPrecondition(options.uid, uid));
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== version) {
    throw refuse(messages.versionPrecondition(options.resourceVersion, version));
  }
}

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/** What the options say about dependents becomes a finalizer for the garbage collector. */
function finalizersAfter(object: JsonObject, options: DeleteOptions): string[] {
  const own = finalizersOf(object);
  const others = own.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const extra = dependentsFinalizer(own, options);
  const wanted = extra === undefined ? others : [...others, extra];
  const isSame = wanted.length === own.length && wanted.every((name) => own.includes(name));
  return isSame ? own : wanted;
}

function dependentsFinalizer(own: readonly string[], options: DeleteOptions): string | undefined {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? ORPHAN : undefined;
  switch (options.propagationPolicy) {
    case "Orphan":
      return ORPHAN;
    case "Foreground":
      return FOREGROUND;
    case "Background":
      return undefined;
    default:
      return own.find((name) => name === ORPHAN || name === FOREGROUND);
  }
}

/** The first mark counts as a change of the object's generation. */
function markDeleted(object: JsonObject, now: string): JsonObject {
  const isMarked = metaText(object, "deletionTimestamp") !== "";
  const generation = metaOf(object)["generation"];
  const counts = !isMarked && isInteger(generation) && generation > 0;
  return withMeta(object, {
    deletionGracePeriodSeconds: 0,
    ...(isMarked ? {} : { deletionTimestamp: now }),
    ...(counts ? { generation: Number(generation) + 1 } : {}),
  });
}
