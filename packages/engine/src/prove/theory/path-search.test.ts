import { expect, test } from "vitest";
import { allWays, type Choices, INFEASIBLE, Unmodeled } from "./path-search.ts";
import { OutOfBudget } from "./time.ts";

const FREE = { spend: () => undefined };

test("every combination of choices is one execution path", () => {
  const ways = [...allWays((choices) => [choices.choose(2), choices.choose(3)].join(""), FREE)];
  expect(ways.map((way) => (way.kind === "done" ? way.value : ""))).toEqual(["00", "01", "02", "10", "11", "12"]);
});

test("a choice may depend on those before it", () => {
  const run = (choices: Choices): string => (choices.choose(2) === 0 ? "a" : `b${choices.choose(2)}`);
  expect([...allWays(run, FREE)].map((way) => (way.kind === "done" ? way.value : ""))).toEqual(["a", "b0", "b1"]);
});

test("contradictory execution paths are skipped, and those that are not modelled are reported", () => {
  const run = (choices: Choices): string => {
    const taken = choices.choose(3);
    if (taken === 0) throw INFEASIBLE;
    if (taken === 1) throw new Unmodeled("something");
    return "left";
  };
  expect([...allWays(run, FREE)]).toEqual([
    { kind: "unmodeled", reason: "something" },
    { kind: "done", value: "left" },
  ]);
});

test("a budget ends the search", () => {
  let left = 5;
  const budget = {
    spend: () => {
      if (left-- <= 0) throw new OutOfBudget("enough");
    },
  };
  expect(() => [...allWays((choices) => choices.choose(100), budget)]).toThrow("enough");
});
