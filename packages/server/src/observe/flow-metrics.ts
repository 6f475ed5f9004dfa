/** How requests were classified, and the share of the server that each priority level has. */
import type { Labels, Metrics } from "./metrics.ts";

/** kube-apiserver's default limit of concurrent requests. */
const SEATS = 600;

/** How many requests a flow has had. The classifier counts them. */
export interface Tally {
  readonly labels: Labels;
  requests: number;
}

export class FlowMetrics {
  /** The shares of each priority level. */
  levels: () => ReadonlyMap<string, number> = () => new Map();
  readonly #tallies = new Map<string, Tally>();

  constructor(metrics: Metrics) {
    const dispatched = {
      name: "apiserver_flowcontrol_dispatched_requests_total",
      help: "Requests by the flow schema and priority level they were classified by.",
      type: "counter",
    } as const;
    metrics.computed(dispatched, () => this.#dispatched());
    const nominal = {
      name: "apiserver_flowcontrol_nominal_limit_seats",
      help: "Seats that each priority level is meant to have. Requests are not queued for them.",
      type: "gauge",
    } as const;
    metrics.computed(nominal, () => this.#nominal());
  }

  /** The same one each time: flows come and go with their schemas, what was counted stays. */
  tally(schema: string, level: string): Tally {
    const key = `${schema}\0${level}`;
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = { labels: { flow_schema: schema, priority_level: level }, requests: 0 };
      this.#tallies.set(key, tally);
    }
    return tally;
  }

  #dispatched(): [Labels, number][] {
    const used = [...this.#tallies.values()].filter(({ requests }) => requests > 0);
    return used.map(({ labels, requests }) => [labels, requests]);
  }

  #nominal(): [Labels, number][] {
    const levels = [...this.levels()];
    const all = levels.reduce((sum, [, shares]) => sum + shares, 0);
    return levels.map(([name, shares]) => [{ priority_level: name }, Math.ceil((SEATS * shares) / Math.max(all, 1))]);
  }
}
