/**
 * How busy priority levels are over time, and reads and writes: what waits and what is executed, as a fraction of what
 * fits. Follows apiserver pkg/util/flowcontrol/metrics.
 */
import type { Histogram, Labels, Metrics } from "../metrics.ts";
import { TimedRatio } from "./timed-ratio.ts";

/** What a priority level is doing. */
export interface LevelLoad {
  readonly requests: number;
  /** Those in use. */
  readonly seats: number;
  readonly waiting: number;
  readonly waitingSeats: number;
  /** The seats that it may use. */
  readonly limit: number;
  /** How many requests may wait; 0 if it does not queue. */
  readonly room: number;
}

/** What all priority levels have together. */
export interface TotalLimits {
  readonly seats: number;
  readonly room: number;
}

interface LevelRatios {
  readonly executing: TimedRatio;
  readonly waiting: TimedRatio;
  readonly seats: TimedRatio;
  readonly wanted: TimedRatio;
}

interface KindCounts {
  executing: number;
  waiting: number;
  readonly executed: TimedRatio;
  readonly waited: TimedRatio;
}

type RequestKind = "mutating" | "readOnly";

const REQUESTS = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const SEATS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const WANTED = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];
const READS_AND_WRITES = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];

export class LoadMetrics {
  readonly #clock: () => number;
  readonly #requests: Histogram;
  readonly #seats: Histogram;
  readonly #wanted: Histogram;
  readonly #kinds: Histogram;
  readonly #levels = new Map<string, LevelRatios>();
  readonly #byKind = new Map<RequestKind, KindCounts>();
  #total: TotalLimits = { seats: 0, room: 0 };

  constructor(metrics: Metrics, clock: () => number) {
    this.#clock = clock;
    const histogram = (name: string, help: string, bounds: readonly number[]): Histogram =>
      metrics.histogram(`apiserver_flowcontrol_${name}`, `${help} Each nanosecond is an observation.`, bounds);
    this.#requests = histogram(
      "priority_level_request_utilization",
      "Requests of a priority level as a fraction of those that may wait, or of its seats.",
      REQUESTS,
    );
    this.#seats = histogram(
      "priority_level_seat_utilization",
      "Seats in use of a priority level as a fraction of those that it may use.",
      SEATS,
    );
    this.#wanted = histogram(
      "demand_seats",
      "Seats that a priority level uses or waits for, as a fraction of those that it may use.",
      WANTED,
    );
    this.#kinds = histogram(
      "read_vs_write_current_requests",
      "Requests that wait or are executed, as a fraction of those that may, by whether they write.",
      READS_AND_WRITES,
    );
  }

  configured(total: TotalLimits): void {
    this.#total = total;
    for (const kind of ["mutating", "readOnly"] as const) this.#setKind(this.#kind(kind));
  }

  changed(level: string, { requests, seats, waiting, waitingSeats, limit, room }: LevelLoad): void {
    const now = this.#clock();
    const ratios = this.#level(level, now);
    const most = Math.max(limit, 1);
    ratios.executing.set(requests / most, now);
    ratios.waiting.set(waiting / Math.max(room, 1), now);
    ratios.seats.set(seats / most, now);
    ratios.wanted.set((seats + waitingSeats) / most, now);
  }

  /** Called with 1 when a request begins to be executed, and with -1 when it does not need seats any more. */
  executing(isWrite: boolean, change: 1 | -1): void {
    const kind = this.#kind(isWrite ? "mutating" : "readOnly");
    kind.executing += change;
    this.#setKind(kind);
  }

  /** The same for waiting. */
  waiting(isWrite: boolean, change: 1 | -1): void {
    const kind = this.#kind(isWrite ? "mutating" : "readOnly");
    kind.waiting += change;
    this.#setKind(kind);
  }

  /** Counts the time until now. */
  update(): void {
    const now = this.#clock();
    for (const ratios of this.#levels.values()) for (const ratio of Object.values(ratios)) ratio.pass(now);
    for (const { executed, waited } of this.#byKind.values()) for (const ratio of [executed, waited]) ratio.pass(now);
  }

  #level(name: string, now: number): LevelRatios {
    let ratios = this.#levels.get(name);
    if (ratios === undefined) {
      const ratio = (histogram: Histogram, labels: Labels): TimedRatio =>
        new TimedRatio(histogram.repeater({ ...labels, priority_level: name }), now);
      ratios = {
        executing: ratio(this.#requests, { phase: "executing" }),
        waiting: ratio(this.#requests, { phase: "waiting" }),
        seats: ratio(this.#seats, { phase: "executing" }),
        wanted: ratio(this.#wanted, {}),
      };
      this.#levels.set(name, ratios);
    }
    return ratios;
  }

  #kind(name: RequestKind): KindCounts {
    let counts = this.#byKind.get(name);
    if (counts === undefined) {
      const ratio = (phase: string): TimedRatio =>
        new TimedRatio(this.#kinds.repeater({ phase, request_kind: name }), this.#clock());
      counts = { executing: 0, waiting: 0, executed: ratio("executing"), waited: ratio("waiting") };
      this.#byKind.set(name, counts);
    }
    return counts;
  }

  #setKind({ executing, waiting, executed, waited }: KindCounts): void {
    const now = this.#clock();
    executed.set(executing / Math.max(this.#total.seats, 1), now);
    waited.set(waiting / Math.max(this.#total.room, 1), now);
  }
}
