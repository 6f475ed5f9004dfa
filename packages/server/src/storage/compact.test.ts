import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { COMPACTION_MS, startCompactor } from "./compact.ts";
import { MemoryStore } from "./memory.ts";
import { Compacted, type SharedCompaction } from "./store.ts";

describe("periodic compaction", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const pass = (millis: number): Promise<unknown> => vi.advanceTimersByTimeAsync(millis);
  const fail = (error: unknown): never => {
    throw error;
  };

  test("history is kept for one interval and compacted after two, also without writes", async () => {
    const store = new MemoryStore();
    const compactor = startCompactor(store, fail);
    const { revision } = await store.create("/a", "1");
    await pass(COMPACTION_MS);
    expect((await store.list("/a", { revision })).entries).toHaveLength(1);
    await pass(COMPACTION_MS);
    await expect(store.list("/a", { revision })).rejects.toThrow(Compacted);
    compactor.stop();
    const kept = await store.compactedRevision();
    await pass(3 * COMPACTION_MS);
    expect(await store.compactedRevision()).toBe(kept);
  });

  test("a custom interval is used, and 0 compacts nothing", async () => {
    const [quick, never] = [new MemoryStore(), new MemoryStore()];
    const compactors = [startCompactor(quick, fail, 1000), startCompactor(never, fail, 0)];
    for (const store of [quick, never]) await store.create("/a", "1");
    await pass(2000);
    await expect(quick.list("/", { revision: 2 })).rejects.toThrow(Compacted);
    await pass(3 * COMPACTION_MS);
    expect(await never.compactedRevision()).toBeLessThan(await never.revision());
    for (const each of compactors) each.stop();
  });

  test.each([
    ["in turn", undefined, ["turn 1"]],
    ["by others alone", 0, ["forget 1"]],
  ])("a shared store is compacted %s", async (_, every, expected) => {
    const calls: string[] = [];
    class Shared extends MemoryStore {
      readonly shared: SharedCompaction = {
        compactInTurn: async (revision) => void calls.push(`turn ${revision}`),
        forget: (revision) => void calls.push(`forget ${revision}`),
      };
    }
    const compactor = startCompactor(new Shared(), fail, every);
    await pass(COMPACTION_MS);
    compactor.stop();
    expect(calls).toEqual(expected);
  });

  test("a failure is reported, and the next compaction still runs", async () => {
    const store = new MemoryStore();
    const errors: unknown[] = [];
    const compactor = startCompactor(store, (error) => errors.push(error));
    await pass(0);
    const compact = vi.spyOn(store, "compact").mockRejectedValueOnce(new Error("no"));
    await pass(2 * COMPACTION_MS);
    compactor.stop();
    expect(errors).toEqual([new Error("no")]);
    expect(compact).toHaveBeenCalledTimes(2);
  });
});
