import { expect, test } from "vitest";
import { copyStore } from "./copy.ts";
import { MemoryStore } from "./memory.ts";

test("all entries arrive, and nothing else", async () => {
  const [source, target] = [new MemoryStore(), new MemoryStore()];
  for (let i = 0; i < 600; i++) await source.create(`/pods/${i}`, String(i));
  const gone = await source.create("/pods/gone", "1");
  await source.delete(gone.key, gone.revision);
  expect(await copyStore(source, target)).toBe(600);
  const pairs = async (store: MemoryStore) => (await store.list("/")).entries.map(({ key, value }) => [key, value]);
  expect(await pairs(target)).toEqual(await pairs(source));
});

test("a store that is not empty is not overwritten", async () => {
  const [source, target] = [new MemoryStore(), new MemoryStore()];
  await source.create("/pods/a", "1");
  await target.create("/pods/b", "1");
  await expect(copyStore(source, target)).rejects.toThrow("the target store is not empty");
  expect(await target.get("/pods/a")).toBeUndefined();
});
