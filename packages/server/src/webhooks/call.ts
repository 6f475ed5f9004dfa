/** Calls admission webhooks: their address, their trusted certificates and their timeout. */
import type { CallWebhook as CallAdmissionWebhook, CallOutcome } from "@portcullis/engine/internal/webhooks/context";
import { formatDuration } from "@portcullis/gostd/duration";
import { webhookAddress } from "../conversion/address.ts";
import { type CallWebhook, WebhookUnreachable } from "../conversion/call-webhook.ts";
import { posting } from "../conversion/messages.ts";
import type { ResolveService } from "../conversion/services.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { type Roots, readRoots } from "./ca-bundle.ts";
import { credentialFor, type WebhookUsers } from "./credentials.ts";

/** Many webhooks share few bundles. Upstream keeps as many clients. */
const MAX_BUNDLES = 200;

export interface WebhookTransport {
  readonly call: CallWebhook;
  readonly resolve: ResolveService;
  /** How the server identifies itself; it does not where absent. */
  readonly credentials?: WebhookUsers | undefined;
}

export function admissionCaller({ call, resolve, credentials }: WebhookTransport): CallAdmissionWebhook {
  const roots = new BoundedCache<string, Roots>(MAX_BUNDLES);
  return async (webhook, body, timeoutMs): Promise<CallOutcome> => {
    const { client } = webhook;
    const trusted = roots.get(client.caBundle, () => readRoots(client.caBundle));
    if (trusted.error !== undefined) return { error: trusted.error, isClientError: true };
    const url = webhookAddress(client, wholeSeconds(timeoutMs));
    try {
      const connect = client.service && (await resolve(client.service));
      const user = credentials === undefined ? {} : credentialFor(credentials, client);
      return { answer: await call({ url, connect, ca: trusted.ca, body, timeoutMs, isRepeatable: true, ...user }) };
    } catch (error) {
      if (!(error instanceof WebhookUnreachable)) throw error;
      return { error: error.isComplete ? error.message : posting(url, error.message) };
    }
  };
}

const NANOSECONDS = 1_000_000_000n;

/** Rounded up: `10s`. */
function wholeSeconds(milliseconds: number): string {
  return formatDuration(BigInt(Math.ceil(milliseconds / 1000)) * NANOSECONDS);
}
