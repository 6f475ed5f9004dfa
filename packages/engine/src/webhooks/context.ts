/** What asking webhooks needs besides the request. All input and output is done by functions that the caller passes in. */
import type { Authorizer } from "../kubecel/library/authz.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import type { EquivalentResources } from "../policy/attributes.ts";
import type { Clock } from "../policy/evaluate.ts";
import type { JsonObject } from "../value/json.ts";
import type { WebhookAnswer } from "./answer.ts";
import type { AdmissionWebhook } from "./webhook.ts";

export interface WebhookContext {
  /**
   * Runs a function without side effects until all it looks up is known. Conversions by `equivalents` are lookups, too.
   */
  readonly run: <T>(evaluate: (lookups: WebhookLookups) => T) => Promise<T>;
  readonly equivalents: EquivalentResources;
  /** The version whose expressions match conditions may use. */
  readonly version: KubernetesVersion;
  /** Seconds from any beginning. */
  readonly clock: Clock;
  readonly call: CallWebhook;
  readonly newUid: () => string;
  /** Milliseconds that are left of the request's time. */
  readonly remaining: () => number;
  readonly warn: (text: string) => void;
  /** Adds an audit annotation, only at this audit level or higher where one is given. */
  readonly annotate: (key: string, value: string, level?: "Request") => void;
  readonly observer: WebhookObserver;
}

export interface WebhookLookups {
  readonly namespace: (name: string) => JsonObject | undefined;
  readonly authorizer: Authorizer;
}

/** Sends a review and waits for the answer, at most as long as given. */
export type CallWebhook = (webhook: AdmissionWebhook, body: string, timeoutMs: number) => Promise<CallOutcome>;

export type CallOutcome =
  | { readonly answer: WebhookAnswer; readonly error?: undefined }
  /** Nothing came back: the text is Go's. */
  | { readonly error: string; readonly answer?: undefined; readonly isClientError?: boolean };

/** Gets what the server counts. */
export interface WebhookObserver {
  called(call: CallObservation): void;
  failedOpen(webhook: string, type: WebhookType): void;
  conditionsExcluded(webhook: string, type: WebhookType, operation: string): void;
  conditionsEvaluated(webhook: string, type: WebhookType, operation: string, result: ConditionsTime): void;
}

/** As metrics call the two sorts of webhooks. */
export type WebhookType = "admit" | "validating";

export interface CallObservation {
  readonly webhook: string;
  readonly type: WebhookType;
  readonly operation: string;
  readonly seconds: number;
  readonly code: number;
  readonly isRejected: boolean;
  /** Set where the request is rejected. */
  readonly errorType?: "calling_webhook_error" | "apiserver_internal_error" | "no_error";
}

export interface ConditionsTime {
  readonly errors: number;
  readonly seconds: number;
}
