/**
 * Requests with a large body or on a large object. They take long, and would keep this thread from all others: a server
 * may have another thread that performs them.
 */

/** Characters or bytes. What is smaller takes a few milliseconds, whatever it is. */
const HEAVY_SIZE = 64 << 10;

/** Called with the size of what a request is about to work on. Throws `Heavy` if another thread has to do it. */
export type Weigh = (size: number) => void;

/** The request continues on another thread, from its beginning: nothing was stored yet. */
export class Heavy extends Error {
  override readonly name = "Heavy";
}

export const weighHeavy: Weigh = (size) => {
  if (size > HEAVY_SIZE) throw new Heavy("another thread performs this request");
};

/** For servers with one thread. */
export const weighNothing: Weigh = () => {};
