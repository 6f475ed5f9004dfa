/** How requests were classified, which wait, and the seats that each priority level has. */
import type { Labels, Metrics } from "./metrics.ts";

/** How many requests a flow has had, and has now. Flow control counts them. */
export interface Tally {
  readonly labels: Labels;
  requests: number;
  executing: number;
  waiting: number;
  /** By reason. */
  readonly rejected: Map<string, number>;
}

export interface LevelSeats {
  readonly nominal: number;
  readonly executing: number;
}

export class FlowMetrics {
  /** The seats of each priority level. */
  levels: () => ReadonlyMap<string, LevelSeats> = () => new Map();
  readonly #tallies = new Map<string, Tally>();

  constructor(metrics: Metrics) {
    const { gauge, counter } = { gauge: "gauge", counter: "counter" } as const;
    const ofFlows = (name: string, help: string, type: "gauge" | "counter", values: () => [Labels, number][]): void =>
      metrics.computed({ name: `apiserver_flowcontrol_${name}`, help, type }, values);
    ofFlows("dispatched_requests_total", "Requests that were given a seat.", counter, () =>
      this.#counted(({ requests }) => requests),
    );
    ofFlows("current_executing_requests", "Requests that have a seat.", gauge, () =>
      this.#counted(({ executing }) => executing),
    );
    ofFlows("current_inqueue_requests", "Requests that wait for a seat.", gauge, () =>
      this.#counted(({ waiting }) => waiting),
    );
    ofFlows("rejected_requests_total", "Requests that were refused a seat.", counter, () => this.#rejected());
    ofFlows("nominal_limit_seats", "Seats that each priority level has by itself.", gauge, () =>
      this.#seats(({ nominal }) => nominal),
    );
    ofFlows("current_limit_seats", "Seats that each priority level has, those that it borrows included.", gauge, () =>
      this.#seats(({ nominal, executing }) => Math.max(nominal, executing)),
    );
    ofFlows("current_executing_seats", "Seats in use.", gauge, () => this.#seats(({ executing }) => executing));
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
        waiting: 0,
        rejected: new Map(),
      };
      this.#tallies.set(key, tally);
    }
    return tally;
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

  #seats(count: (seats: LevelSeats) => number): [Labels, number][] {
    return [...this.levels()].map(([name, seats]) => [{ priority_level: name }, count(seats)]);
  }
}
