import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** Runs the work of two flows, in slices of so many milliseconds. */
async function runSlices(millis: number): Promise<readonly string[]> {
  let [turn, now] = [0, 0];
  const nextTurn = (): Promise<void> =>
    new Promise((resolve) =>
      setImmediate(() => {
        turn++;
        resolve();
      }),
    );
  const turns = new Turns(nextTurn, () => now);
  const slices: string[] = [];
  const work = async (flow: string, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      await turns.wait(flow);
      slices.push(`${flow}${turn}`);
      now += millis;
    }
  };
  await Promise.all([work("a", 2), work("a", 2), work("a", 2), work("b", 3)]);
  return slices;
}

const turnsOf = (slices: readonly string[]): number => new Set(slices.map((slice) => slice.slice(1))).size;

test("one long slice runs in each turn, and flows take turns", async () => {
  const slices = await runSlices(10);
  expect(slices).toHaveLength(9);
  expect(turnsOf(slices)).toBe(9);
  expect(slices.slice(0, 6).map((slice) => slice[0])).toEqual(["a", "b", "a", "b", "a", "b"]);
});

test("short slices share a turn", async () => {
  const slices = await runSlices(4);
  expect(slices).toHaveLength(9);
  expect(turnsOf(slices)).toBe(3);
});

test("work that has begun is completed first, unless it takes very long", async () => {
  const turns = new Turns(() => new Promise((resolve) => setImmediate(resolve)));
  const order: string[] = [];
  const work = async (name: string, count: number): Promise<void> => {
    for (let slice = 0; slice < count; slice++) {
      await turns.wait("flow", slice);
      order.push(name);
    }
  };
  await Promise.all([work("a", 3), work("b", 3), work("c", 25), work("d", 1)]);
  expect(order.join("")).toBe(`aaabbb${"c".repeat(20)}d${"c".repeat(5)}`);
});

test("a turn begins when somebody asks first", async () => {
  let now = 5;
  const turns = new Turns(
    () => new Promise((resolve) => setImmediate(resolve)),
    () => now,
  );
  expect(turns.began).toBe(5);
  now = 9;
  expect(turns.began).toBe(5);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(turns.began).toBe(9);
});

test("what begins in a turn that is used up waits for another one", async () => {
  let now = 0;
  const turns = new Turns(
    () => new Promise((resolve) => setImmediate(resolve)),
    () => now,
  );
  expect(turns.begin("a")).toBeUndefined();
  now += 10;
  const waiting = turns.begin("a");
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  await new Promise((resolve) => setImmediate(resolve));
  expect(turns.begin("a")).toBeUndefined();
});
