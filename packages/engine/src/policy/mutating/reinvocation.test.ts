import { expect, test } from "vitest";
import { plainObject } from "../policy.testing.ts";
import { FIRST_RUN, Reinvocation } from "./reinvocation.ts";

const OBJECT = plainObject({ a: 1 });

test("every policy takes part in the first run", () => {
  expect(new Reinvocation(FIRST_RUN, false, OBJECT).isSkipped("p")).toBe(false);
});

test("only policies that may run again do, and only if something changed after them", () => {
  const first = new Reinvocation(FIRST_RUN, false, OBJECT);
  first.mayRunAgain("early");
  first.changed();
  first.mayRunAgain("late");
  const second = new Reinvocation(first.leave(OBJECT), true, OBJECT);
  expect([first.isWanted, second.isSkipped("early"), second.isSkipped("late"), second.isSkipped("other")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test("later changes of other plugins count too", () => {
  const first = new Reinvocation(FIRST_RUN, false, OBJECT);
  first.mayRunAgain("p");
  const left = first.leave(OBJECT);
  expect(new Reinvocation(left, true, plainObject({ a: 1 })).isSkipped("p")).toBe(true);
  expect(new Reinvocation(left, true, plainObject({ a: 2 })).isSkipped("p")).toBe(false);
});
