/**
 * Changing an object: everything that depends on the live object runs again when a race is lost.
 *
 * Follows Update of apiserver pkg/registry/generic/registry/store.go. An update that changes nothing is not written, and
 * one that takes the last finalizer from an object in deletion removes it.
 */
import { keepTimestamps } from "@portcullis/engine/apply/timestamps";
import { invalid as invalidField } from "@portcullis/engine/field/error";
import { newPath } from "@portcullis/engine/field/path";
import { conflict, invalid, notFound } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import { parseUint } from "@portcullis/gostd/strconv";
import { refusal } from "../auth/refusal.ts";
import { type Entry, KeyExists, RevisionConflict } from "../storage/store.ts";
import * as admission from "./admission.ts";
import { ChoiceTaken } from "./choice-taken.ts";
import { type WriteCall, writeContext } from "./context.ts";
import { bare, storeNew } from "./create.ts";
import * as messages from "./messages.ts";
import { finalizersOf, metaOf, metaText, withMeta } from "./meta.ts";
import { asStored, encodeObject, keyOf, readEntry, readWritten, type Written } from "./object-codec.ts";
import { checkName, checkNamespace, uniqueOwners } from "./prepare.ts";
import { groupResourceOf } from "./resource-type.ts";

export interface Change {
  readonly name: string;
  /** The new object for a live one; what it gets is the subresource's view of it, or undefined where there is none. */
  readonly propose: (live: JsonObject | undefined) => Promise<JsonObject>;
  /** The uid that a PUT insists on. */
  readonly uid?: string | undefined;
  /** Whether a missing object is created whatever its kind says: for apply. */
  readonly createsMissing?: boolean;
}

/** Of addresses and ports: others choose at the same time. */
const CHOICE_ATTEMPTS = 100;

export interface Changed extends Written {
  readonly isCreated: boolean;
}

export async function updateObject(call: WriteCall, change: Change): Promise<Changed> {
  const { type } = call.endpoint;
  const key = keyOf(type, call.namespace, change.name);
  let entry = await call.server.store.get(key);
  let choices = 0;
  for (;;) {
    try {
      return entry === undefined ? await createMissing(call, change) : await updateOnce(call, change, entry);
    } catch (error) {
      if (error instanceof RevisionConflict) entry = error.current;
      else if (error instanceof ChoiceTaken && ++choices < CHOICE_ATTEMPTS) continue;
      else if (error instanceof KeyExists) entry = await call.server.store.get(key);
      else throw error;
    }
  }
}

async function createMissing(call: WriteCall, change: Change): Promise<Changed> {
  const { type } = call.endpoint;
  const mayCreate = type.strategy.allowsCreateOnUpdate || change.createsMissing === true;
  if (!mayCreate || call.endpoint.subresource !== undefined) throw notFound(groupResourceOf(type), change.name);
  const draft = await change.propose(undefined);
  const uid = metaText(draft, "uid");
  if (uid !== "") throw conflict(groupResourceOf(type), change.name, messages.uidWithoutObject(uid));
  const placed = checkNamespace(draft, call);
  checkName(placed, change.name);
  const subject = { operation: "CREATE", name: change.name, old: undefined } as const;
  const admitted = (await admission.mutate(call, { ...subject, object: placed })) ?? placed;
  // A version in the body asks for nothing here: there is no object it could be the version of.
  const unversioned = withMeta(uniqueOwners(checkNamespace(admitted, call), call.warn, true), {
    resourceVersion: undefined,
  });
  return { ...(await storeNew(call, unversioned, () => checkCreateRight(call, change.name))), isCreated: true };
}

/** The request was authorized as an update or a patch. Follows withAuthorization of apiserver endpoints/handlers/update.go. */
async function checkCreateRight({ server, endpoint, user, namespace }: WriteCall, name: string): Promise<void> {
  const { group, version, plural: resource } = endpoint.type;
  const attributes = {
    ...{ user, verb: "create", isResource: true, path: "" },
    ...{ group, version, resource, subresource: "", namespace, name },
  };
  const { verdict, reason } = await server.authorizer(attributes);
  if (verdict !== "allow") throw refusal(attributes, reason);
}

