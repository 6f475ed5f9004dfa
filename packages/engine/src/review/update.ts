/**
 * Changing an object by PUT or PATCH. Everything here depends on the live object, so the caller reviews again where it
 * has changed before the result could be stored.
 *
 * Follows Update of apiserver pkg/registry/generic/registry/store.go and pkg/registry/rest/update.go.
 */
import { parseUint } from "@portcullis/gostd/strconv";
import { keepTimestamps } from "../apply/managers/timestamps.ts";
import { GoJson, invalid as invalidField } from "../field/error.ts";
import { newPath } from "../field/path.ts";
import { bareError, conflict, invalid, notFound, type StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { metaText, withMeta } from "../value/metadata.ts";
import { asServer, since } from "../value/server-version.ts";
import * as admission from "./admission.ts";
import { finishCreate } from "./create.ts";
import { decodeDraft } from "./decode.ts";
import { groupResourceOf, rulesOf } from "./kind.ts";
import * as messages from "./messages.ts";
import { APPLY, checkPatchBody, proposePatch } from "./patch/patch.ts";
import { checkKey, checkName, checkNamespace, uniqueOwners } from "./prepare.ts";
import { forbiddenTo } from "./refusal.ts";
import { reserve } from "./reserve.ts";
import { type ReviewContext, type Reviewed, updateContext, watched } from "./review-context.ts";
import type { PatchWrite, UpdateWrite } from "./write.ts";

interface Change {
  readonly write: UpdateWrite | PatchWrite;
  /** The new object for a live one; for a subresource, for its view of the live one. Undefined if there is none. */
  readonly propose: (live: JsonObject | undefined) => Promise<JsonObject>;
  /** The uid that a PUT insists on. */
  readonly uid: string;
  /** Whether a missing object is created whatever its kind says: for apply. */
  readonly createsMissing: boolean;
}

export async function reviewUpdate(write: UpdateWrite, context: ReviewContext): Promise<Reviewed> {
  const { endpoint, name, manager, fieldValidation } = write;
  const { warn, onFindings } = context.recorder;
  const draft = watched(write, context, () =>
    decodeDraft(write.content, endpoint, { fieldValidation, warn, onFindings }),
  );
  context.recorder.decoded = draft;
  await write.pause?.();
  const placed = checkNamespace(draft, write);
  checkName(placed, name);
  checkKey(write);
  const unique = uniqueOwners(placed, warn, false);
  const propose: Change["propose"] = (live) =>
    context.cluster.fieldManager.update(live, unique, { endpoint, manager, pause: write.pause });
  return reviewChange({ write, propose, uid: metaText(draft, "uid"), createsMissing: false }, context);
}

export async function reviewPatch(write: PatchWrite, context: ReviewContext): Promise<Reviewed> {
  checkPatchBody(write);
  checkKey(write);
  const propose = proposePatch(write, context);
  return reviewChange({ write, propose, uid: "", createsMissing: write.patchType === APPLY }, context);
}

async function reviewChange(change: Change, context: ReviewContext): Promise<Reviewed> {
  const live = await change.write.live();
  await change.write.pause?.();
  return live === undefined
    ? { object: await createMissing(change, context), isCreated: true }
    : { object: await updateLive(change, live, context), isCreated: false };
}

async function createMissing({ write, propose, createsMissing }: Change, context: ReviewContext): Promise<JsonObject> {
  const { endpoint, name } = write;
  const { type, subresource } = endpoint;
  const mayCreate = type.strategy.allowsCreateOnUpdate || createsMissing;
  if (!mayCreate || subresource !== undefined) throw notFound(groupResourceOf(type), name);
  const draft = await propose(undefined);
  await write.pause?.();
  const uid = metaText(draft, "uid");
  if (uid !== "") throw conflict(groupResourceOf(type), name, messages.uidWithoutObject(uid));
  const placed = checkNamespace(draft, write);
  checkName(placed, name);
  const subject = { operation: "CREATE", name, object: placed, old: undefined } as const;
  const admitted = (await admission.mutate(write, subject, context)) ?? placed;
  const unique = uniqueOwners(checkNamespace(admitted, write), context.recorder.warn, true);
  // There is no object that a resourceVersion in the body could be the version of.
  const unversioned = withMeta(unique, { resourceVersion: undefined });
  const checkRight = (): Promise<void> => checkCreateRight(write, context);
  return finishCreate(write, unversioned, context, { requestedName: name, checkRight });
}

/** The request was authorized as an update or a patch. Follows withAuthorization of apiserver endpoints/handlers/update.go. */
async function checkCreateRight(write: UpdateWrite | PatchWrite, { cluster }: ReviewContext): Promise<void> {
  const { endpoint, user, namespace, name } = write;
  const { group, version, plural: resource } = endpoint.type;
  const place = { group, version, resource, subresource: "", namespace, name };
  const attributes = { ...place, user, verb: "create", isResource: true, path: "" };
  const { verdict, reason } = await cluster.authorizer(attributes);
  if (verdict !== "allow") throw forbiddenTo(attributes, reason);
}

async function updateLive(change: Change, live: JsonObject, context: ReviewContext): Promise<JsonObject> {
  const { write } = change;
  const { endpoint, name } = write;
  const { type, subresource } = endpoint;
  checkUid(change, live);
  const old = subresource?.view(live, "patch") ?? live;
  const proposed = checkNamespace(await change.propose(old), write);
  checkName(proposed, name);
  await write.pause?.();
  const subject = { operation: "UPDATE", name, old } as const;
  const admitted = (await admission.mutate(write, { ...subject, object: proposed }, context)) ?? proposed;
  const unique = uniqueOwners(checkNamespace(admitted, write), context.recorder.warn, true);
  await write.pause?.();
  const versioned = checkVersion(change, subresource?.toParent(unique, live) ?? unique, live);
  const prepared = await updateContext(write, context, { draft: versioned, live });
  const updated = watched(write, context, () => (subresource ?? type.strategy).update(versioned, live, prepared));
  const object = keepTimestamps(updated, live);
  await write.pause?.();
  await reserve(write, { object, old: live, asked: versioned }, context);
  const shown = subresource?.view(object, "result") ?? object;
  await admission.validate(write, { ...subject, object: shown }, context);
  return object;
}

function checkUid({ write, uid }: Change, live: JsonObject): void {
  const found = metaText(live, "uid");
  if (uid === "" || uid === found) return;
  const { type } = write.endpoint;
  const place = write.namespace === "" ? write.name : `${write.namespace}/${write.name}`;
  const message = messages.storageUidPrecondition(`${type.storagePrefix}${place}`, uid, found);
  throw conflict(groupResourceOf(type), write.name, message);
}

/** The version that is absent is an unsigned number, which Go's syntax shows in hexadecimal. */
function versionNeeded({ endpoint: { type }, name }: Change["write"]): StatusError {
  const zero = since("1.34") ? 0 : new GoJson("0x0");
  const error = invalidField(newPath("metadata", "resourceVersion"), zero, messages.resourceVersionNeeded());
  return invalid({ group: type.group, kind: type.plural }, name, [error]);
}

/** The draft with a resourceVersion that matches the live one. */
function checkVersion({ write }: Change, draft: JsonObject, live: JsonObject): JsonObject {
  const { type } = write.endpoint;
  const text = metaText(draft, "resourceVersion");
  const parsed = text === "" ? undefined : parseUint(text, 10, 64);
  if (parsed?.error !== undefined) throw bareError(parsed.error);
  const current = metaText(live, "resourceVersion");
  if (parsed === undefined || parsed.value === 0n) {
    if (type.strategy.allowsUnconditionalUpdate) return withMeta(draft, { resourceVersion: current });
    throw asServer(rulesOf(write.endpoint), () => versionNeeded(write));
  }
  if (String(parsed.value) !== current) throw conflict(groupResourceOf(type), write.name, messages.objectModified());
  return draft;
}
