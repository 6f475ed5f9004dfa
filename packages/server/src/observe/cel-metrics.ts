/** How long validation rules of CRDs take, under upstream's names and in its buckets. */
import type { RuleTimes } from "@portcullis/engine/internal/rules/times";
import type { Histogram, Metrics } from "./metrics.ts";

/** Prometheus' own buckets, which upstream does not change. */
const DEFAULT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class CelMetrics implements RuleTimes {
  readonly clock: () => number;
  readonly #compilations: Histogram;
  readonly #evaluations: Histogram;

  constructor(metrics: Metrics, clock: () => number) {
    this.clock = clock;
    this.#compilations = metrics.histogram(
      "apiserver_cel_compilation_duration_seconds",
      "Time to compile the validation rules of one schema.",
      DEFAULT_SECONDS,
    );
    this.#evaluations = metrics.histogram(
      "apiserver_cel_evaluation_duration_seconds",
      "Time to evaluate the validation rules of one value and of all below it.",
      DEFAULT_SECONDS,
    );
  }

  compilation(seconds: number): void {
    this.#compilations.observe({}, seconds);
  }

  evaluation(seconds: number): void {
    this.#evaluations.observe({}, seconds);
  }
}
