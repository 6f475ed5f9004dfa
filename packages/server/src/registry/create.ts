/**
 * Creating an object: ownership, mutating admission, the kind's own preparation and validation, validating admission,
 * storage. A generated name that is taken is tried again with another one.
 *
 * Follows apiserver pkg/endpoints/handlers/create.go and pkg/registry/generic/registry/store.go.
 */
import { alreadyExists, generateNameConflict, StatusError } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import { KeyExists } from "../storage/store.ts";
import * as admission from "./admission.ts";
import { ChoiceTaken } from "./choice-taken.ts";
import { type WriteCall, writeContext } from "./context.ts";
import * as messages from "./messages.ts";
import { metaOf, metaText, withMeta } from "./meta.ts";
import { asStored, encodeObject, keyOf, readEntry, readWritten, type Written } from "./object-codec.ts";
import { checkNamespace, uniqueOwners } from "./prepare.ts";
import { groupResourceOf } from "./resource-type.ts";

const NAME_ATTEMPTS = 8;
/** Of addresses and ports: others choose at the same time. */
const CHOICE_ATTEMPTS = 100;

export async function createObject(call: WriteCall, draft: JsonObject): Promise<Written> {
  const { server, endpoint, manager } = call;
  const wiped = wipeSystemFields(draft);
  const name = metaText(wiped, "name");
  const placed = checkNamespace(wiped, call);
  const unique = uniqueOwners(placed, call.warn, false);
  const owned = await server.fieldManager.update(undefined, unique, { endpoint, manager });
  const subject = { operation: "CREATE", name, old: undefined } as const;
  const admitted = (await admission.mutate(call, { ...subject, object: owned })) ?? owned;
  return storeNew(call, uniqueOwners(checkNamespace(admitted, call), call.warn, true));
}

/** Throws a StatusError where the user may not create the object. */
type CheckRight = () => Promise<void>;

/** From an admitted draft on: what apply and PUT of a missing object use too, after a check of their own. */
export async function storeNew(call: WriteCall, draft: JsonObject, checkRight?: CheckRight): Promise<Written> {
  const isGenerated = metaText(draft, "name") === "" && metaText(draft, "generateName") !== "";
  for (let attempt = 1; ; attempt++) {
    try {
      return await storeOnce(call, draft, checkRight);
    } catch (error) {
      if (error instanceof ChoiceTaken && attempt < CHOICE_ATTEMPTS) continue;
      const isTaken = error instanceof StatusError && error.reason === "AlreadyExists";
      if (!isTaken || !isGenerated || attempt === NAME_ATTEMPTS) throw error;
    }
  }
}

async function storeOnce(call: WriteCall, draft: JsonObject, checkRight?: CheckRight): Promise<Written> {
  const { type } = call.endpoint;
  const object = type.strategy.create(draft, writeContext(call));
  const key = keyOf(type, call.namespace, metaText(object, "name"));
  const reserved = await type.reserve?.({ key, object, old: undefined, asked: draft, isDryRun: call.isDryRun });
  try {
    return await storePrepared(call, object, checkRight);
  } catch (error) {
    await reserved?.release();
    throw error;
  }
}

async function storePrepared(call: WriteCall, object: JsonObject, checkRight?: CheckRight): Promise<Written> {
  const { type } = call.endpoint;
  const name = metaText(object, "name");
  await checkRight?.();
  await admission.validate(call, { operation: "CREATE", name, object, old: undefined });
  if (Number(metaText(object, "resourceVersion")) > 0) throw bare(messages.resourceVersionOnCreate());
  const key = keyOf(type, call.namespace, name);
  if (call.isDryRun) {
    if ((await call.server.store.get(key)) !== undefined) throw await existsError(call, object, key);
    return { object: await asStored(object, type) };
  }
  try {
    const text = await encodeObject(object, type);
    return await readWritten(await call.server.store.create(key, text.plain()), type, { object, text });
  } catch (error) {
    if (error instanceof KeyExists) throw await existsError(call, object, key);
    throw error;
  }
}

async function existsError(call: WriteCall, object: JsonObject, key: string): Promise<StatusError> {
  const { type } = call.endpoint;
  const name = metaText(object, "name");
  const resource = groupResourceOf(type);
  const error =
    metaText(object, "generateName") === "" ? alreadyExists(resource, name) : generateNameConflict(resource, name, 1);
  const entry = await call.server.store.get(key);
  if (entry === undefined || metaText(await readEntry(entry, type), "deletionTimestamp") === "") return error;
  const { code, reason, details } = error;
  return new StatusError({ code, reason, message: messages.beingDeleted(error.message), ...(details && { details }) });
}

/** What only the server may set. */
function wipeSystemFields(draft: JsonObject): JsonObject {
  if (!("metadata" in draft)) return withMeta(draft, {});
  const meta = metaOf(draft);
  const system = ["creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];
  if (!system.some((field) => field in meta)) return draft;
  return withMeta(draft, Object.fromEntries(system.map((field) => [field, undefined])));
}

/** An error that upstream gives no reason and no details. */
export function bare(message: string): StatusError {
  return new StatusError({ code: 500, reason: "", message });
}
