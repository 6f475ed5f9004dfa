/**
 * The queues of one priority level. A flow gets a few of them by its name and uses the one with the least work, so that a
 * busy flow fills its own queues and not those of others. Queues are served so that each gets the same share of the seats
 * over time, whatever its requests take.
 *
 * Follows apiserver pkg/util/flowcontrol/fairqueuing/queueset and pkg/util/shufflesharding. Progress is measured in
 * seat-seconds: each queue knows at which progress of the whole set its next request would start if all queues were served
 * at once.
 */
import { type Work, widthOf } from "./work.ts";

export interface QueueSizes {
  readonly queues: number;
  /** How many queues a flow gets. */
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** The guess for a request that has not ended yet, in seconds. */
const SERVICE_SECONDS = 0.003;
/** How many flows are remembered with their queues. */
const MAX_HANDS = 1024;

interface Queue<T> {
  /** Oldest first. */
  readonly waiting: Set<Place<T>>;
  executing: number;
  seatsInUse: number;
  seatsWaiting: number;
  /** Seat-seconds of all that wait. */
  workWaiting: number;
  /** The progress at which its next request starts. */
  next: number;
}

/** A request in its queue, or on its seat. */
export interface Place<T> {
  readonly item: T;
  readonly work: Work;
  readonly queue: Queue<T>;
  /** The progress when it came. */
  readonly arrived: number;
  /** The length of its queue, itself included. */
  readonly queueLength: number;
  /** In seconds of the clock. */
  started: number;
}

export interface QueueSetOptions {
  readonly sizes: QueueSizes;
  /** Seconds, from any beginning. */
  readonly clock: () => number;
  /** The seats that the level may use at present. */
  readonly limit: () => number;
}

export class QueueSet<T> {
  readonly #options: QueueSetOptions;
  /** Those that have been used, by number. Removed when nothing waits and nothing is executed. */
  readonly #queues = new Map<number, Queue<T>>();
  readonly #hands = new Map<string, readonly number[]>();
  #progress = 0;
  /** When the progress was computed. */
  #synced: number;
  #enqueued = 0;

  constructor(options: QueueSetOptions) {
    this.#options = options;
    this.#synced = options.clock();
  }

  /** Whether nothing waits and nothing is executed. */
  get isIdle(): boolean {
    return this.#queues.size === 0;
  }

