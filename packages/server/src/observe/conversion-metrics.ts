/** How conversions by webhooks went. */
import type { Counter, Histogram, Metrics } from "./metrics.ts";

/** What went wrong: the call, its answer, the number of objects, an object. */
export type ConversionFailure = "call" | "malformed" | "partial" | "invalid";

const FAILURES: Readonly<Record<ConversionFailure, string>> = {
  call: "conversion_webhook_call_failure",
  malformed: "conversion_webhook_malformed_response_failure",
  partial: "conversion_webhook_partial_response_failure",
  invalid: "conversion_webhook_invalid_converted_object_failure",
};

const SECONDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];
/** From one millisecond on, each twice the last. */
const DEFINITION_SECONDS = Array.from({ length: 15 }, (_, index) => 2 ** index / 1000);

export class ConversionMetrics {
  readonly #clock: () => number;
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #byDefinition: Histogram;

  constructor(metrics: Metrics, clock: () => number) {
    this.#clock = clock;
    this.#requests = metrics.counter(
      "apiserver_conversion_webhook_request_total",
      "Calls of conversion webhooks by result and kind of failure.",
    );
    this.#durations = metrics.histogram(
      "apiserver_conversion_webhook_duration_seconds",
      "Time of a call of a conversion webhook, by result and kind of failure.",
      SECONDS,
    );
    this.#byDefinition = metrics.histogram(
      "apiserver_crd_conversion_webhook_duration_seconds",
      "Time of a conversion by webhook, by CRD and versions.",
      DEFINITION_SECONDS,
    );
  }

  /** Call what it returns when the conversion is over. */
  begin(definition: string, from: string, to: string): (failure: ConversionFailure | undefined) => void {
    const start = this.#clock();
    return (failure) => {
      const seconds = this.#clock() - start;
      const failureType = failure === undefined ? "" : FAILURES[failure];
      const labels = { result: failure === undefined ? "success" : "failure", failure_type: failureType };
      this.#requests.add(labels);
      this.#durations.observe(labels, seconds);
      const succeeded = String(failure === undefined);
      this.#byDefinition.observe({ crd_name: definition, from_version: from, to_version: to, succeeded }, seconds);
    };
  }
}
