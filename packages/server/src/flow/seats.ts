/**
 * Limits concurrent requests: each priority level has its own seats, may use unused seats that others lend, and queues
 * or refuses requests if there is none.
 *
 * Follows the numbers of apiserver pkg/util/flowcontrol/apf_controller.go. Upstream moves lent seats every ten seconds;
 * here they are lent at once, request by request. Every request takes one seat.
 */
import { QueueSet, type QueueSizes } from "./queue-set.ts";

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

/** Frees a seat. */
export type Leave = () => void;

export interface Wait {
  /** Requests of one flow are served in turn. */
  readonly flow: string;
  /** Milliseconds. */
  readonly patience: number;
}

interface Level {
  readonly name: string;
  limits: LevelLimits;
  /** Its own seats. */
  nominal: number;
  queue: { readonly sizes: QueueSizes; readonly waiting: QueueSet<() => void> } | undefined;
  executing: number;
}

export class Seats {
  readonly #total: number;
  readonly #levels = new Map<string, Level>();

  constructor(total: number) {
    this.#total = total;
  }

  /** Requests of removed levels are served with seats that others lend. */
  configure(levels: ReadonlyMap<string, LevelLimits>): void {
    let shares = 0;
    for (const limits of levels.values()) shares += limits.shares;
    for (const level of this.#levels.values()) level.nominal = 0;
    for (const [name, limits] of levels) {
      const level = this.#levels.get(name) ?? { name, limits, nominal: 0, queue: undefined, executing: 0 };
      level.limits = limits;
      level.nominal = Math.ceil((this.#total * limits.shares) / Math.max(shares, 1));
      this.#levels.set(name, level);
    }
    this.#dispatch();
  }

  /** The seats of each level, and those in use. */
  counts(): ReadonlyMap<string, Pick<Level, "nominal" | "executing">> {
    return this.#levels;
  }

  /** Takes a seat, at once if one is free. */
  enter(name: string, wait: Wait): Leave | Refusal | Promise<Leave | Refusal> {
    const level = this.#levels.get(name);
    if (level === undefined || level.limits.isExempt) return () => {};
    const queue = queueOf(level);
    if ((queue?.isEmpty ?? true) && this.#hasSeat(level)) return this.#sit(level);
    return queue === undefined ? "concurrency-limit" : this.#queue(level, queue, wait);
  }

  #queue(level: Level, queue: QueueSet<() => void>, { flow, patience }: Wait): Promise<Leave | Refusal> | Refusal {
    let resolve: (outcome: Leave | Refusal) => void = () => {};
    const outcome = new Promise<Leave | Refusal>((setOutcome) => {
      resolve = setOutcome;
    });
    const leaveQueue = queue.add(flow, () => {
      clearTimeout(timer);
      resolve(this.#sit(level));
    });
    if (leaveQueue === undefined) return "queue-full";
    const timer = setTimeout(() => {
      leaveQueue();
      resolve("time-out");
    }, patience);
    return outcome;
  }

  #sit(level: Level): Leave {
    level.executing++;
    let isSitting = true;
    return () => {
      if (!isSitting) return;
      isSitting = false;
      level.executing--;
      this.#dispatch();
    };
  }

  /** A free seat may be used by any level. */
  #dispatch(): void {
    for (const level of this.#levels.values()) {
      while (level.queue?.waiting.isEmpty === false && this.#hasSeat(level)) level.queue.waiting.take()?.();
    }
  }

  #hasSeat(level: Level): boolean {
    const { nominal, limits } = level;
    if (level.executing < nominal) return true;
    const { borrowingLimitPercent: most } = limits;
    const mayBorrow = most === undefined || level.executing < nominal + Math.round((nominal * most) / 100);
    return mayBorrow && this.#lendable() > 0;
  }

  /** Lent and unused seats, minus borrowed ones. */
  #lendable(): number {
    let free = 0;
    for (const { nominal, limits, executing } of this.#levels.values()) {
      const lent = Math.round((nominal * limits.lendablePercent) / 100);
      free += Math.min(lent, nominal - executing);
    }
    return free;
  }
}

/** New sizes apply once the old queues are empty. */
function queueOf(level: Level): QueueSet<() => void> | undefined {
  const { queues: sizes } = level.limits;
  const isKept = level.queue !== undefined && (!level.queue.waiting.isEmpty || sameSizes(level.queue.sizes, sizes));
  if (!isKept) level.queue = sizes && { sizes, waiting: new QueueSet(sizes) };
  return level.queue?.waiting;
}

function sameSizes(a: QueueSizes | undefined, b: QueueSizes | undefined): boolean {
  return a?.queues === b?.queues && a?.handSize === b?.handSize && a?.queueLengthLimit === b?.queueLengthLimit;
}
