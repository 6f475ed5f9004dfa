/** Events that clients of watches were sent, under upstream's names. */
import type { Counter, Histogram, Labels, Metrics } from "./metrics.ts";

/** From a kibibyte on, each twice the last. */
const EVENT_BYTES = Array.from({ length: 8 }, (_, index) => 1024 * 2 ** index);

const LIST_SECONDS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60];

export class WatchMetrics {
  readonly #events: Counter;
  readonly #sizes: Histogram;
  readonly #lists: Histogram;

  constructor(metrics: Metrics) {
    this.#events = metrics.counter("apiserver_watch_events_total", "Events sent to watches, by resource.");
    this.#lists = metrics.histogram(
      "apiserver_watch_list_duration_seconds",
      "Time until a watch has sent the state it begins with, by resource and scope.",
      LIST_SECONDS,
    );
    this.#sizes = metrics.histogram("apiserver_watch_events_sizes", "Bytes of events sent to watches.", EVENT_BYTES);
  }

  /** From the request for the present state until all of it was sent. */
  listed(labels: Labels, seconds: number): void {
    this.#lists.observe(labels, seconds);
  }

  /** The labels are those of the watched resource. */
  sent(labels: Labels, bytes: number): void {
    this.#events.add(labels);
    this.#sizes.observe(labels, bytes);
  }
}
