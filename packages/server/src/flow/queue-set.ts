/**
 * The queues of one priority level. A flow gets a few of them by its name and uses the shortest, so that a busy flow
 * fills its own queues and not those of others. Queues take turns.
 *
 * Follows apiserver pkg/util/flowcontrol/fairqueuing and pkg/util/shufflesharding; every request has the same weight.
 */

export interface QueueSizes {
  readonly queues: number;
  /** How many queues a flow gets. */
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export class QueueSet<T> {
  readonly #sizes: QueueSizes;
  /** The queues that are not empty, in the order of their turns. */
  readonly #queues = new Map<number, Set<T>>();

  constructor(sizes: QueueSizes) {
    this.#sizes = sizes;
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /** Returns a function that leaves the queue; undefined if the queue is full. */
  add(flow: string, item: T): (() => void) | undefined {
    const hand = dealHand(flow, this.#sizes);
    const length = (index: number): number => this.#queues.get(index)?.size ?? 0;
    const shortest = hand.reduce((best, index) => (length(index) < length(best) ? index : best));
    if (length(shortest) >= this.#sizes.queueLengthLimit) return undefined;
    const queue = this.#queues.get(shortest) ?? new Set();
    this.#queues.set(shortest, queue.add(item));
    return () => this.#remove(shortest, queue, item);
  }

  /** The first item of the queue whose turn it is. */
  take(): T | undefined {
    for (const [index, queue] of this.#queues) {
      for (const item of queue) {
        this.#queues.delete(index);
        queue.delete(item);
        if (queue.size > 0) this.#queues.set(index, queue);
        return item;
      }
    }
    return undefined;
  }

  #remove(index: number, queue: Set<T>, item: T): void {
    queue.delete(item);
    if (queue.size === 0 && this.#queues.get(index) === queue) this.#queues.delete(index);
  }
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
