import { expect, onTestFinished, test } from "vitest";
import { MemoryStore } from "../../storage/memory.ts";
import { RevisionPage, revisionReader } from "./revision-page.ts";

test("a revision is on the page before the write is acknowledged", async () => {
  const store = new MemoryStore();
  await store.create("/a", "1");
  const page = new RevisionPage();
  onTestFinished(() => page.close());
  const read = revisionReader(page.fd);
  expect(read()).toBe(0);
  await page.follow(store);
  expect(read()).toBe(await store.revision());
  for (let i = 0; i < 10; i++) {
    const { revision } = await store.create(`/pods/${i}`, "1");
    expect(read()).toBe(revision);
  }
});
