/**
 * A webhook that authorizes: it is asked unless its match conditions exclude the request or its answer is still known.
 *
 * Follows apiserver plugin/pkg/authorizer/webhook.
 */

import { aggregate } from "@portcullis/engine/internal/field/format";
import {
  type AccessCondition,
  compileAccessCondition,
  evaluateAccessConditions,
} from "@portcullis/engine/internal/policy/access/conditions";
import type { Attributes, Authorizer, Decision } from "@portcullis/engine/internal/review/authorizer";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { asServer, type ServerRules } from "@portcullis/engine/internal/value/server-version";
import type { CallWebhook } from "../conversion/call-webhook.ts";
import type { AuthorizationMetrics } from "../observe/authorization-metrics.ts";
import { ACCESS_REVIEWS, conditionInput, encodeAccessReview } from "./access-review.ts";
import { askWebhook, type WebhookReply } from "./ask-webhook.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import * as messages from "./messages.ts";
import type { WebhookMode } from "./modes.ts";

export interface WebhookContext {
  readonly call: CallWebhook;
  readonly metrics: AuthorizationMetrics;
  /** Milliseconds, from any beginning. */
  readonly clock: () => number;
  readonly rules: ServerRules;
}

const MAX_ANSWERS = 8192;
/** Requests that name more are not kept: they would fill the memory. */
const MAX_ATTRIBUTES = 10_000;

export function webhookAuthorizer(mode: WebhookMode, context: WebhookContext): Authorizer {
  const answers = new ExpiringCache<JsonObject>(MAX_ANSWERS, context.clock);
  const conditions = asServer(context.rules, () => compile(mode, context.rules));
  const failed = (error: string): Decision => ({
    verdict: mode.failurePolicy === "Deny" ? "deny" : "no-opinion",
    reason: "",
    error,
  });
  return async (attributes) => {
    const excluded = checkConditions(conditions, attributes, mode, context);
    if (excluded === "excluded") return { verdict: "no-opinion", reason: "" };
    if (excluded !== undefined) return failed(excluded);
    const body = asServer(context.rules, () => encodeAccessReview(attributes, mode.version));
    const known = answers.get(body);
    if (known !== undefined) return decisionOf(known);
    const reply = await ask(body, mode, context);
    if (reply.error !== undefined) return failed(reply.error);
    const status = objectOf(reply.review["status"]);
    const ttl = status["allowed"] === true ? mode.authorizedTtl : mode.unauthorizedTtl;
    if (sizeOf(attributes) < MAX_ATTRIBUTES) answers.set(body, status, ttl);
    return decisionOf(status);
  };
}

function compile({ matchConditions }: WebhookMode, { version }: ServerRules): AccessCondition[] {
  return matchConditions.map((expression) => {
    const compiled = compileAccessCondition(expression, version);
    if (typeof compiled === "string") throw new Error(compiled);
    return compiled;
  });
}

/** Undefined if the webhook is to be asked; another text is an error. */
function checkConditions(
  conditions: readonly AccessCondition[],
  attributes: Attributes,
  { name }: WebhookMode,
  { metrics, clock, rules }: WebhookContext,
): string | undefined {
  if (conditions.length === 0) return undefined;
  const start = clock();
  const { isExcluded, errors } = asServer(rules, () =>
    evaluateAccessConditions(conditions, conditionInput(attributes)),
  );
  metrics.conditions(name, { seconds: (clock() - start) / 1000, isExcluded, isFailed: errors.length > 0 });
  if (isExcluded) return "excluded";
  return errors.length === 0 ? undefined : aggregate(errors);
}

async function ask(body: string, mode: WebhookMode, { call, metrics, clock }: WebhookContext): Promise<WebhookReply> {
  const { name, connection, timeoutMs, version } = mode;
  let last: "success" | "timeout" | "error" = "success";
  const observe = (reply: WebhookReply, seconds: number): void => {
    last = reply.error === undefined ? "success" : reply.isTimeout ? "timeout" : "error";
    metrics.called(name, last, seconds);
  };
  const question = { connection, body, timeoutMs, kind: ACCESS_REVIEWS[version] };
  const reply = await askWebhook(question, { call, clock, observe });
  if (reply.error !== undefined && mode.failurePolicy === "NoOpinion") metrics.failedOpen(name, last);
  return reply;
}

function decisionOf(status: JsonObject): Decision {
  const [isAllowed, isDenied, reason] = [
    status["allowed"] === true,
    status["denied"] === true,
    textOf(status["reason"]),
  ];
  if (isAllowed && isDenied) return { verdict: "deny", reason, error: messages.bothDecisions() };
  if (isDenied) return { verdict: "deny", reason };
  return { verdict: isAllowed ? "allow" : "no-opinion", reason };
}

/** Of what the requester chooses. */
function sizeOf({ namespace, verb, group, version, resource, subresource, name, path }: Attributes): number {
  return [namespace, verb, group, version, resource, subresource, name, path].join("").length;
}
