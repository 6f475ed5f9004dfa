/** Links for tests. */
import type { LinkMessage, LinkPort } from "./link.ts";

/** Two ends in one thread, and the batches between them. Everything is copied, as between threads. */
export function ports(): [LinkPort, LinkPort, LinkMessage[][]] {
  const handlers: ((batch: readonly LinkMessage[]) => void)[] = [];
  const batches: LinkMessage[][] = [];
  const port = (own: number): LinkPort => ({
    post: (batch) => {
      const copy = structuredClone(batch) as LinkMessage[];
      batches.push(copy);
      setImmediate(() => handlers[1 - own]?.(copy));
    },
    receive: (handler) => {
      handlers[own] = handler;
    },
  });
  return [port(0), port(1), batches];
}
