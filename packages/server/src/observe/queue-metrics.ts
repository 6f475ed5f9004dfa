/** The queues of controllers, under the names of client-go. Follows component-base/metrics/prometheus/workqueue. */
import type { Counter, Histogram, Labels, Metrics } from "./metrics.ts";

/** From ten nanoseconds on, each ten times the last; with the rounding that upstream's have. */
const SECONDS: number[] = [10e-9];
while (SECONDS.length < 10) SECONDS.push((SECONDS.at(-1) ?? 0) * 10);

/** One queue's part. */
export interface QueueTimes {
  added(): void;
  /** An item is worked on, after it waited so many seconds. */
  begun(waited: number): void;
  ended(): void;
  retried(): void;
}

interface Queue {
  readonly labels: Labels;
  depth: number;
  /** When the work on the present item began; one is worked on at a time. */
  since: number | undefined;
}

export class QueueMetrics {
  readonly clock: () => number;
  readonly #adds: Counter;
  readonly #waits: Histogram;
  readonly #works: Histogram;
  readonly #retries: Counter;
  readonly #queues: Queue[] = [];

  constructor(metrics: Metrics, clock: () => number) {
    this.clock = clock;
    this.#adds = metrics.counter("workqueue_adds_total", "Items added to the queue.");
    this.#waits = metrics.histogram("workqueue_queue_duration_seconds", "Time that items wait in the queue.", SECONDS);
    this.#works = metrics.histogram("workqueue_work_duration_seconds", "Time of the work on one item.", SECONDS);
    this.#retries = metrics.counter("workqueue_retries_total", "Items that are tried again.");
    const gauge = (name: string, help: string, value: (queue: Queue) => number): void =>
      metrics.computed({ name, help, type: "gauge" }, () => this.#queues.map((queue) => [queue.labels, value(queue)]));
    const running = ({ since }: Queue): number => (since === undefined ? 0 : clock() - since);
    gauge("workqueue_depth", "Items in the queue.", ({ depth }) => depth);
    gauge("workqueue_unfinished_work_seconds", "Time of work that has not ended.", running);
    gauge("workqueue_longest_running_processor_seconds", "Time of the longest work that has not ended.", running);
  }

  /** Upstream's queue has this name. */
  queue(name: string): QueueTimes {
    const queue: Queue = { labels: { name }, depth: 0, since: undefined };
    this.#queues.push(queue);
    this.#adds.add(queue.labels, 0);
    this.#retries.add(queue.labels, 0);
    this.#waits.begin(queue.labels);
    this.#works.begin(queue.labels);
    return {
      added: () => {
        queue.depth++;
        this.#adds.add(queue.labels);
      },
      begun: (waited) => {
        queue.depth--;
        queue.since = this.clock();
        this.#waits.observe(queue.labels, waited);
      },
      ended: () => {
        this.#works.observe(queue.labels, this.clock() - (queue.since ?? 0));
        queue.since = undefined;
      },
      retried: () => this.#retries.add(queue.labels),
    };
  }
}
