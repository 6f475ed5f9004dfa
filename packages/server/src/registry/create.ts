/**
 * Storing a new object. A generated name that is taken is tried again with another one, which repeats validation and
 * validating admission.
 *
 * Follows Create of apiserver pkg/registry/generic/registry/store.go.
 */
import { groupResourceOf, type ResourceKind, rulesOf } from "@portcullis/engine/internal/review/kind";
import * as messages from "@portcullis/engine/internal/review/messages";
import type { CreateAttempts, CreateWrite } from "@portcullis/engine/internal/review/write";
import { alreadyExists, bareError, generateNameConflict, StatusError } from "@portcullis/engine/internal/status/error";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { asServer } from "@portcullis/engine/internal/value/server-version";
import { KeyExists } from "../storage/store.ts";
import { ChoiceTaken } from "./choice-taken.ts";
import type { WriteCall } from "./context.ts";
import { asStored, encodeWithinLimit, keyOf, readEntry, readWritten, type Written } from "./object-codec.ts";
import { reviewed, storeReserved } from "./reviewed.ts";

const NAME_ATTEMPTS = 8;
/** Of addresses and ports: others choose at the same time. */
export const CHOICE_ATTEMPTS = 100;

export async function createObject(write: CreateWrite, call: WriteCall): Promise<Written> {
  const attempts: CreateAttempts = { admitted: undefined };
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce({ ...write, attempts }, call);
    } catch (error) {
      if (error instanceof ChoiceTaken && attempt < CHOICE_ATTEMPTS) continue;
      if (!(error instanceof NameTaken)) throw error;
      if (attempt === NAME_ATTEMPTS || !retriesNames(write)) throw error.refusal;
    }
  }
}

/** Since 1.31, unless the gate is turned off. */
function retriesNames({ endpoint }: CreateWrite): boolean {
  return asServer(rulesOf(endpoint), () => isEnabled("RetryGenerateName"));
}

/** A generated name that is already taken. */
class NameTaken extends Error {
  readonly refusal: StatusError;

  constructor(refusal: StatusError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

async function createOnce(write: CreateWrite, call: WriteCall): Promise<Written> {
  const accepted = await reviewed(write, call);
  const { object } = accepted;
  if (object === undefined) throw new Error("a created object is missing");
  if (isAnswered(write)) return { object };
  try {
    return await storeReserved(accepted, write, () => storeNew(object, write, call));
  } catch (error) {
    const isTaken = error instanceof StatusError && error.reason === "AlreadyExists";
    throw isTaken && isNameGenerated(write) ? new NameTaken(error) : error;
  }
}

/** Whether mutating admission has left the name to the server. Only then another name can be tried. */
function isNameGenerated({ attempts }: CreateWrite): boolean {
  const admitted = attempts?.admitted;
  return admitted !== undefined && metaText(admitted, "name") === "" && metaText(admitted, "generateName") !== "";
}

/** Some kinds and subresources are answered and not stored. */
function isAnswered({ endpoint: { type, subresource } }: CreateWrite): boolean {
  return subresource?.connect !== undefined || type.answerCreate !== undefined;
}

type Destination = Pick<CreateWrite, "endpoint" | "namespace" | "isDryRun">;

/** What apply and PUT of a missing object use too. */
export async function storeNew(object: JsonObject, write: Destination, call: WriteCall): Promise<Written> {
  const { type } = write.endpoint;
  const { store } = call.server;
  const key = keyOf(type, write.namespace, metaText(object, "name"));
  if (write.isDryRun) {
    if ((await store.get(key)) !== undefined) throw await existsError(object, key, type, call);
    return { object: await asStored(object, type) };
  }
  if (Number(metaText(object, "resourceVersion")) > 0) throw bareError(messages.resourceVersionOnCreate());
  try {
    const limits = { needsManagedFields: false, maxValue: store.maxValue, isDryRun: false };
    const encoded = await encodeWithinLimit(object, type, limits);
    return await readWritten(await store.create(key, encoded.text.plain()), type, encoded);
  } catch (error) {
    if (error instanceof KeyExists) throw await existsError(object, key, type, call);
    throw error;
  }
}

async function existsError(object: JsonObject, key: string, type: ResourceKind, { server }: WriteCall) {
  const name = metaText(object, "name");
  const resource = groupResourceOf(type);
  const error =
    metaText(object, "generateName") === "" ? alreadyExists(resource, name) : generateNameConflict(resource, name, 1);
  const entry = await server.store.get(key);
  if (entry === undefined || metaText(await readEntry(entry, type), "deletionTimestamp") === "") return error;
  const { code, reason, details } = error;
  return new StatusError({ code, reason, message: messages.beingDeleted(error.message), ...(details && { details }) });
}