async function updateOnce(call: WriteCall, change: Change, entry: Entry): Promise<Changed> {
  const { type, subresource } = call.endpoint;
  const { name } = change;
  const live = await readEntry(entry, type);
  checkUid(call, change, live, entry.key);
  const liveView = subresource?.view(live, "patch") ?? live;
  const proposed = checkNamespace(await change.propose(liveView), call);
  checkName(proposed, name);
  const admitted =
    (await admission.mutate(call, { operation: "UPDATE", name, object: proposed, old: liveView })) ?? proposed;
  const unique = uniqueOwners(checkNamespace(admitted, call), call.warn, true);
  const versioned = checkVersion(call, subresource?.toParent(unique, live) ?? unique, live, name);
  const object = keepTimestamps((subresource ?? type.strategy).update(versioned, live, writeContext(call)), live);
  const reserved = await type.reserve?.({
    key: entry.key,
    object,
    old: live,
    asked: versioned,
    isDryRun: call.isDryRun,
  });
  try {
    return await storeReviewed(call, { name, object, live, liveView, entry });
  } catch (error) {
    await reserved?.release();
    throw error;
  }
}

interface Reviewed {
  readonly name: string;
  readonly object: JsonObject;
  readonly live: JsonObject;
  readonly liveView: JsonObject;
  readonly entry: Entry;
}

async function storeReviewed(call: WriteCall, { name, object, live, liveView, entry }: Reviewed): Promise<Changed> {
  const { subresource } = call.endpoint;
  const resultView = (each: JsonObject): JsonObject => subresource?.view(each, "result") ?? each;
  await admission.validate(call, { operation: "UPDATE", name, object: resultView(object), old: liveView });
  const written = await storeChanged(call, object, live, entry);
  const shown = resultView(written.object);
  return { ...(shown === written.object ? written : { object: shown }), isCreated: false };
}

function checkUid(call: WriteCall, { name, uid }: Change, live: JsonObject, key: string): void {
  const found = metaText(live, "uid");
  if (uid === undefined || uid === "" || uid === found) return;
  throw conflict(groupResourceOf(call.endpoint.type), name, messages.storageUidPrecondition(key, uid, found));
}

/** The draft with a resourceVersion that matches the live one. */
function checkVersion(call: WriteCall, draft: JsonObject, live: JsonObject, name: string): JsonObject {
  const { type } = call.endpoint;
  const text = metaText(draft, "resourceVersion");
  const parsed = text === "" ? undefined : parseUint(text, 10, 64);
  if (parsed?.error !== undefined) throw bare(parsed.error);
  const current = metaText(live, "resourceVersion");
  if (parsed === undefined || parsed.value === 0n) {
    if (type.strategy.allowsUnconditionalUpdate) return withMeta(draft, { resourceVersion: current });
    const error = invalidField(newPath("metadata", "resourceVersion"), 0, messages.resourceVersionNeeded());
    throw invalid({ group: type.group, kind: type.plural }, name, [error]);
  }
  if (String(parsed.value) !== current) throw conflict(groupResourceOf(type), name, messages.objectModified());
  return draft;
}

async function storeChanged(call: WriteCall, object: JsonObject, live: JsonObject, entry: Entry): Promise<Written> {
  const { type } = call.endpoint;
  if (shouldDelete(object, live) && (type.strategy.isFinished?.(object) ?? true)) {
    if (!call.isDryRun) await call.server.store.delete(entry.key, entry.revision);
    return { object };
  }
  const text = await encodeObject(object, type);
  const plain = text.plain();
  if (plain === entry.value) return { object: live };
  if (call.isDryRun) {
    const resourceVersion = metaText(live, "resourceVersion");
    return { object: withMeta(await asStored(object, type), { resourceVersion }) };
  }
  return readWritten(await call.server.store.update(entry.key, plain, entry.revision), type, { object, text });
}

/** Deletion was asked for, nobody has to wait for it, and nothing holds the object any more. */
export function shouldDelete(object: JsonObject, live: JsonObject): boolean {
  if (finalizersOf(object).length > 0 || metaText(live, "deletionTimestamp") === "") return false;
  const grace = metaOf(live)["deletionGracePeriodSeconds"];
  return grace === undefined || grace === 0;
}
