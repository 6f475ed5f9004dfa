import { expect, test } from "vitest";
import { MemoryStore } from "../storage/memory.ts";
import { findViolations, type Operation, Race } from "./history.testing.ts";
import { sleep, until } from "./scratch.testing.ts";

const write = (
  start: number,
  end: number,
  expected: number,
  revision?: number,
  value: string | undefined = `v${revision}`,
) => ({ kind: "write", start, end, expected, revision, value }) satisfies Operation;
const read = (start: number, end: number, revision?: number) =>
  ({ kind: "read", start, end, revision, value: revision && `v${revision}` }) as Operation;
const gone = (start: number, end: number, expected: number, revision: number): Operation => ({
  ...write(start, end, expected, revision),
  value: undefined,
});

test.each([
  { name: "one after the other", history: [write(0, 1, 0, 5), read(2, 3, 5), write(4, 5, 5, 6), read(6, 7, 6)] },
  {
    name: "a read beside a write may see either",
    history: [write(0, 1, 0, 5), write(2, 9, 5, 6), read(3, 4, 5), read(5, 6, 6)],
  },
  { name: "a key is absent before and after", history: [read(0, 1), write(2, 3, 0, 5), gone(4, 5, 5, 6), read(6, 7)] },
  {
    name: "an unanswered write may have happened",
    history: [write(0, 1, 0, 5), write(2, Infinity, 5, undefined, "v6"), read(3, 4, 6), write(5, 6, 6, 7)],
  },
  {
    name: "an unanswered write may not have happened",
    history: [write(0, 1, 0, 5), write(2, Infinity, 5, undefined, "v6"), read(3, 4, 5)],
  },
])("$name: fine", ({ history }) => {
  expect(findViolations(history)).toEqual([]);
});

test.each([
  { name: "a stale read", history: [write(0, 1, 0, 5), write(2, 3, 5, 6), read(4, 5, 5)] },
  { name: "two writes that replace the same", history: [write(0, 1, 0, 5), write(2, 3, 5, 6), write(2, 3, 5, 7)] },
  { name: "reads that go back", history: [write(0, 1, 0, 5), write(2, 9, 5, 6), read(3, 4, 6), read(5, 6, 5)] },
  { name: "a value from nowhere", history: [write(0, 1, 0, 5), read(2, 3, 6)] },
  { name: "a lost key", history: [write(0, 1, 0, 5), read(2, 3)] },
  {
    name: "a write lost beside one without an answer",
    history: [write(0, 1, 0, 5), write(2, 3, 5, 6), write(0, Infinity, 5, undefined, "x"), write(4, 5, 5, 8)],
  },
  { name: "one revision twice", history: [write(0, 1, 0, 5), write(2, 3, 5, 5)] },
])("$name: found", ({ history }) => {
  expect(findViolations(history)).not.toEqual([]);
});

test("the memory store's history is linearizable", async () => {
  const race = new Race("/pods/a");
  const store = new MemoryStore();
  const yielding = Object.assign(Object.create(store) as MemoryStore, {
    get: (key: string) => sleep(0).then(() => store.get(key)),
    create: (key: string, value: string) => store.create(key, value),
    update: (key: string, value: string, expected: number) => store.update(key, value, expected),
    delete: (key: string, expected: number) => store.delete(key, expected),
  });
  const clients = ["a", "b", "c"].map((name) => race.run(yielding, name));
  await until(() => race.writes > 30);
  race.stop();
  await Promise.all(clients);
  expect(findViolations(race.history)).toEqual([]);
});
