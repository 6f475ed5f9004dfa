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

/** Work that cannot pause gets so many seconds on this thread. */
const LONG_SECONDS = 0.05;

/** For work that turned out to be long: as if its size had been known. */
export function weighTime(weigh: Weigh): (seconds: number) => void {
  return (seconds) => {
    if (seconds > LONG_SECONDS) weigh(Number.POSITIVE_INFINITY);
  };
}

/** For servers with one thread. */
export const weighNothing: Weigh = () => {};
