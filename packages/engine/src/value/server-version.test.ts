import { expect, test } from "vitest";
import { asVersion, boundToServer, currentMinor, minorOf, SERVER_VERSION, since } from "./server-version.ts";

test("the newest version applies unless another one is named", () => {
  expect(currentMinor()).toBe(minorOf(SERVER_VERSION));
  expect(since(SERVER_VERSION)).toBe(true);
});

test("a version applies to one function and what it calls", () => {
  const inside = asVersion("1.32", () => [since("1.32"), since("1.33"), asVersion("1.34", () => since("1.33"))]);
  expect(inside).toEqual([true, false, true]);
  expect(currentMinor()).toBe(minorOf(SERVER_VERSION));
});

test("the version before applies again after an error", () => {
  expect(() =>
    asVersion("1.30", () => {
      throw new Error("refused");
    }),
  ).toThrow("refused");
  expect(currentMinor()).toBe(minorOf(SERVER_VERSION));
});

test("asynchronous functions are refused, because others run while they wait", () => {
  expect(() => asVersion("1.30", async () => 1)).toThrow("asynchronous");
});

test("a bound function runs by the rules of its version", () => {
  expect(boundToServer({ version: "1.31" }, (version: "1.31" | "1.32") => since(version))("1.32")).toBe(false);
});
