/** What calling webhooks needs besides the request. All I/O is done by functions that the caller passes in. */
import type { Authorizer } from "../kubecel/library/authz.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import type { EquivalentResources } from "../policy/attributes.ts";
import type { Clock } from "../policy/evaluate.ts";
import type { JsonObject } from "../value/json.ts";
import type { WebhookAnswer } from "./answer.ts";
import type { AdmissionWebhook } from "./webhook.ts";

export interface WebhookContext {
  /**
   * Runs a function without side effects until all its lookups are resolved. Conversions by `equivalents` are lookups
   * too.
   */
  readonly run: <T>(evaluate: (lookups: WebhookLookups) => T) => Promise<T>;
  readonly equivalents: EquivalentResources;
  /** The version whose expressions match conditions may use. */
  readonly version: KubernetesVersion;
  /** Seconds since an arbitrary start. */
  readonly clock: Clock;
  readonly call: CallWebhook;
  readonly newUid: () => string;
  /** The remaining milliseconds of the request timeout. */
  readonly remaining: () => number;
  readonly warn: (text: string) => void;
  /** Adds an audit annotation; with a level, only at this audit level or higher. */
  readonly annotate: (key: string, value: string, level?: "Request") => void;
  readonly observer: WebhookObserver;
}

export interface WebhookLookups {
  readonly namespace: (name: string) => JsonObject | undefined;
  readonly authorizer: Authorizer;
}

/** Sends a review and waits for the response, at most for the given time. */
export type CallWebhook = (webhook: AdmissionWebhook, body: string, timeoutMs: number) => Promise<CallOutcome>;

export type CallOutcome =
  | { readonly answer: WebhookAnswer; readonly error?: undefined }
  /** No response: the message is Go's. */
  | { readonly error: string; readonly answer?: undefined; readonly isClientError?: boolean };

/** Receives what the metrics count. */
export interface WebhookObserver {
  called(call: CallObservation): void;
  failedOpen(webhook: string, type: WebhookType): void;
  conditionsExcluded(webhook: string, type: WebhookType, operation: string): void;
  conditionsEvaluated(webhook: string, type: WebhookType, operation: string, result: ConditionsTime): void;
}

/** The names of the two types of webhooks in metrics. */
export type WebhookType = "admit" | "validating";

export interface CallObservation {
  readonly webhook: string;
  readonly type: WebhookType;
  readonly operation: string;
  readonly seconds: number;
  readonly code: number;
  readonly isRejected: boolean;
  /** Set if the request is rejected. */
  readonly errorType?: "calling_webhook_error" | "apiserver_internal_error" | "no_error";
}

export interface ConditionsTime {
  readonly errors: number;
  readonly seconds: number;
}
