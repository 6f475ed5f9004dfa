import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("one slice runs in each turn, and flows take turns", async () => {
  let turn = 0;
  const turns = new Turns(
    () =>
      new Promise((resolve) =>
        setImmediate(() => {
          turn++;
          resolve();
        }),
      ),
  );
  const slices: string[] = [];
  const work = async (flow: string, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      await turns.wait(flow);
      slices.push(`${flow}${turn}`);
    }
  };
  await Promise.all([work("a", 2), work("a", 2), work("a", 2), work("b", 3)]);
  expect(slices).toHaveLength(9);
  expect(new Set(slices.map((slice) => slice.slice(1))).size).toBe(9);
  expect(slices.slice(0, 6).map((slice) => slice[0])).toEqual(["a", "b", "a", "b", "a", "b"]);
});
