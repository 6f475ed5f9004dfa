/** Functions of one end of a link that the other end calls. Arguments and results are copied. */
import type { Link } from "./link.ts";

type Functions = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

interface ResultMessage {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** The other end may call these by the name of the topic and their own. */
export function offer(link: Link, topic: string, functions: Functions): void {
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> =>
    functions[name]?.(...(args as never[]));
  link.on<CallMessage>(`${topic}.call`, ({ id, name, args }) => {
    call(name, args).then(
      (value) => link.send(`${topic}.result`, { id, value }),
      (error: unknown) => link.send(`${topic}.result`, { id, error: errorText(error) }),
    );
  });
}

/** The functions that the other end offers under the topic. */
export class RemoteFunctions {
  readonly #link: Link;
  readonly #topic: string;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #serial = 0;

  constructor(link: Link, topic: string) {
    this.#link = link;
    this.#topic = topic;
    link.on<ResultMessage>(`${topic}.result`, ({ id, value, error }) => {
      const waiter = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiter?.resolve(value as never);
      else waiter?.reject(new Error(error));
    });
  }

  call<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    const id = ++this.#serial;
    this.#link.send(`${this.#topic}.call`, { id, name, args });
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: never) => void, reject });
    });
  }

  /** The other end is gone. */
  fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