  /** Undefined if the queue is full. `isBusy`: there is no free seat. */
  add(flow: string, item: T, work: Work, isBusy: boolean): Place<T> | undefined {
    this.#sync();
    const index = this.#leastBusy(flow);
    const queue = this.#queues.get(index) ?? newQueue<T>(this.#progress);
    if (isBusy && queue.waiting.size >= this.#options.sizes.queueLengthLimit) return undefined;
    this.#queues.set(index, queue);
    const queueLength = queue.waiting.size + 1;
    const place: Place<T> = { item, work, queue, queueLength, arrived: this.#progress, started: 0 };
    queue.waiting.add(place);
    queue.seatsWaiting += widthOf(work);
    queue.workWaiting += seatSeconds(work);
    bound(queue);
    return place;
  }

  /** The request that is next: its queue would be the first to complete one. */
  next(): Place<T> | undefined {
    let [best, least]: [Place<T> | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const queue of this.#queues.values()) {
      for (const place of queue.waiting) {
        const finish = queue.next + seatSeconds(place.work);
        if (finish < least) [best, least] = [place, finish];
        break;
      }
    }
    return best;
  }

  /** It leaves its queue and is executed. */
  start(place: Place<T>): void {
    this.#sync();
    const { queue, work } = place;
    this.#leaveQueue(place);
    place.started = this.#options.clock();
    queue.executing++;
    queue.seatsInUse += widthOf(work);
    queue.next += seatSeconds(work);
    bound(queue);
  }

  /** It leaves its queue without being executed. */
  abandon(place: Place<T>): void {
    this.#sync();
    this.#leaveQueue(place);
    bound(place.queue);
    this.#removeIdle(place.queue);
  }

  /** It has been executed; the guess is replaced by the time that it took. Its seats are still in use. */
  finish({ queue, work, started }: Place<T>): void {
    this.#sync();
    queue.executing--;
    queue.next -= work.seats * (SERVICE_SECONDS - (this.#options.clock() - started));
    bound(queue);
  }

  /** Its seats are free. */
  release({ queue, work }: Place<T>): void {
    this.#sync();
    queue.seatsInUse -= widthOf(work);
    this.#removeIdle(queue);
  }

  #leaveQueue(place: Place<T>): void {
    const { queue, work } = place;
    if (!queue.waiting.delete(place)) return;
    queue.seatsWaiting -= widthOf(work);
    queue.workWaiting -= seatSeconds(work);
  }

  #removeIdle(idle: Queue<T>): void {
    if (idle.waiting.size > 0 || idle.executing > 0 || idle.seatsInUse > 0) return;
    for (const [index, queue] of this.#queues) if (queue === idle) this.#queues.delete(index);
  }

  /** What has been done since the last change, divided among the queues that have something to do. */
  #sync(): void {
    const now = this.#options.clock();
    const passed = now - this.#synced;
    this.#synced = now;
    let [active, wanted] = [0, 0];
    for (const { waiting, executing, seatsInUse, seatsWaiting } of this.#queues.values()) {
      wanted += seatsInUse + seatsWaiting;
      if (waiting.size > 0 || executing > 0) active++;
    }
    if (active > 0 && passed > 0) this.#progress += (Math.min(wanted, this.#options.limit()) / active) * passed;
  }

  /** Starts with another one each time, so that equal ones take turns. */
  #leastBusy(flow: string): number {
    const hand = this.#handOf(flow);
    const offset = this.#enqueued++ % hand.length;
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (let i = 0; i < hand.length; i++) {
      const index = hand[(offset + i) % hand.length] ?? 0;
      const work = this.#queues.get(index)?.workWaiting ?? 0;
      if (work < least) [best, least] = [index, work];
    }
    return best;
  }

  #handOf(flow: string): readonly number[] {
    let hand = this.#hands.get(flow);
    if (hand === undefined) {
      hand = dealHand(flow, this.#options.sizes);
      if (this.#hands.size >= MAX_HANDS) this.#hands.clear();
      this.#hands.set(flow, hand);
    }
    return hand;
  }
}

function newQueue<T>(progress: number): Queue<T> {
  return { waiting: new Set(), executing: 0, seatsInUse: 0, seatsWaiting: 0, workWaiting: 0, next: progress };
}

/** A queue does not gain an advance over others by having had nothing to do. */
function bound<T>(queue: Queue<T>): void {
  for (const { arrived } of queue.waiting) {
    queue.next = Math.max(queue.next, arrived);
    return;
  }
}

function seatSeconds({ seats, finalSeats, lingerSeconds }: Work): number {
  return seats * SERVICE_SECONDS + finalSeats * lingerSeconds;
}

/** Different queues, the same ones for the same flow. */
export function dealHand(flow: string, { queues, handSize }: QueueSizes): number[] {
  let rest = hash(flow);
  const hand: number[] = [];
  for (let dealt = 0; dealt < Math.min(handSize, queues); dealt++) {
    const left = BigInt(queues - dealt);
    let card = Number(rest % left);
    rest /= left;
    // Counts only the cards that are still in the deck.
    for (const earlier of [...hand].sort((a, b) => a - b)) if (earlier <= card) card++;
    hand.push(card);
  }
  return hand;
}

const [OFFSET, PRIME] = [0xcbf29ce484222325n, 0x100000001b3n];

/** 64-bit FNV-1a. */
function hash(text: string): bigint {
  let value = OFFSET;
  for (let i = 0; i < text.length; i++) value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(i))) * PRIME);
  return value;
}
