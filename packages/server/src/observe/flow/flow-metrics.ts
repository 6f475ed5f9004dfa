/** How requests were classified, which wait, and the seats that each priority level has. */
import type { Histogram, Labels, Metrics } from "../metrics.ts";
import { LoadMetrics } from "./load-metrics.ts";

/** How many requests a flow has had, and has now. Flow control counts them. */
export interface Tally {
  readonly labels: Labels;
  requests: number;
  executing: number;
  executingSeats: number;
  waiting: number;
  waitingSeats: number;
  /** By reason. */
  readonly rejected: Map<string, number>;
}

interface LevelSeats {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
  readonly limit: number;
}

const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const QUEUE_LENGTHS = [0, 10, 25, 50, 100, 250, 500, 1000];
const SEATS = [1, 2, 4, 8, 16, 32, 64, 100];
const WATCHES = [0, 1, 10, 100, 1000, 10000];

export class FlowMetrics {
  /** The seats of each priority level. */
  levels: () => ReadonlyMap<string, LevelSeats> = () => new Map();
  readonly load: LoadMetrics;
  readonly #tallies = new Map<string, Tally>();
  readonly #waits: Histogram;
  readonly #executions: Histogram;
  readonly #queueLengths: Histogram;
  readonly #estimates: Histogram;
  readonly #watches: Histogram;
  readonly #inQueue = { mutating: 0, readOnly: 0 };

  constructor(metrics: Metrics, clock: () => number) {
    this.load = new LoadMetrics(metrics, clock);
    const histogram = (name: string, help: string, bounds: readonly number[]): Histogram =>
      metrics.histogram(`apiserver_flowcontrol_${name}`, help, bounds);
    this.#waits = histogram("request_wait_duration_seconds", "Time that requests waited for a seat.", SECONDS);
    this.#executions = histogram("request_execution_seconds", "Time that requests had a seat.", SECONDS);
    this.#queueLengths = histogram(
      "request_queue_length_after_enqueue",
      "Length of the queue that a request joined, itself included.",
      QUEUE_LENGTHS,
    );
    this.#estimates = histogram("work_estimated_seats", "Seats that requests took.", SEATS);
    this.#watches = histogram("watch_count_samples", "Watches that would see what a request writes.", WATCHES);
    this.#addFlows(metrics);
    this.#addLevels(metrics);
    metrics.computed(
      { name: "apiserver_current_inqueue_requests", help: "Requests that wait for a seat.", type: "gauge" },
      () => Object.entries(this.#inQueue).map(([kind, count]) => [{ request_kind: kind }, count]),
    );
  }

  /** The same one each time: flows come and go with their schemas, what was counted stays. */
  tally(schema: string, level: string): Tally {
    const key = `${schema}\0${level}`;
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = {
        labels: { flow_schema: schema, priority_level: level },
        requests: 0,
        executing: 0,
        executingSeats: 0,
        waiting: 0,
        waitingSeats: 0,
        rejected: new Map(),
      };
      this.#tallies.set(key, tally);
    }
    return tally;
  }

  estimated({ labels }: Tally, seats: number): void {
    this.#estimates.observe(labels, seats);
  }

  watches({ labels }: Tally, count: number): void {
    this.#watches.observe(labels, count);
  }

  queued({ labels }: Tally, length: number): void {
    this.#queueLengths.observe(labels, length);
  }

  /** Called with 1 when a request begins to wait, and with -1 when it does not wait any more. */
  waiting(tally: Tally, seats: number, isWrite: boolean, change: 1 | -1): void {
    tally.waiting += change;
    tally.waitingSeats += change * seats;
    this.#inQueue[isWrite ? "mutating" : "readOnly"] += change;
    this.load.waiting(isWrite, change);
  }

  waited({ labels }: Tally, seconds: number, isExecuted: boolean): void {
    this.#waits.observe({ ...labels, execute: String(isExecuted) }, seconds);
  }

  executed({ labels }: Tally, seconds: number, isWatch: boolean): void {
    this.#executions.observe({ ...labels, type: isWatch ? "watch" : "regular" }, seconds);
  }

  #addFlows(metrics: Metrics): void {
    const add = (name: string, help: string, type: "gauge" | "counter", count: (tally: Tally) => number): void =>
      metrics.computed({ name: `apiserver_flowcontrol_${name}`, help, type }, () => this.#counted(count));
    add("dispatched_requests_total", "Requests that were given a seat.", "counter", ({ requests }) => requests);
    add("current_executing_requests", "Requests that have a seat.", "gauge", ({ executing }) => executing);
    add("current_executing_seats", "Seats in use.", "gauge", ({ executingSeats }) => executingSeats);
    add("current_inqueue_requests", "Requests that wait for a seat.", "gauge", ({ waiting }) => waiting);
    add("current_inqueue_seats", "Seats that requests wait for.", "gauge", ({ waitingSeats }) => waitingSeats);
    metrics.computed(
      {
        name: "apiserver_flowcontrol_rejected_requests_total",
        help: "Requests that were refused a seat.",
        type: "counter",
      },
      () => this.#rejected(),
    );
  }

  #addLevels(metrics: Metrics): void {
    const add = (name: string, help: string, count: (seats: LevelSeats) => number): void =>
      metrics.computed({ name: `apiserver_flowcontrol_${name}`, help, type: "gauge" }, () =>
        [...this.levels()].map(([level, seats]) => [{ priority_level: level }, count(seats)]),
      );
    add("nominal_limit_seats", "Seats that each priority level has by itself.", ({ nominal }) => nominal);
    add("lower_limit_seats", "Seats that each priority level has if it lends all it can.", ({ lower }) => lower);
    add("upper_limit_seats", "Seats that each priority level has if it borrows all it can.", ({ upper }) => upper);
    add("current_limit_seats", "Seats that each priority level may use now.", ({ limit }) => limit);
  }

  /** Of flows that were ever used. */
  #counted(count: (tally: Tally) => number): [Labels, number][] {
    const used = [...this.#tallies.values()].filter(({ requests, waiting }) => requests > 0 || waiting > 0);
    return used.map((tally) => [tally.labels, count(tally)]);
  }

  #rejected(): [Labels, number][] {
    return [...this.#tallies.values()].flatMap(({ labels, rejected }) =>
      [...rejected].map(([reason, count]): [Labels, number] => [{ ...labels, reason }, count]),
    );
  }
}
