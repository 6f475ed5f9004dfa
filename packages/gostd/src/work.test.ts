import { expect, test } from "vitest";
import { checkWork, countWork } from "./work.ts";

class Ended extends Error {}

test("work is checked while it runs, and ends where the check throws", () => {
  let checks = 0;
  const check = (): void => {
    if (++checks === 3) throw new Ended();
  };
  let rounds = 0;
  const work = (): void => {
    for (; rounds < 1_000_000; rounds++) countWork(1);
  };
  expect(() => checkWork(check, work)).toThrow(Ended);
  expect(checks).toBe(3);
  expect(rounds).toBeLessThan(20_000);
});

test("work that nobody checks is not ended", () => {
  expect(() =>
    checkWork(
      () => {},
      () => countWork(1e9),
    ),
  ).not.toThrow();
  expect(() => countWork(1e9)).not.toThrow();
});

test("the innermost check counts, and the outer one again after it", () => {
  const calls: string[] = [];
  checkWork(
    () => void calls.push("outer"),
    () => {
      checkWork(
        () => void calls.push("inner"),
        () => countWork(10_000),
      );
      countWork(10_000);
    },
  );
  expect(calls).toEqual(["inner", "outer"]);
});
