/**
 * Limits concurrent requests: each priority level has its own seats, may use unused seats that others lend, and queues
 * or refuses requests if there are not enough.
 *
 * Follows the numbers of apiserver pkg/util/flowcontrol/apf_controller.go. Upstream moves lent seats every ten seconds;
 * here they are lent at once, request by request.
 */
import type { LevelLoad, TotalLimits } from "../observe/flow/load-metrics.ts";
import { type Place, QueueSet, type QueueSizes } from "./queue-set.ts";
import { type Work, widthOf } from "./work.ts";

export interface LevelLimits {
  readonly isExempt: boolean;
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined if it may borrow without a limit. */
  readonly borrowingLimitPercent: number | undefined;
  /** Undefined if requests beyond the limit are refused. */
  readonly queues: QueueSizes | undefined;
}

/** Why a request was refused, with the names in metrics. */
export type Refusal = "queue-full" | "concurrency-limit" | "time-out";

/** Frees the seats. */
export type Leave = () => void;

export interface SeatRequest {
  /** Requests of one flow are served in turn. */
  readonly flow: string;
  /** Milliseconds. */
  readonly patience: number;
  readonly work: Work;
  /** Called with the length of the queue that it joined, itself included. */
  readonly queued?: (length: number) => void;
}

type Start = (leave: Leave) => void;

interface Level {
  readonly name: string;
  limits: LevelLimits;
  /** Its own seats. */
  nominal: number;
  queue: { readonly sizes: QueueSizes; readonly set: QueueSet<Start> } | undefined;
  requests: number;
  /** Seats in use. */
  executing: number;
  /** Requests in the queues. */
  waiting: number;
  waitingSeats: number;
}

/** The seats of a level, for metrics. */
export interface LevelSeats {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
  /** Those that it may use at present. */
  readonly limit: number;
}

export interface SeatsOptions {
  readonly total: number;
  /** Seconds, from any beginning. */
  readonly clock: () => number;
  /** Resolves after whatever else is ready to run has run. */
  readonly nextTurn: () => Promise<void>;
  readonly observer?: SeatsObserver;
}

/** Receives what changes, for metrics. */
export interface SeatsObserver {
  configured(total: TotalLimits): void;
  changed(level: string, load: LevelLoad): void;
}

/** A level gives this share of its seats to one request at most. */
const MAX_REQUEST_SHARE = 0.15;
const MILLIS = 1000;

export class Seats {
  readonly #options: SeatsOptions;
  readonly #levels = new Map<string, Level>();
  /** What frees the seats of requests that have ended in this turn. */
  #leaving: (() => void)[] = [];

  constructor(options: SeatsOptions) {
    this.#options = options;
  }

  /** Requests of removed levels are served with seats that others lend. */
  configure(levels: ReadonlyMap<string, LevelLimits>): void {
    let shares = 0;
    for (const limits of levels.values()) shares += limits.shares;
    for (const level of this.#levels.values()) level.nominal = 0;
    for (const [name, limits] of levels) {
      const level = this.#levels.get(name) ?? newLevel(name, limits);
      level.limits = limits;
      level.nominal = Math.ceil((this.#options.total * limits.shares) / Math.max(shares, 1));
      this.#levels.set(name, level);
    }
    const all = [...this.#levels.values()];
    this.#options.observer?.configured({
      seats: all.reduce((sum, { nominal }) => sum + nominal, 0),
      room: all.reduce((sum, level) => sum + roomOf(level), 0),
    });
    for (const level of all) this.#changed(level);
    this.#dispatch();
  }

  /** The seats of each level. */
  counts(): ReadonlyMap<string, LevelSeats> {
    return new Map([...this.#levels].map(([name, level]) => [name, this.#countsOf(level)]));
  }

  /** The most seats that one request of the level may take; undefined if the level does not limit it. */
  maxSeats(name: string): number | undefined {
    const { limits, nominal } = this.#levels.get(name) ?? {};
    if (limits?.queues === undefined || nominal === undefined) return undefined;
    const most = Math.min(Math.ceil(nominal * MAX_REQUEST_SHARE), Math.floor(nominal / limits.queues.handSize));
    return Math.max(1, most);
  }

  /** Takes seats, at once if there are enough. */
  enter(name: string, request: SeatRequest): Leave | Refusal | Promise<Leave | Refusal> {
    const level = this.#levels.get(name);
    if (level === undefined) return () => {};
    if (level.limits.isExempt) return this.#sit(level, request.work);
    const queue = this.#queueOf(level);
    if (queue !== undefined) return this.#queue(level, queue, request);
    return this.#fits(level, request.work) ? this.#sit(level, request.work) : "concurrency-limit";
  }

  #queue(level: Level, queue: QueueSet<Start>, request: SeatRequest): Leave | Refusal | Promise<Leave | Refusal> {
    const { flow, patience, work, queued } = request;
    let seated: Leave | undefined;
    let start: Start = (leave) => {
      seated = leave;
    };
    const isBusy = level.executing >= this.#limitOf(level);
    const place = queue.add(flow, (leave) => start(leave), work, isBusy);
    if (place === undefined) return "queue-full";
    queued?.(place.queueLength);
    this.#dispatchLevel(level);
    if (seated !== undefined) return seated;
    const changeWaiting = (change: 1 | -1): void => {
      level.waiting += change;
      level.waitingSeats += change * widthOf(work);
      this.#changed(level);
    };
    changeWaiting(1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        changeWaiting(-1);
        queue.abandon(place);
        resolve("time-out");
        this.#dispatch();
      }, patience);
      start = (leave) => {
        changeWaiting(-1);
        clearTimeout(timer);
        resolve(leave);
      };
    });
  }

