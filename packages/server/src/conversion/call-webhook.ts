/** How the server reaches webhooks. The transport is handed in; without one there are none. */

export interface WebhookRequest {
  readonly url: string;
  /** Where to connect to, where that is not what the URL says: a service is known by a name that only a cluster resolves. */
  readonly connect?: { readonly host: string; readonly port: number } | undefined;
  /** The authorities to trust, in PEM; the system's where undefined. */
  readonly ca: string | undefined;
  /** JSON. */
  readonly body: string;
}

export interface WebhookAnswer {
  readonly code: number;
  /** "" where none was sent. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Rejects with `WebhookUnreachable` where there is no answer. */
export type CallWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

/** The message gives the reason as Go's HTTP client does. */
export class WebhookUnreachable extends Error {
  override readonly name = "WebhookUnreachable";
  /** Whether the message needs nothing before it: the answer had begun when it broke off. */
  readonly isComplete: boolean;

  constructor(message: string, { isComplete = false }: { readonly isComplete?: boolean } = {}) {
    super(message);
    this.isComplete = isComplete;
  }
}
