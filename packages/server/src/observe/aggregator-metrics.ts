/** Which APIServices have no extension API server that answers, under upstream's names. */
import type { Counter, Metrics } from "./metrics.ts";

export class AggregatorMetrics {
  readonly #failures: Counter;
  /** By name, as of the last check. */
  readonly #isUnavailable = new Map<string, boolean>();

  constructor(metrics: Metrics) {
    metrics.computed(
      {
        name: "aggregator_unavailable_apiservice",
        help: "APIServices that are marked as unavailable, by name.",
        type: "gauge",
      },
      () => [...this.#isUnavailable].map(([name, isSo]) => [{ name }, isSo ? 1 : 0]),
    );
    this.#failures = metrics.counter(
      "aggregator_unavailable_apiservice_total",
      "APIServices that became unavailable, by name and reason.",
    );
  }

  checked(name: string, isAvailable: boolean, reason: string): void {
    if (!isAvailable && this.#isUnavailable.get(name) !== true) this.#failures.add({ name, reason });
    this.#isUnavailable.set(name, !isAvailable);
  }

  removed(name: string): void {
    this.#isUnavailable.delete(name);
  }
}
