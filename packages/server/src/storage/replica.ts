/**
 * A store's contents in memory together with its watches. A driver applies an event once it is durable; only then do
 * readers and watches see it.
 */
import { Broadcast } from "./broadcast.ts";
import type { StoreState } from "./state.ts";
import { Compacted, type StoreEvent, type StoreSubscriber, type Subscription } from "./store.ts";

export class Replica {
  readonly #broadcast = new Broadcast();
  #state: StoreState;

  constructor(state: StoreState) {
    this.#state = state;
  }

  get state(): StoreState {
    return this.#state;
  }

  apply(event: StoreEvent): void {
    this.#state.apply(event);
    this.#broadcast.publish(event);
  }

  /** Sends history first, then new events. Throws `Compacted`. */
  watch(prefix: string, after: number, subscriber: StoreSubscriber): Subscription {
    for (const event of this.#state.eventsAfter(after, prefix)) subscriber.event(event);
    return this.#broadcast.subscribe(prefix, skipUntil(after, subscriber));
  }

  /** Starts over from a state without the history in between: every watch must start again. */
  replace(state: StoreState): void {
    this.#state = state;
    this.#broadcast.fail(new Compacted(state.compacted));
  }

  close(error: Error): void {
    this.#broadcast.fail(error);
  }
}

/** A watch from a future revision receives no earlier events. */
function skipUntil(after: number, subscriber: StoreSubscriber): StoreSubscriber {
  return {
    event: (event) => {
      if (event.revision > after) subscriber.event(event);
    },
    failed: (error) => subscriber.failed(error),
  };
}
