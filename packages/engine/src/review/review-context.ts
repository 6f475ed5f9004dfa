/** What the steps of one review share. */
import type { StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { watchWork } from "../value/watch-work.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { RightsRequest, WriteContext } from "./kind.ts";
import type { OutcomeRecorder } from "./outcome.ts";
import type { CreateWrite, PatchWrite, UpdateWrite, Write } from "./write.ts";

export interface ReviewContext {
  readonly cluster: ClusterView;
  readonly recorder: OutcomeRecorder;
}

export interface Reviewed {
  /** Undefined if nothing stays of the object. */
  readonly object: JsonObject | undefined;
  readonly isCreated: boolean;
}

/** Preparing and validating take long where schemas and rules are hostile. */
export function watched<T>({ overrun }: Write, { cluster, recorder }: ReviewContext, run: () => T): T {
  return watchWork({ cluster, overrun: overrun && ((seconds) => overrun(seconds, !recorder.hasCalled)) }, run);
}

/** What the kind's own functions get to see of a write. */
export function writeContext(write: Write, { cluster, recorder }: ReviewContext): WriteContext {
  const { namespace, fieldValidation, user, isDryRun, isAssumedValid = false } = write;
  const { system, metrics, setsPluginValues = false } = cluster;
  const { warn, onRatcheting } = recorder;
  const refuse = write.continuesWhenInvalid === true ? recorder.noteRefusal : throwRefusal;
  const request = { namespace, fieldValidation, user, isDryRun, isAssumedValid };
  return { ...request, warn, refuse, system, metrics, onRatcheting, setsPluginValues };
}

function throwRefusal(refusal: StatusError): never {
  throw refusal;
}

/**
 * With the rights that the user lacks beyond the write itself, such as the right to bind a resource claim: errors of the
 * object, before those of its fields.
 */
export async function createContext(
  write: CreateWrite | UpdateWrite | PatchWrite,
  draft: JsonObject,
  context: ReviewContext,
): Promise<WriteContext> {
  const plain = writeContext(write, context);
  const rightsErrors = await write.endpoint.type.checkRights?.(requestOf(write, context, draft, undefined));
  return rightsErrors === undefined ? plain : { ...plain, rightsErrors };
}

/** Rights depend on the prepared object, so it is prepared once to ask for them, and once more with the answer. */
export async function updateContext(
  write: UpdateWrite | PatchWrite,
  context: ReviewContext,
  { draft, live }: { readonly draft: JsonObject; readonly live: JsonObject },
): Promise<WriteContext> {
  const { type, subresource } = write.endpoint;
  const plain = writeContext(write, context);
  if (type.checkRights === undefined) return plain;
  const quiet = { ...plain, warn: () => {}, refuse: () => {} };
  const object = (subresource ?? type.strategy).update(draft, live, quiet);
  return { ...plain, rightsErrors: await type.checkRights(requestOf(write, context, object, live)) };
}

function requestOf(
  { endpoint, verb, user, namespace }: CreateWrite | UpdateWrite | PatchWrite,
  { cluster }: ReviewContext,
  object: JsonObject,
  old: JsonObject | undefined,
): RightsRequest {
  const readNamespace = async (): Promise<JsonObject | undefined> => {
    const kind = cluster.kinds.find("", "v1", "namespaces");
    return kind && cluster.get(kind, "", namespace);
  };
  return { endpoint, verb, user, namespace, object, old, authorizer: cluster.authorizer, readNamespace };
}
