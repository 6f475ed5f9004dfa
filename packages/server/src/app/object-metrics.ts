/** Counts the stored objects of all kinds for the metrics. */
import type { Pause } from "../endpoints/request-time.ts";
import type { StoredObjects } from "../observe/storage-metrics.ts";
import type { ServerContext } from "../registry/context.ts";
import { ObjectCounts } from "../registry/object-counts.ts";

/** In slices: there may be thousands of kinds. What cannot be read now keeps its last count. */
export async function countObjects({ registry, store, metrics }: ServerContext, pause: Pause): Promise<void> {
  const counts = new ObjectCounts(store, metrics.clock);
  // One question for all, where the store has to ask somebody.
  const revision = await store.revision();
  const counted = new Map<string, StoredObjects>();
  for (const type of registry.all()) {
    const { group, plural: resource, storagePrefix, computed } = type;
    // Versions of a kind are stored once.
    if (computed !== undefined || counted.has(storagePrefix)) continue;
    const { count, averageBytes } = await counts.count(type, revision);
    counted.set(storagePrefix, { group, resource, count, bytes: Math.round(count * averageBytes) });
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  metrics.storage.objects = [...counted.values()];
  metrics.store.size = await store.size?.();
}
