import { expect, test } from "vitest";
import { ServerMetrics } from "../observe/server-metrics.ts";
import { ALWAYS } from "./leadership.ts";
import { WorkQueue } from "./work-queue.ts";

function newQueue(work: (key: string) => Promise<void>): { queue: WorkQueue; defects: unknown[] } {
  const defects: unknown[] = [];
  const server = {
    onDefect: (error: unknown) => void defects.push(error),
    metrics: new ServerMetrics(() => 0),
    leadership: ALWAYS,
  };
  return { queue: new WorkQueue("test", work, server), defects };
}

test("a failure is reported, and the key is tried again", async () => {
  const failure = new Error("once");
  let attempts = 0;
  let done = (): void => {};
  const isDone = new Promise<void>((resolve) => {
    done = resolve;
  });
  const { queue, defects } = newQueue(async () => {
    if (++attempts === 1) throw failure;
    done();
  });
  queue.add("a");
  await isDone;
  queue.close();
  expect(defects).toEqual([failure]);
});

test("work that fails because the server stops under it is no defect", async () => {
  let fail = (_: Error): void => {};
  const { queue, defects } = newQueue(
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  queue.add("a");
  await Promise.resolve();
  await Promise.resolve();
  queue.close();
  fail(new Error("the store is closed"));
  await queue.idle();
  expect(defects).toEqual([]);
});
