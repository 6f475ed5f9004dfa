/** The contents of a store at one time, and the way back to them. */
import { KeyExists, RevisionConflict, type Store } from "./store.ts";

/** By key. */
export type Snapshot = ReadonlyMap<string, string>;

const ROOT = "/";

/** The values of all keys. */
export async function takeSnapshot(store: Store): Promise<Snapshot> {
  const { entries } = await store.list(ROOT);
  return new Map(entries.map(({ key, value }) => [key, value]));
}

/**
 * Writes only what differs, so that watches see a deletion of what was added and a change of what was changed. Revisions
 * continue to grow. What others write at the same time is undone as well.
 */
export async function restoreSnapshot(store: Store, snapshot: Snapshot): Promise<void> {
  for (let isChanged = true; isChanged; ) isChanged = await restoreOnce(store, snapshot);
}

/** Whether anything had to be written. */
async function restoreOnce(store: Store, snapshot: Snapshot): Promise<boolean> {
  const { entries } = await store.list(ROOT);
  const present = new Set(entries.map(({ key }) => key));
  const writes = [
    ...entries
      .filter(({ key }) => !snapshot.has(key))
      .map(
        ({ key, revision }) =>
          () =>
            store.delete(key, revision),
      ),
    ...entries.flatMap(({ key, value, revision }) => {
      const wanted = snapshot.get(key);
      return wanted === undefined || wanted === value ? [] : [() => store.update(key, wanted, revision)];
    }),
    ...[...snapshot]
      .filter(([key]) => !present.has(key))
      .map(
        ([key, value]) =>
          () =>
            store.create(key, value),
      ),
  ];
  for (const write of writes) await ignoringRaces(write);
  return writes.length > 0;
}

async function ignoringRaces(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof RevisionConflict) && !(error instanceof KeyExists)) throw error;
  }
}