  #sit(level: Level, work: Work, place?: Place<Start>): Leave {
    const seats = widthOf(work);
    const queue = level.queue?.set;
    level.requests++;
    level.executing += seats;
    this.#changed(level);
    let isSitting = true;
    return () => {
      if (!isSitting) return;
      isSitting = false;
      level.requests--;
      if (place !== undefined) queue?.finish(place);
      const free = (): void => {
        level.executing -= seats;
        this.#changed(level);
        if (place !== undefined) queue?.release(place);
      };
      if (work.lingerSeconds > 0) {
        this.#changed(level);
        setTimeout(() => this.#free(free), work.lingerSeconds * MILLIS);
      } else if (place === undefined) this.#free(free);
      else this.#freeInNextTurn(free);
    };
  }

  #free(free: () => void): void {
    free();
    this.#dispatch();
  }

  /**
   * One thread serves all requests. Many that never wait for anything are served one after the other in the same turn,
   * and would never be seen to be concurrent; but all others wait for them.
   */
  #freeInNextTurn(free: () => void): void {
    this.#leaving.push(free);
    if (this.#leaving.length > 1) return;
    void this.#options.nextTurn().then(() => {
      const all = this.#leaving;
      this.#leaving = [];
      for (const each of all) each();
      this.#dispatch();
    });
  }

  /** A free seat may be used by any level. */
  #dispatch(): void {
    for (const level of this.#levels.values()) this.#dispatchLevel(level);
  }

  #dispatchLevel(level: Level): void {
    const set = level.queue?.set;
    for (let place = set?.next(); place !== undefined && this.#fits(level, place.work); place = set?.next()) {
      set?.start(place);
      place.item(this.#sit(level, place.work, place));
    }
  }

  /** A request that is wider than its level runs alone. */
  #fits(level: Level, work: Work): boolean {
    const [seats, limit] = [widthOf(work), this.#limitOf(level)];
    if (seats > limit) return level.requests === 0 && level.executing === 0;
    return level.executing + seats <= limit;
  }

  #limitOf(level: Level): number {
    const { nominal } = level;
    return Math.min(nominal + Math.max(0, this.#lentTo(level)), upperLimit(level, this.#options.total));
  }

  /** Seats of other levels that they lend and do not use, minus what others have borrowed of them. */
  #lentTo(borrower: Level): number {
    let free = 0;
    for (const level of this.#levels.values()) {
      if (level !== borrower) free += Math.min(lendable(level), level.nominal - level.executing);
    }
    return free;
  }

  /** New sizes apply once the old queues are empty. */
  #queueOf(level: Level): QueueSet<Start> | undefined {
    const { queues: sizes } = level.limits;
    const isKept = level.queue !== undefined && (!level.queue.set.isIdle || sameSizes(level.queue.sizes, sizes));
    if (!isKept) {
      const { clock } = this.#options;
      level.queue = sizes && { sizes, set: new QueueSet({ sizes, clock, limit: () => this.#limitOf(level) }) };
    }
    return level.queue?.set;
  }

  #changed(level: Level): void {
    const { observer, total } = this.#options;
    if (observer === undefined) return;
    const { name, requests, executing: seats, waiting, waitingSeats, limits, nominal } = level;
    const own = limits.isExempt ? nominal : this.#limitOf(level);
    // The load of a level without seats is a fraction of a tenth of all, as upstream's.
    const limit = own > 0 ? own : Math.round(total / 10);
    observer.changed(name, { requests, seats, waiting, waitingSeats, limit, room: roomOf(level) });
  }

  #countsOf(level: Level): LevelSeats {
    const { nominal, limits, executing } = level;
    const limit = limits.isExempt ? Math.max(nominal, executing) : this.#limitOf(level);
    return { nominal, lower: nominal - lendable(level), upper: upperLimit(level, this.#options.total), limit };
  }
}

function newLevel(name: string, limits: LevelLimits): Level {
  return { name, limits, nominal: 0, queue: undefined, requests: 0, executing: 0, waiting: 0, waitingSeats: 0 };
}

function roomOf({ limits: { queues } }: Level): number {
  return queues === undefined ? 0 : queues.queues * queues.queueLengthLimit;
}

function lendable({ nominal, limits }: Level): number {
  return Math.round((nominal * limits.lendablePercent) / 100);
}

function upperLimit({ nominal, limits }: Level, total: number): number {
  const { borrowingLimitPercent: most } = limits;
  return nominal + (most === undefined ? total : Math.round((nominal * most) / 100));
}

function sameSizes(a: QueueSizes | undefined, b: QueueSizes | undefined): boolean {
  return a?.queues === b?.queues && a?.handSize === b?.handSize && a?.queueLengthLimit === b?.queueLengthLimit;
}
