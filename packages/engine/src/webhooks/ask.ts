/**
 * Calls one webhook for one request, and returns the result.
 *
 * Follows callHook of apiserver pkg/admission/plugin/webhook/validating/dispatcher.go and its mutating counterpart.
 */

import { checkQualifiedName } from "../field/names.ts";
import type { AdmissionAttributes } from "../policy/attributes.ts";
import { badRequest, internalError, type StatusError, timeout } from "../status/error.ts";
import { asVersion } from "../value/server-version.ts";
import type { VersionedObjects } from "./conditions.ts";
import type { CallObservation, WebhookContext, WebhookType } from "./context.ts";
import * as messages from "./messages.ts";
import { denial, readResponse, type WebhookResponse } from "./response.ts";
import { createReview } from "./review.ts";
import type { Invocation } from "./select.ts";
import { type AdmissionWebhook, ignoresFailures } from "./webhook.ts";

export type Asked =
  | { readonly outcome: "allowed"; readonly response: WebhookResponse }
  | { readonly outcome: "denied"; readonly error: StatusError }
  /** The call failed; `failurePolicy` decides. */
  | { readonly outcome: "failed"; readonly reason: string; readonly code: number }
  /** The server itself cannot continue, regardless of `failurePolicy`. */
  | { readonly outcome: "refused"; readonly error: StatusError };

export async function askWebhook(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  versioned: Pick<VersionedObjects, "object" | "oldObject">,
  context: WebhookContext,
  type: WebhookType,
): Promise<Asked> {
  const { webhook } = invocation;
  if (attributes.dryRun) {
    if (webhook.sideEffects === undefined) return failed(messages.noSideEffects(), 400);
    if (!HARMLESS.has(webhook.sideEffects)) {
      return { outcome: "refused", error: badRequest(messages.dryRunUnsupported(webhook.name)) };
    }
  }
  const { newUid, version } = context;
  const review = asVersion(version, () => createReview(invocation, attributes, versioned, newUid));
  if (review === undefined) return failed(messages.noReview(), 400);
  const timeoutMs = Math.min(webhook.timeoutSeconds * 1000, context.remaining());
  const { answer, error, ...rest } = await context.call(webhook, review.body, timeoutMs);
  if (answer === undefined) {
    return "isClientError" in rest && rest.isClientError === true
      ? failed(messages.noClient(error), 500)
      : failed(messages.failedToCall(error), 503);
  }
  const response = readResponse(answer, review, type === "admit" ? "mutating" : "validating");
  if ("error" in response) return failed(response.error, response.code);
  report(webhook, response, context);
  if (!response.isAllowed) return { outcome: "denied", error: denial(webhook.name, response.status) };
  return { outcome: "allowed", response };
}

const HARMLESS: ReadonlySet<string> = new Set(["None", "NoneOnDryRun"]);

export function failed(reason: string, code: number): Asked {
  return { outcome: "failed", reason, code };
}

function report({ name }: AdmissionWebhook, response: WebhookResponse, { warn, annotate }: WebhookContext): void {
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    const whole = `${name}/${key}`;
    if (isAnnotationKey(whole)) annotate(whole, value);
  }
  response.warnings.forEach(warn);
}

function isAnnotationKey(key: string): boolean {
  return key.split("/").length === 2 && checkQualifiedName(key).length === 0;
}

/** The effect of a failed call on the request: an error refuses it. */
export function consequence(
  asked: Exclude<Asked, { readonly outcome: "allowed" }>,
  webhook: AdmissionWebhook,
  { remaining }: Pick<WebhookContext, "remaining">,
): StatusError | undefined {
  if (asked.outcome !== "failed") return asked.error;
  if (remaining() <= 0) return timeout(messages.deadlineExceeded(), 0);
  if (ignoresFailures(webhook)) return undefined;
  return internalError(messages.failedCalling(webhook.name, asked.reason));
}

/** What the metrics count for a call. */
export function observation(
  asked: Asked,
  { name, failurePolicy }: AdmissionWebhook,
  call: Pick<CallObservation, "type" | "operation" | "seconds">,
): CallObservation {
  const base = { webhook: name, ...call };
  switch (asked.outcome) {
    case "allowed":
      return { ...base, code: 200, isRejected: false };
    case "denied":
      return { ...base, code: asked.error.code, isRejected: true, errorType: "no_error" };
    case "refused":
      return { ...base, code: 0, isRejected: true, errorType: "apiserver_internal_error" };
    default: {
      const { code } = asked;
      if (failurePolicy === "Ignore") return { ...base, code, isRejected: false };
      return { ...base, code, isRejected: true, errorType: "calling_webhook_error" };
    }
  }
}
