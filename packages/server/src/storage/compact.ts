/**
 * Forgetting history: every few minutes all that is older than the time before, so that clients can page and watch again
 * for at least that long.
 */
import type { Store } from "./store.ts";

export const COMPACTION_MS = 5 * 60_000;

export interface Compactor {
  stop(): void;
}

/** `onError` hears of failed compactions; the next one is tried all the same. */
export function startCompactor(store: Store, onError: (error: unknown) => void, every = COMPACTION_MS): Compactor {
  let before: number | undefined;
  const tick = async (): Promise<void> => {
    try {
      const now = await store.revision();
      if (before !== undefined) await store.compact(before);
      before = now;
    } catch (error) {
      onError(error);
    }
  };
  void tick();
  const timer = setInterval(() => void tick(), every);
  return { stop: () => clearInterval(timer) };
}
