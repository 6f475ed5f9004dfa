/**
 * The time of one request: when it has to be over, and when it lets other requests run.
 *
 * There is one thread for all requests. The steps of a long one are pauses apart, so that small ones do not wait for it.
 * Follows apiserver pkg/endpoints/filters/request_deadline.go and pkg/server/filters/timeout.go.
 */
import { badRequest, StatusError, timeout } from "@portcullis/engine/internal/status/error";
import { parseDuration } from "@portcullis/gostd/duration";
import type { RequestInfo } from "../http/request-info.ts";
import * as messages from "./messages.ts";

/** Called during long work; waits while other requests run. */
export type Pause = () => Promise<void> | undefined;

/** Called in long work that no request waits for alone: lets others run after every ten milliseconds. */
export function slicer({ clock, yieldTurn, turnBegan }: Omit<TimeOptions, "requestTimeout">): Pause {
  let slice = clock();
  let slices = 0;
  return () => {
    if (clock() - Math.max(slice, turnBegan()) < SLICE_MS) return undefined;
    return yieldTurn("", slices++).then(() => {
      slice = clock();
    });
  };
}

export interface TimeOptions {
  /** Milliseconds for requests that do not ask for less. */
  readonly requestTimeout: number;
  /** Milliseconds of a clock that is never set back. */
  readonly clock: () => number;
  /** Resolves when it is the turn of the flow's next slice. */
  readonly yieldTurn: (flow: string, slices: number) => Promise<void>;
  /** When the present turn of the event loop began: a request that waited for something has let others run. */
  readonly turnBegan: () => number;
}

/**
 * The whole time of a request is over. Upstream writes this answer outside of its handlers, without negotiation and
 * without the kind of the Status.
 */
export class RequestTimedOut extends StatusError {
  constructor() {
    super({ code: 504, reason: "Timeout", message: `Timeout: ${messages.requestTimeout()}`, details: {} });
  }
}

/** How long a request runs before it lets others run. */
const SLICE_MS = 10;
/** Handlers of writes get no more than this. */
const WRITE_MS = 34_000;
const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);
/** Of its time, a request may wait this share for a seat. */
const QUEUE_SHARE = 1 / 4;
const MAX_PATIENCE_MS = 60_000;
const NANOS_PER_MILLI = 1_000_000;

export class RequestTime {
  readonly #options: TimeOptions;
  /** What a request that takes longer gets. */
  readonly #lateness: () => StatusError;
  /** Undefined for a watch, which has a timeout of its own. */
  readonly #deadline: number | undefined;
  readonly #patience: number;
  /** Requests of one flow take turns as one. */
  flow = "";
  /** When the present slice began. */
  #slice: number;
  #slices = 0;

  /** Throws a StatusError where the `timeout` parameter is not a duration. */
  constructor(info: RequestInfo, options: TimeOptions) {
    this.#options = options;
    this.#slice = options.clock();
    const asked = askedLimit(info, options.requestTimeout);
    const limit = timeLimit(info.verb, asked);
    this.#lateness = limit === WRITE_MS ? () => timeout(messages.writeTimeout(), 0) : () => new RequestTimedOut();
    this.#deadline = limit && this.#slice + limit;
    this.#patience = Math.min(asked * QUEUE_SHARE, MAX_PATIENCE_MS);
  }

  /** Milliseconds. Of a watch it is what others get. */
  left(): number {
    const { clock, requestTimeout } = this.#options;
    return this.#deadline === undefined ? requestTimeout : Math.max(0, this.#deadline - clock());
  }

  /** How long it may wait for its turn, in milliseconds. */
  get patience(): number {
    return this.#patience;
  }

  /** Called between steps. Throws a StatusError where the time is over. */
  readonly pause = (): Promise<void> | undefined => {
    const { clock, turnBegan } = this.#options;
    const now = clock();
    if (this.#deadline !== undefined && now >= this.#deadline) throw this.#lateness();
    return now - Math.max(this.#slice, turnBegan()) < SLICE_MS ? undefined : this.#yield();
  };

  /** What the work answers, or a refusal when the time is over before. What is under way ends at its next pause. */
  async limit<T>(work: Promise<T>): Promise<T> {
    if (this.#deadline === undefined) return work;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeIsUp = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#lateness()), (this.#deadline ?? 0) - this.#options.clock());
    });
    try {
      return await Promise.race([work, timeIsUp]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #yield(): Promise<void> {
    await this.#options.yieldTurn(this.flow, this.#slices++);
    this.#slice = this.#options.clock();
  }
}

/** In milliseconds. Nobody gets more than the server gives; 0 asks for that. */
function askedLimit({ query, verb }: RequestInfo, most: number): number {
  const text = verb === "watch" ? "" : (query.get("timeout")?.[0] ?? "");
  if (text === "") return most;
  const parsed = parseDuration(text);
  if (parsed.error !== undefined) throw badRequest(messages.badTimeout(parsed.error));
  const wanted = Number(parsed.value) / NANOS_PER_MILLI;
  return wanted > 0 && wanted < most ? wanted : most;
}

/** Undefined for a watch. */
function timeLimit(verb: string, asked: number): number | undefined {
  if (verb === "watch") return undefined;
  return WRITES.has(verb) ? Math.min(asked, WRITE_MS) : asked;
}
