/**
 * Periodic compaction: every few minutes, removes the history before the previous run, so that clients can page and
 * resume watches for at least that long.
 */
import type { Store } from "./store.ts";

export const COMPACTION_MS = 5 * 60_000;

export interface Compactor {
  stop(): void;
}

/**
 * `onError` receives failed compactions; the next one is still tried. With an interval of 0 nothing is compacted, but
 * the copy of a shared store is still trimmed, since another server compacts the original.
 */
export function startCompactor(store: Store, onError: (error: unknown) => void, every = COMPACTION_MS): Compactor {
  const compact = compaction(store, every);
  if (compact === undefined) return { stop: () => {} };
  let before: number | undefined;
  const tick = async (): Promise<void> => {
    try {
      if (before !== undefined) await compact(before);
      before = await store.revision();
    } catch (error) {
      onError(error);
    }
  };
  void tick();
  const timer = setInterval(() => void tick(), every === 0 ? COMPACTION_MS : every);
  return { stop: () => clearInterval(timer) };
}

function compaction(store: Store, every: number): ((revision: number) => Promise<void>) | undefined {
  const { shared } = store;
  if (every === 0) return shared && (async (revision) => shared.forget(revision));
  return (revision) => shared?.compactInTurn(revision) ?? compactAlone(store, revision);
}

/** A key outside of the served resources. */
const MARK = "/portcullis/compaction";

/**
 * Each compaction is recorded in the store, as in kube-apiserver: it creates a revision, so that revisions expire at
 * the same pace without writes.
 */
async function compactAlone(store: Store, revision: number): Promise<void> {
  const mark = await store.get(MARK);
  if (mark === undefined) await store.create(MARK, String(revision));
  else await store.update(MARK, String(revision), mark.revision);
  await store.compact(revision);
}
