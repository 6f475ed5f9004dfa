/**
 * A webhook that authenticates bearer tokens: it is asked with a TokenReview, and its answers are kept for a while.
 *
 * Follows apiserver plugin/pkg/authenticator/token/webhook and pkg/authentication/token/cache.
 */
import {
  field,
  type GoStruct,
  goBool,
  goList,
  goMap,
  goString,
  goStruct,
} from "@portcullis/engine/internal/field/go-shape";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import { asServer, type ServerRules, since } from "@portcullis/engine/internal/value/server-version";
import type { ReviewKind } from "@portcullis/engine/internal/webhooks/answer";
import { type Authenticator, bearerToken } from "../auth/authenticate.ts";
import type { CallWebhook } from "../conversion/call-webhook.ts";
import { askWebhook } from "./ask-webhook.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import type { ReviewVersion, WebhookConnection } from "./modes.ts";

/** How tokens are checked by a webhook. */
export interface TokenWebhook {
  readonly connection: WebhookConnection;
  /** The version of the review that is sent. */
  readonly version: ReviewVersion;
  /** How long answers are kept, in milliseconds; 0 keeps none. */
  readonly ttl: number;
}

export interface TokenWebhookContext {
  readonly call: CallWebhook;
  /** Milliseconds, from any beginning. */
  readonly clock: () => number;
  /** What tokens for this server are meant for. */
  readonly audiences: readonly string[];
  readonly rules: ServerRules;
}

const MAX_ANSWERS = 4096;
const TIMEOUT_MS = 30_000;

export function tokenWebhookAuthenticator(webhook: TokenWebhook, context: TokenWebhookContext): Authenticator {
  const { call, clock, audiences, rules } = context;
  const answers = new ExpiringCache<User | "invalid">(MAX_ANSWERS, clock);
  return async (request) => {
    const token = bearerToken(request);
    if (token === undefined) return undefined;
    const known = answers.get(token);
    if (known !== undefined) return known;
    const { connection, version, ttl } = webhook;
    const body = asServer(rules, () => encodeTokenReview(token, audiences, version));
    const question = { connection, body, timeoutMs: TIMEOUT_MS, kind: TOKEN_REVIEWS[version] };
    const reply = await askWebhook(question, { call, clock, observe: () => {} });
    // A failure is not kept: the next request asks again.
    if (reply.error !== undefined) return "invalid";
    const status = objectOf(reply.review["status"]);
    const found = userOf(status, audiences) ?? "invalid";
    if (found !== "invalid" || textOf(status["error"]) === "") answers.set(token, found, ttl);
    return found;
  };
}

function encodeTokenReview(token: string, audiences: readonly string[], version: ReviewVersion): string {
  const metadata = since("1.34") ? {} : { creationTimestamp: null };
  const spec = { token, ...(audiences.length > 0 && { audiences }) };
  const apiVersion = `${GROUP}/${version}`;
  return `${JSON.stringify({ kind: KIND, apiVersion, metadata, spec, status: { user: {} } })}\n`;
}

/** Undefined if the token is wrong, or for another audience. An answer without audiences is for this server. */
function userOf(status: JsonObject, audiences: readonly string[]): User | undefined {
  const given = textsOf(status["audiences"]);
  const isForUs = given.length === 0 || given.some((audience) => audiences.includes(audience));
  if (status["authenticated"] !== true || !isForUs) return undefined;
  const user = objectOf(status["user"]);
  const extra = Object.entries(objectOf(user["extra"])).map(([key, values]) => [key, textsOf(values)] as const);
  return {
    name: textOf(user["username"]),
    uid: textOf(user["uid"]),
    groups: textsOf(user["groups"]),
    extra: new Map(extra),
  };
}

const GROUP = "authentication.k8s.io";
const KIND = "TokenReview";

function reviewKind(version: ReviewVersion): ReviewKind {
  const user = goStruct(`${version}.UserInfo`, () => ({
    username: field(goString),
    uid: field(goString),
    groups: field(goList(goString)),
    extra: field(goMap(goList(goString))),
  }));
  const status = goStruct(`${version}.TokenReviewStatus`, () => ({
    authenticated: field(goBool),
    user: field(user),
    audiences: field(goList(goString)),
    error: field(goString),
  }));
  const shape: GoStruct = goStruct(`${version}.${KIND}`, () => ({
    kind: field(goString),
    apiVersion: field(goString),
    status: field(status),
  }));
  return { group: GROUP, kind: KIND, version, shape, knowsKinds: true };
}

const TOKEN_REVIEWS: Readonly<Record<ReviewVersion, ReviewKind>> = {
  v1: reviewKind("v1"),
  v1beta1: reviewKind("v1beta1"),
};
