/**
 * Runs requests when their priority level has seats for them. Estimates what a request takes, waits in the queues of the
 * level, and counts.
 *
 * Follows apiserver pkg/server/filters/priority-and-fairness.go.
 */
import type { User } from "@portcullis/engine/internal/rbac/user";
import { respondText } from "../endpoints/respond.ts";
import { type ApiResponse, isStream, type StreamBody, whenEnded } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { ServerContext } from "../registry/context.ts";
import { ObjectCounts } from "../registry/object-counts.ts";
import type { Flow } from "./classify.ts";
import * as messages from "./messages.ts";
import { RetryAfter } from "./retry-after.ts";
import { type Leave, type LevelLimits, type Refusal, Seats } from "./seats.ts";
import { WatchCounts } from "./watch-counts.ts";
import { estimateWork, type Work, widthOf } from "./work.ts";

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

export interface FlowRequest {
  readonly info: RequestInfo;
  readonly user: User;
  /** How long it waits for a seat, in milliseconds. */
  readonly patience: number;
}

export interface LimiterOptions {
  /** The maximum number of concurrent requests. */
  readonly seats: number;
  /** Resolves after whatever else is ready to run has run. */
  readonly nextTurn: () => Promise<void>;
}

export class RequestLimiter {
  readonly #server: ServerContext;
  readonly #seats: Seats;
  readonly #counts: ObjectCounts;
  readonly #watches = new WatchCounts();
  readonly #retries = new Map<string, RetryAfter>();

  constructor(server: ServerContext, { seats, nextTurn }: LimiterOptions) {
    const { clock } = server.metrics;
    this.#server = server;
    this.#seats = new Seats({ total: seats, clock, nextTurn, observer: server.metrics.flows.load });
    this.#counts = new ObjectCounts(server.store, clock);
    server.metrics.flows.levels = () => this.#seats.counts();
  }

  configure(levels: ReadonlyMap<string, LevelLimits>): void {
    this.#seats.configure(levels);
  }

  /** Runs the work when there are seats for it, or responds that there are none. */
  async run(flow: Flow | undefined, of: FlowRequest, work: () => Promise<ApiResponse>): Promise<ApiResponse> {
    if (flow === undefined) return work();
    const { tally } = flow;
    const { flows, access, clock } = this.#server.metrics;
    const arrived = clock();
    const estimate = this.#estimate(flow, of.info);
    const entered = await this.#enter(flow, of, estimate);
    if (typeof entered === "string") return this.#refuse(flow, entered);
    const [seats, started, { verb }] = [widthOf(estimate), clock(), of.info];
    const [isWatch, isWrite] = [verb === "watch", !READS.has(verb)];
    access.seated(started - arrived);
    tally.requests++;
    tally.executing++;
    tally.executingSeats += seats;
    flows.load.executing(isWrite, 1);
    let isLeft = false;
    const leave = (): void => {
      if (isLeft) return;
      isLeft = true;
      tally.executing--;
      tally.executingSeats -= seats;
      flows.load.executing(isWrite, -1);
      flows.executed(tally, clock() - started, isWatch);
      entered();
    };
    try {
      const response = await work();
      const { body } = response;
      if (isWatch && isStream(body)) return this.#watched(response, body, of, leave);
      if (isStream(body) && body.isAnswer) return { ...response, body: whenEnded(body, leave) };
      leave();
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #estimate({ level, tally }: Flow, info: RequestInfo): Work {
    const { registry, metrics } = this.#server;
    const work = estimateWork(info, {
      maxSeats: this.#seats.maxSeats(level),
      stats: ({ group, version, resource }) => {
        const type = registry.find(group, version, resource);
        return type && type.computed === undefined ? this.#counts.recent(type) : undefined;
      },
      watches: (written) => {
        const count = this.#watches.interested(written);
        metrics.flows.watches(tally, count);
        return count;
      },
    });
    metrics.flows.estimated(tally, widthOf(work));
    return work;
  }

  async #enter(flow: Flow, { info, user, patience }: FlowRequest, work: Work): Promise<Leave | Refusal> {
    const { flows, clock } = this.#server.metrics;
    const { tally, schema, level } = flow;
    const name = `${schema}\0${flow.distinguish(info, user)}`;
    let isQueued = false;
    const queued = (length: number): void => {
      isQueued = true;
      flows.queued(tally, length);
    };
    const entering = this.#seats.enter(level, { flow: name, patience, work, queued });
    if (!(entering instanceof Promise)) {
      if (isQueued) flows.waited(tally, 0, true);
      return entering;
    }
    const [since, isWrite] = [clock(), !READS.has(info.verb)];
    flows.waiting(tally, widthOf(work), isWrite, 1);
    const entered = await entering;
    flows.waiting(tally, widthOf(work), isWrite, -1);
    flows.waited(tally, clock() - since, typeof entered !== "string");
    return entered;
  }

  /** A watch has its seats until it has sent the present state, but not for a client that does not read it. */
  #watched(response: ApiResponse, body: StreamBody, { info, patience }: FlowRequest, leave: Leave): ApiResponse {
    const forget = this.#watches.add(info);
    const timer = setTimeout(leave, patience);
    const leaveNow = (): void => {
      clearTimeout(timer);
      leave();
    };
    void (body.initialized ?? Promise.resolve()).then(leaveNow);
    const followed = whenEnded(body, () => {
      leaveNow();
      forget();
    });
    return { ...response, body: followed };
  }

  #refuse({ tally, level }: Flow, refusal: Refusal): ApiResponse {
    tally.rejected.set(refusal, (tally.rejected.get(refusal) ?? 0) + 1);
    const retry = this.#retries.get(level) ?? new RetryAfter();
    this.#retries.set(level, retry);
    retry.noteRefusal(this.#server.metrics.clock());
    return respondText(429, messages.tooManyRequests(), [["Retry-After", String(retry.seconds)]]);
  }
}
