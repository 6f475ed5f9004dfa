/**
 * Creating an object: ownership, mutating admission, the kind's own preparation and validation, validating admission.
 *
 * Follows apiserver pkg/endpoints/handlers/create.go and pkg/registry/rest/create.go.
 */
import { internalError, notFound } from "../status/error.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { metaText } from "../value/metadata.ts";
import * as admission from "./admission.ts";
import { decodeDraft } from "./decode.ts";
import { type AnswerContext, groupResourceOf, rulesOf } from "./kind.ts";
import * as messages from "./messages.ts";
import { checkKey, checkNamespace, uniqueOwners, wipeSystemFields } from "./prepare.ts";
import { reserve } from "./reserve.ts";
import { createContext, type ReviewContext, type Reviewed, watched, writeContext } from "./review-context.ts";
import type { CreateWrite, PatchWrite, UpdateWrite } from "./write.ts";

export async function reviewCreate(write: CreateWrite, context: ReviewContext): Promise<Reviewed> {
  const { endpoint, fieldValidation } = write;
  const { type, subresource } = endpoint;
  const { warn, onFindings } = context.recorder;
  const draft = watched(write, context, () =>
    decodeDraft(write.content, endpoint, { fieldValidation, warn, onFindings }),
  );
  context.recorder.decoded = draft;
  await write.pause?.();
  if (subresource?.connect !== undefined) return { object: await connect(write, draft, context), isCreated: true };
  if (type.answerCreate !== undefined) return { object: await answer(write, draft, context), isCreated: true };
  return { object: await createDraft(write, draft, context), isCreated: true };
}

async function createDraft(write: CreateWrite, draft: JsonObject, context: ReviewContext): Promise<JsonObject> {
  const { attempts } = write;
  const admitted = attempts?.admitted ?? (await admitDraft(write, draft, context));
  if (attempts !== undefined) attempts.admitted = admitted;
  return finishCreate(write, admitted, context, { requestedName: metaText(draft, "name") });
}

/** With ownership and what mutating admission makes of it. */
async function admitDraft(write: CreateWrite, draft: JsonObject, context: ReviewContext): Promise<JsonObject> {
  const { cluster, recorder } = context;
  const { endpoint, manager } = write;
  const placed = checkNamespace(wipeSystemFields(draft), write);
  const unique = uniqueOwners(placed, recorder.warn, false);
  const owned = await cluster.fieldManager.update(undefined, unique, { endpoint, manager, pause: write.pause });
  await write.pause?.();
  const subject = { operation: "CREATE", name: metaText(placed, "name"), old: undefined } as const;
  const admitted = (await admission.mutate(write, { ...subject, object: owned }, context)) ?? owned;
  // System fields cannot be set where a webhook left something else than an object.
  if (admitted["metadata"] !== undefined && !isObject(admitted["metadata"]))
    throw internalError(messages.noSystemMetadata());
  return uniqueOwners(checkNamespace(admitted, write), recorder.warn, true);
}

interface FinishOptions {
  /** That of the URL or the body; "" if it is generated, or set by mutating admission. */
  readonly requestedName: string;
  /** Throws a StatusError where the user may not create the object. */
  readonly checkRight?: () => Promise<void>;
}

/** From an admitted draft on: what apply and PUT of a missing object use too, after a check of their own. */
export async function finishCreate(
  write: CreateWrite | UpdateWrite | PatchWrite,
  draft: JsonObject,
  context: ReviewContext,
  { requestedName, checkRight }: FinishOptions,
): Promise<JsonObject> {
  await write.pause?.();
  const prepared = await createContext(write, draft, context);
  const object = watched(write, context, () => write.endpoint.type.strategy.create(draft, prepared));
  await write.pause?.();
  // Another name that mutating admission sets is not shown as that of the request.
  const name = requestedName || metaText(object, "name");
  const subject = { operation: "CREATE", name, object, old: undefined, isUnnamed: requestedName === "" } as const;
  await reserve(write, { object, old: undefined, asked: draft }, context);
  await checkRight?.();
  await admission.validate(write, subject, context);
  return object;
}

/** Creates through a subresource, such as a token, are answered and not stored. */
async function connect(write: CreateWrite, draft: JsonObject, context: ReviewContext): Promise<JsonObject> {
  const { endpoint, name } = write;
  checkKey(write);
  // Mutating admission comes first: a webhook is asked about a token of an account that does not exist.
  const admitted = await mutateTracked(write, draft, context);
  const parent = endpoint.subresource?.findsParent === true ? newObject() : await write.live?.();
  if (parent === undefined) throw notFound(groupResourceOf(endpoint.type), name);
  const answered = await endpoint.subresource?.connect?.(parent, admitted, answerContext(write, context));
  return answered ?? draft;
}

/** Kinds that are answered and not stored. */
async function answer(write: CreateWrite, draft: JsonObject, context: ReviewContext): Promise<JsonObject> {
  const admitted = await mutateTracked(write, draft, context);
  return (await write.endpoint.type.answerCreate?.(admitted, answerContext(write, context))) ?? admitted;
}

/** What is not stored has managed fields and goes through mutating admission, too. */
async function mutateTracked(write: CreateWrite, draft: JsonObject, context: ReviewContext): Promise<JsonObject> {
  const { endpoint, manager } = write;
  const placed = checkNamespace(draft, write);
  const name = nameOf(write, placed);
  const object = await context.cluster.fieldManager.update(undefined, placed, { endpoint, manager });
  return (await admission.mutate(write, { operation: "CREATE", name, object, old: undefined }, context)) ?? object;
}

/** That of the URL, or of the object. */
function nameOf({ name }: CreateWrite, object: JsonObject): string {
  return name === "" ? metaText(object, "name") : name;
}

function answerContext(write: CreateWrite, context: ReviewContext): AnswerContext {
  const subject = { operation: "CREATE", old: undefined } as const;
  return {
    ...writeContext(write, context),
    name: write.name,
    isDryRun: write.isDryRun,
    annotate: context.recorder.annotate,
    server: rulesOf(write.endpoint),
    admit: (object) => admission.validate(write, { ...subject, name: nameOf(write, object), object }, context),
  };
}
