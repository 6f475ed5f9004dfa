/** How requests were classified, and the share of the server that each priority level has. */
import type { Counter, Labels, Metrics } from "./metrics.ts";

/** Requests that kube-apiserver works on at once where it is told nothing. */
const SEATS = 600;

export class FlowMetrics {
  /** The shares of each priority level. */
  levels: () => ReadonlyMap<string, number> = () => new Map();
  readonly #dispatched: Counter;

  constructor(metrics: Metrics) {
    this.#dispatched = metrics.counter(
      "apiserver_flowcontrol_dispatched_requests_total",
      "Requests by the flow schema and priority level they were classified by.",
    );
    metrics.computed(
      "apiserver_flowcontrol_nominal_limit_seats",
      "Seats that each priority level is meant to have. Requests are not queued for them.",
      () => this.#nominal(),
    );
  }

  dispatched(labels: Labels): void {
    this.#dispatched.add(labels);
  }

  #nominal(): [Labels, number][] {
    const levels = [...this.levels()];
    const all = levels.reduce((sum, [, shares]) => sum + shares, 0);
    return levels.map(([name, shares]) => [{ priority_level: name }, Math.ceil((SEATS * shares) / Math.max(all, 1))]);
  }
}
