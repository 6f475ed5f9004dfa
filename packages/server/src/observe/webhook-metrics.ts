/** What admission webhooks count, under upstream's names. */
import type {
  CallObservation,
  ConditionsTime,
  WebhookObserver,
  WebhookType,
} from "@portcullis/engine/internal/webhooks/context";
import type { Counter, Histogram, Metrics } from "./metrics.ts";
import type { PolicyMetrics } from "./policy-metrics.ts";

const SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
const MAX_CODE = 600;

export class WebhookMetrics implements WebhookObserver {
  readonly #policies: PolicyMetrics;
  readonly #durations: Histogram;
  readonly #requests: Counter;
  readonly #rejections: Counter;
  readonly #failOpen: Counter;
  readonly #exclusions: Counter;

  constructor(metrics: Metrics, policies: PolicyMetrics) {
    this.#policies = policies;
    this.#durations = metrics.histogram(
      "apiserver_admission_webhook_admission_duration_seconds",
      "Time of a call of an admission webhook, by name, type, operation and whether it rejected.",
      SECONDS,
    );
    this.#requests = metrics.counter(
      "apiserver_admission_webhook_request_total",
      "Calls of admission webhooks, by name, type, operation, code and whether they rejected.",
    );
    this.#rejections = metrics.counter(
      "apiserver_admission_webhook_rejection_count",
      "Requests that admission webhooks rejected, by name, type, operation, kind of error and code.",
    );
    this.#failOpen = metrics.counter(
      "apiserver_admission_webhook_fail_open_count",
      "Failed calls of admission webhooks that were ignored, by name and type.",
    );
    this.#exclusions = metrics.counter(
      "apiserver_admission_match_condition_exclusions_total",
      "Webhooks that were not called because of a match condition, by name, type and operation.",
    );
  }

  called({ webhook: name, type, operation, seconds, code, isRejected, errorType }: CallObservation): void {
    const labels = { name, type, operation, rejected: String(isRejected) };
    this.#durations.observe(labels, seconds);
    this.#requests.add({ ...labels, code: String(Math.min(code, MAX_CODE)) });
    if (errorType === undefined) return;
    const rejection_code = String(Math.min(code, MAX_CODE));
    this.#rejections.add({ name, type, operation, error_type: errorType, rejection_code });
  }

  failedOpen(name: string, type: WebhookType): void {
    this.#failOpen.add({ name, type });
  }

  /** Upstream calls the type of validating webhooks by another word here. */
  conditionsExcluded(name: string, type: WebhookType, operation: string): void {
    const shown = type === "validating" ? "validate" : type;
    this.#exclusions.add({ name, kind: "webhook", type: shown, operation });
  }

  conditionsEvaluated(name: string, type: WebhookType, operation: string, { errors, seconds }: ConditionsTime): void {
    this.#policies.conditionsOf({ name, kind: "webhook", type, operation }, errors, seconds);
  }
}
