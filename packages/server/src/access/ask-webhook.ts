/**
 * Asks a webhook that authenticates or authorizes. Failures that may pass are tried again, after growing delays.
 *
 * Follows apiserver pkg/util/webhook.
 */

import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { decodeAnswer, type ReviewKind, type WebhookAnswer } from "@portcullis/engine/internal/webhooks/answer";
import { formatDuration } from "@portcullis/gostd/duration";
import { type CallWebhook, WebhookUnreachable } from "../conversion/call-webhook.ts";
import { posting } from "../conversion/messages.ts";
import { credentialOf } from "../webhooks/credentials.ts";
import type { WebhookConnection } from "./modes.ts";

export interface Question {
  readonly connection: WebhookConnection;
  readonly body: string;
  readonly timeoutMs: number;
  readonly kind: ReviewKind;
}

export type WebhookReply =
  | { readonly review: JsonObject; readonly error?: undefined }
  | { readonly error: string; readonly isTimeout: boolean };

export interface Attempts {
  readonly call: CallWebhook;
  /** Milliseconds, from any beginning. */
  readonly clock: () => number;
  /** Each attempt, with its time in seconds. */
  readonly observe: (reply: WebhookReply, seconds: number) => void;
}

const STEPS = 5;
const FIRST_DELAY_MS = 500;
const FACTOR = 1.5;

export async function askWebhook(question: Question, attempts: Attempts): Promise<WebhookReply> {
  let delay = FIRST_DELAY_MS;
  for (let step = 1; ; step++) {
    const start = attempts.clock();
    const { mayPass, reply } = await ask(question, attempts.call);
    attempts.observe(reply, (attempts.clock() - start) / 1000);
    if (!mayPass || step === STEPS) return reply;
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay *= FACTOR;
  }
}

const MILLION = 1_000_000n;

/** Codes of failures that may pass. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 504]);
const RESET = /connection reset by peer$/;

async function ask(question: Question, call: CallWebhook): Promise<{ mayPass: boolean; reply: WebhookReply }> {
  const { connection, body, timeoutMs, kind } = question;
  const url = withTimeout(connection.url, formatDuration(BigInt(Math.round(timeoutMs)) * MILLION));
  const { ca, isInsecure, serverName, user } = connection;
  let answer: WebhookAnswer;
  try {
    const trust = { ca, isInsecure, serverName };
    answer = await call({ url, ...trust, body, timeoutMs, isRepeatable: true, ...(user && credentialOf(user)) });
  } catch (error) {
    if (!(error instanceof WebhookUnreachable)) throw error;
    const text = error.isComplete ? error.message : posting(url, error.message);
    const isTimeout = text.includes("context deadline exceeded");
    return { mayPass: RESET.test(error.message), reply: { error: text, isTimeout } };
  }
  const decoded = decodeAnswer(answer, kind);
  if (decoded.error === undefined) return { mayPass: false, reply: { review: decoded.review } };
  const { code } = answer;
  return { mayPass: PASSING.has(code), reply: { error: decoded.error, isTimeout: code === 504 } };
}

/** As the client writes it, which leaves the path alone. */
function withTimeout(url: string, timeout: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}timeout=${timeout}`;
}
