/** How the server reaches webhooks. The transport is handed in; without one there are none. */
import type { WebhookAnswer } from "@portcullis/engine/internal/webhooks/answer";

/** A call of a webhook, for callers that bring a client of their own. */
export interface WebhookRequest {
  readonly url: string;
  /** Where to connect to, where that is not what the URL says: a service is known by a name that only a cluster resolves. */
  readonly connect?: { readonly host: string; readonly port: number } | undefined;
  /** The authorities to trust, in PEM; the system's where undefined. */
  readonly ca: string | undefined;
  /** Whether any certificate is accepted. */
  readonly isInsecure?: boolean | undefined;
  /** The name that the certificate must be of, in place of that in the URL. */
  readonly serverName?: string | undefined;
  /** A client certificate, in PEM. */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** JSON. */
  readonly body: string;
  /** In place of the client's own limit. */
  readonly timeoutMs?: number;
  /** Whether redirects are followed, and answers with `Retry-After` asked for again, as Go's client does. */
  readonly isRepeatable?: boolean;
}

/** Rejects with `WebhookUnreachable` where there is no answer. */
export type CallWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

/**
 * The message gives the reason as Go's HTTP client does.
 * @example
 * const callWebhook: CallWebhook = async ({ url }) => {
 *   throw new WebhookUnreachable(`${url} is not reachable from here`);
 * };
 */
export class WebhookUnreachable extends Error {
  override readonly name = "WebhookUnreachable";
  /** Whether the message needs nothing before it: the answer had begun when it broke off. */
  readonly isComplete: boolean;

  constructor(message: string, { isComplete = false }: { readonly isComplete?: boolean } = {}) {
    super(message);
    this.isComplete = isComplete;
  }
}
