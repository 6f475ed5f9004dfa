/**
 * A connection between two threads or two processes of one server. Messages arrive in the order they were sent, whatever
 * their topic: a follower's events, for example, arrive before an answer that depends on them.
 */

/** One end of a channel that keeps the order of messages. A message is data that the structured clone algorithm copies. */
export interface LinkPort {
  post(batch: readonly LinkMessage[]): void;
  /** Called once. */
  receive(handler: (batch: readonly LinkMessage[]) => void): void;
}

export interface LinkMessage {
  readonly topic: string;
  readonly body: unknown;
}

/** Runs the function soon: all messages sent until then travel together. */
export type Schedule = (flush: () => void) => void;

export class Link {
  readonly #port: LinkPort;
  readonly #schedule: Schedule;
  readonly #handlers = new Map<string, (body: never) => void>();
  #outgoing: LinkMessage[] = [];

  constructor(port: LinkPort, schedule: Schedule = queueMicrotask) {
    this.#port = port;
    this.#schedule = schedule;
    port.receive((batch) => {
      for (const { topic, body } of batch) this.#handlers.get(topic)?.(body as never);
    });
  }

  /** The type of the messages is an agreement between both ends. */
  on<T>(topic: string, handler: (body: T) => void): void {
    this.#handlers.set(topic, handler as (body: never) => void);
  }

  send(topic: string, body: unknown): void {
    if (this.#outgoing.length === 0) this.#schedule(() => this.#flush());
    this.#outgoing.push({ topic, body });
  }

  #flush(): void {
    const batch = this.#outgoing;
    this.#outgoing = [];
    this.#port.post(batch);
  }
}
