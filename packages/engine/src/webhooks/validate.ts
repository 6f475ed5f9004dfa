/**
 * Validating webhooks: all matching ones are called in parallel, all responses are awaited, and the first refusal is
 * returned.
 *
 * Follows apiserver pkg/admission/plugin/webhook/validating/dispatcher.go.
 */
import { type AdmissionAttributes, formatKind, type GroupVersionKind, sameKind } from "../policy/attributes.ts";
import { internalError, StatusError, timeout } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { askWebhook, consequence, observation } from "./ask.ts";
import type { VersionedObjects } from "./conditions.ts";
import type { WebhookContext } from "./context.ts";
import { isExemptKind } from "./exempt.ts";
import * as messages from "./messages.ts";
import { observeSelection } from "./observe.ts";
import { type Invocation, type Selection, selectWebhook } from "./select.ts";
import { ignoresFailures } from "./webhook.ts";
import type { PlacedWebhook, WebhookSet } from "./webhook-set.ts";

/** The refusal, if there is one. */
export async function validateByWebhooks(
  all: WebhookSet,
  attributes: AdmissionAttributes,
  context: WebhookContext,
): Promise<StatusError | undefined> {
  const set = isExemptKind(attributes.kind) ? all.staticPart : all;
  if (set === undefined) return undefined;
  // The configurations may change while lookups are resolved; a request meets those of one moment.
  const candidates = set.candidates(attributes, context.equivalents);
  if (candidates.length === 0) return undefined;
  const { selections, invocations, error } = await context.run((lookups) =>
    selectAll(candidates, attributes, { ...context, ...lookups }),
  );
  for (const [name, selection] of selections) observeSelection(name, selection, "validating", attributes, context);
  if (error !== undefined) return error;
  if (invocations.length === 0) return undefined;
  if (context.remaining() <= 0) return timeout(messages.requestTimeout(), 0);
  const refusals: StatusError[] = [];
  const ask = async (each: VersionedInvocation, index: number): Promise<void> => {
    const refusal = await askOne(each, index, attributes, context);
    if (refusal !== undefined) refusals.push(refusal);
  };
  await Promise.all(invocations.map(ask));
  return refusals[0];
}

interface VersionedInvocation extends Invocation {
  readonly versioned: VersionedObjects;
}

interface Selected {
  readonly selections: readonly (readonly [webhook: string, selection: Selection])[];
  readonly invocations: readonly VersionedInvocation[];
  readonly error: StatusError | undefined;
}

type SelectingContext = WebhookContext & Parameters<Parameters<WebhookContext["run"]>[0]>[0];

/** Stops at the first error, and then no webhook is called. */
function selectAll(
  candidates: readonly PlacedWebhook[],
  attributes: AdmissionAttributes,
  context: SelectingContext,
): Selected {
  const known = new Map<string, VersionedObjects | StatusError>();
  const versioned = (kind: GroupVersionKind): VersionedObjects | StatusError => {
    const key = formatKind(kind);
    const found = known.get(key) ?? convertObjects(attributes, kind, context);
    known.set(key, found);
    return found;
  };
  const selections: (readonly [string, Selection])[] = [];
  const invocations: VersionedInvocation[] = [];
  for (const { webhook } of candidates) {
    const selection = selectWebhook(webhook, attributes, { ...context, versioned });
    selections.push([webhook.name, selection]);
    if (selection.error !== undefined) return { selections, invocations, error: selection.error };
    const { invocation } = selection;
    if (invocation === undefined) continue;
    const objects = versioned(invocation.kind);
    if (objects instanceof StatusError) return { selections, invocations, error: objects };
    invocations.push({ ...invocation, versioned: objects });
  }
  return { selections, invocations, error: undefined };
}

function convertObjects(
  attributes: AdmissionAttributes,
  kind: GroupVersionKind,
  { equivalents }: Pick<WebhookContext, "equivalents">,
): VersionedObjects | StatusError {
  const convert = (object: JsonObject | undefined): JsonObject | string | undefined =>
    object === undefined || sameKind(kind, attributes.kind) ? object : equivalents.convert(object, kind);
  const oldObject = convert(attributes.oldObject);
  if (typeof oldObject === "string") return internalError(oldObject);
  const object = convert(attributes.object);
  return typeof object === "string" ? internalError(object) : { kind, object, oldObject };
}

async function askOne(
  { versioned, ...invocation }: VersionedInvocation,
  index: number,
  attributes: AdmissionAttributes,
  context: WebhookContext,
): Promise<StatusError | undefined> {
  const { webhook } = invocation;
  const start = context.clock();
  const asked = await askWebhook(invocation, attributes, versioned, context, "validating");
  const { operation } = attributes;
  const seconds = context.clock() - start;
  context.observer.called(observation(asked, webhook, { type: "validating", operation, seconds }));
  if (asked.outcome === "allowed") return undefined;
  if (asked.outcome === "failed" && ignoresFailures(webhook)) {
    context.observer.failedOpen(webhook.name, "validating");
    context.annotate(`${FAILED_OPEN}round_0_index_${index}`, webhook.name);
  }
  return consequence(asked, webhook, context);
}

const FAILED_OPEN = "failed-open.validating.webhook.admission.k8s.io/";
