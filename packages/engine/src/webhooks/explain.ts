/**
 * Which webhooks would be called for a request, and why or why not. No webhook is called, so mutating webhooks are
 * explained for the given object, without the changes of earlier webhooks.
 */
import {
  type AdmissionAttributes,
  type EquivalentResources,
  type GroupVersionResource,
  NO_EQUIVALENTS,
  sameKind,
} from "../policy/attributes.ts";
import { NO_CLOCK } from "../policy/evaluate.ts";
import { internalError, type StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import type { VersionedObjects } from "./conditions.ts";
import type { WebhookContext, WebhookLookups } from "./context.ts";
import { isExemptKind } from "./exempt.ts";
import * as messages from "./messages.ts";
import { selectWebhook } from "./select.ts";
import type { WebhookSet } from "./webhook-set.ts";

export interface WebhookExplanation {
  readonly configuration: string;
  readonly webhook: string;
  /** An error refuses the request before any webhook is called. */
  readonly outcome: "asked" | "not asked" | "error";
  readonly reason: string;
  /** The resource that is sent to the webhook, if its version differs from the request's. */
  readonly as?: GroupVersionResource;
}

export interface ExplainContext extends WebhookLookups, Pick<WebhookContext, "version"> {
  readonly equivalents?: EquivalentResources | undefined;
}

/** One explanation for each webhook, in the order of calls. */
export function explainWebhooks(
  set: WebhookSet,
  attributes: AdmissionAttributes,
  context: ExplainContext,
): WebhookExplanation[] {
  const equivalents = context.equivalents ?? NO_EQUIVALENTS;
  const versioned = (kind: AdmissionAttributes["kind"]): VersionedObjects | StatusError => {
    const convert = (object: JsonObject | undefined): JsonObject | string | undefined =>
      object === undefined || sameKind(kind, attributes.kind) ? object : equivalents.convert(object, kind);
    const [object, oldObject] = [convert(attributes.object), convert(attributes.oldObject)];
    if (typeof object === "string") return internalError(object);
    return typeof oldObject === "string" ? internalError(oldObject) : { kind, object, oldObject };
  };
  const isExempt = isExemptKind(attributes.kind);
  return set.webhooks.map((webhook) => {
    const names = { configuration: webhook.configuration, webhook: webhook.name };
    if (isExempt) return { ...names, outcome: "not asked", reason: messages.exemptKind() };
    const own = { ...context, equivalents, versioned, clock: NO_CLOCK };
    const { invocation, error, reason } = selectWebhook(webhook, attributes, own);
    if (error !== undefined) return { ...names, outcome: "error", reason };
    if (invocation === undefined) return { ...names, outcome: "not asked", reason };
    const isOther = invocation.resource !== attributes.resource;
    return { ...names, outcome: "asked", reason, ...(isOther && { as: invocation.resource }) };
  });
}
