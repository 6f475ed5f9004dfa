/** Events that clients of watches were sent, under upstream's names. */
import type { Counter, Histogram, Labels, Metrics } from "./metrics.ts";

/** From a kibibyte on, each twice the last. */
const EVENT_BYTES = Array.from({ length: 8 }, (_, index) => 1024 * 2 ** index);

export class WatchMetrics {
  readonly #events: Counter;
  readonly #sizes: Histogram;

  constructor(metrics: Metrics) {
    this.#events = metrics.counter("apiserver_watch_events_total", "Events sent to watches, by resource.");
    this.#sizes = metrics.histogram("apiserver_watch_events_sizes", "Bytes of events sent to watches.", EVENT_BYTES);
  }

  /** The labels are those of the watched resource. */
  sent(labels: Labels, bytes: number): void {
    this.#events.add(labels);
    this.#sizes.observe(labels, bytes);
  }
}
