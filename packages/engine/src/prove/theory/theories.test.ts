import { describe, expect, test } from "vitest";
import { firstTrue, hullOf, type IntTest, intDomain, negated, solveInts, withTest } from "./int-theory.ts";
import { realTest, solveReals } from "./real-theory.ts";
import { exactly, isAllowed, solveText, type TextTest, textDomain, textsBefore, withTextTest } from "./text-theory.ts";

const atMost = (limit: bigint): IntTest => ({
  key: `<=${limit}`,
  holds: (value) => value <= limit,
  breaks: [limit + 1n],
});
const remainder = (divisor: bigint, rest: bigint): IntTest => ({
  key: `%${divisor}=${rest}`,
  holds: (value) => value % divisor === rest,
  breaks: [0n, 1n],
  period: divisor,
});

describe("whole numbers", () => {
  test.each([
    { name: "bounds that cross leave none", tests: [atMost(3n), negated(atMost(5n))], left: false },
    { name: "one number between two bounds is found", tests: [atMost(5n), negated(atMost(4n))], left: true },
    {
      name: "remainders that exclude one another leave none",
      tests: [remainder(4n, 1n), remainder(6n, 2n)],
      left: false,
    },
    { name: "remainders that agree are found", tests: [remainder(4n, 1n), remainder(6n, 5n)], left: true },
    { name: "a remainder that only negative numbers have is found", tests: [remainder(3n, -2n)], left: true },
  ])("$name", ({ tests, left }) => {
    const found = solveInts(tests.reduce(withTest, intDomain({})), 3);
    expect(found !== "unknown" && found.length > 0).toBe(left);
    if (found !== "unknown") for (const value of found) expect(tests.every(({ holds }) => holds(value))).toBe(true);
  });

  test("the hull of what is left is exact", () => {
    const domain = withTest(withTest(intDomain({ min: 0n, max: 100n }), atMost(40n)), negated(atMost(7n)));
    expect(hullOf(domain)).toEqual({ min: 8n, max: 40n });
  });

  test("the first number that answers a rising question is found", () => {
    expect(firstTrue(-1000n, 1000n, (value) => value / 7n >= 3n)).toBe(21n);
    expect(firstTrue(0n, 10n, () => false)).toBeUndefined();
  });
});

describe("doubles", () => {
  const identity = { variable: "x", apply: (value: number) => value, direction: 1 } as const;
  const doubled = { variable: "x", apply: (value: number) => value * 2, direction: 1 } as const;
  const left = (...tests: readonly [ReturnType<typeof realTest>, boolean][]): number =>
    solveReals({ min: undefined, max: undefined, tests: tests.map(([test, wanted]) => ({ test, wanted })) }, 1).length;

  test("a comparison and the same one of twice the number agree", () => {
    expect(left([realTest(identity, "x", ">", 5), true], [realTest(doubled, "2x", "<=", 10), true])).toBe(0);
    expect(left([realTest(identity, "x", "<=", 5), true], [realTest(doubled, "2x", ">", 10), true])).toBe(0);
  });

  test("the number just before a limit is found", () => {
    expect(left([realTest(identity, "x", "<", 5), true], [realTest(identity, "x", ">", 4.999999999999), true])).toBe(1);
    expect(left([realTest(identity, "x", "<", 5), true], [realTest(identity, "x", ">=", 5), true])).toBe(0);
  });
});

describe("texts", () => {
  const matching = (pattern: string): TextTest => ({ key: pattern, pattern, holds: () => true });

  test.each([
    { name: "a prefix and a pattern that excludes it leave none", wanted: ["^app-"], unwanted: ["app"], kind: "none" },
    { name: "a part that is not a prefix is found", wanted: ["app-"], unwanted: ["^app-"], kind: "found" },
    {
      name: "texts before one that are not before a later one leave none",
      wanted: [textsBefore("b")],
      unwanted: [textsBefore("c")],
      kind: "none",
    },
    {
      name: "texts between two others are found",
      wanted: [textsBefore("c")],
      unwanted: [textsBefore("b"), exactly("b")],
      kind: "found",
    },
  ])("$name", ({ wanted, unwanted, kind }) => {
    let domain = textDomain({ kind: "string" });
    for (const pattern of wanted) domain = withTextTest(domain, matching(pattern), true);
    for (const pattern of unwanted) domain = withTextTest(domain, matching(pattern), false);
    expect(solveText(domain).kind).toBe(kind);
  });

  test("lengths and patterns are put together", () => {
    const base = { kind: "string", patterns: ["^[a-z]{3}-[0-9]+$"], maxLength: 12 } as const;
    const long = { key: "6", minLength: 5, holds: (text: string) => text.length >= 5 };
    expect(solveText(withTextTest(textDomain(base), long, false)).kind).toBe("none");
    expect(solveText(withTextTest(textDomain(base), { ...long, key: "5", minLength: 6 }, false)).kind).toBe("found");
  });

  test("texts that are tested one by one need not have a pattern", () => {
    const domain = textDomain({ kind: "string", listed: ["a", "b"] });
    expect(isAllowed(domain, "a")).toBe(true);
    expect(isAllowed(domain, "c")).toBe(false);
  });
});
