import { expect, test } from "vitest";
import {
  and,
  before,
  type Formula,
  flag,
  implies,
  literal,
  matches,
  not,
  or,
  type Range,
  same,
  sizeName,
} from "./formula.ts";
import { add, atMost, constantLinear, equalTo, lessThan, variable } from "./linear.ts";
import { solve } from "./solve.ts";
import { beforePattern, equalsPattern } from "./texts.ts";

const x = variable("x");
const y = variable("y");
const at = (value: number) => constantLinear(BigInt(value));
const below = (value: number): Formula => literal({ kind: "double", name: "d", relation: "<", value });

test.each<{ name: string; formulas: readonly Formula[]; kind: string }>([
  { name: "a flag and its opposite", formulas: [flag("a"), not(flag("a"))], kind: "impossible" },
  { name: "a choice that remains", formulas: [or(flag("a"), flag("b")), not(flag("a"))], kind: "possible" },
  { name: "below 5 and at least 5", formulas: [lessThan(x, at(5)), atMost(at(5), x)], kind: "impossible" },
  { name: "between two integers", formulas: [lessThan(at(4), x), lessThan(x, at(5))], kind: "impossible" },
  { name: "x < y and y < x", formulas: [lessThan(x, y), lessThan(y, x)], kind: "impossible" },
  {
    name: "a sum beyond its parts",
    formulas: [atMost(x, at(10)), atMost(y, at(10)), lessThan(at(20), add(x, y))],
    kind: "impossible",
  },
  {
    name: "neither of the two remaining values",
    formulas: [atMost(at(1), x), atMost(x, at(2)), not(equalTo(x, at(1))), not(equalTo(x, at(2)))],
    kind: "impossible",
  },
  {
    name: "a multiple of 12 that is not a multiple of 4",
    formulas: [
      literal({ kind: "multiple", name: "x", factor: 12n }),
      not(literal({ kind: "multiple", name: "x", factor: 4n })),
    ],
    kind: "impossible",
  },
  {
    name: "integers beyond 2^53",
    formulas: [equalTo(x, constantLinear(2n ** 53n + 1n)), equalTo(x, constantLinear(2n ** 53n))],
    kind: "impossible",
  },
  {
    name: "between two neighbouring float64s",
    formulas: [
      not(below(1)),
      not(literal({ kind: "double", name: "d", relation: "==", value: 1 })),
      below(1 + Number.EPSILON),
    ],
    kind: "impossible",
  },
  { name: "between two float64s", formulas: [not(below(1)), below(1.000001)], kind: "possible" },
  {
    name: "a string that begins with ab but not with a",
    formulas: [matches("s", "^ab"), not(matches("s", "^a"))],
    kind: "impossible",
  },
  {
    name: "a string that is shorter than its pattern",
    formulas: [matches("s", "^[a-z]{3}$"), atMost(variable(sizeName("s")), at(2))],
    kind: "impossible",
  },
  {
    name: "a string before m that is m or later",
    formulas: [matches("s", beforePattern("m")), not(matches("s", beforePattern("n")))],
    kind: "impossible",
  },
  {
    name: "equal strings with different values",
    formulas: [same("s", "t"), matches("s", equalsPattern("a")), matches("t", equalsPattern("b"))],
    kind: "impossible",
  },
  {
    name: "a cycle in an order",
    formulas: [before("a", "b"), before("b", "c"), before("c", "a")],
    kind: "impossible",
  },
  { name: "not before, not after and not the same", formulas: [before("a", "b"), same("a", "b")], kind: "impossible" },
])("$name: $kind", ({ formulas, kind }) => {
  expect(solve(formulas).kind).toBe(kind);
});

const list: Range = { name: "l", facts: (element) => atMost(at(0), variable(element)) };
const every = (limit: number): Formula => ({
  op: "every",
  range: list,
  body: (element) => atMost(variable(element), at(limit)),
});

test("a condition on every element holds for a named element", () => {
  expect(solve([every(5), not(every(9))]).kind).toBe("impossible");
  expect(solve([every(9), not(every(5))]).kind).toBe("possible");
});

test("facts about elements are used", () => {
  expect(solve([{ op: "some", range: list, body: (element) => lessThan(variable(element), at(0)) }]).kind).toBe(
    "impossible",
  );
});

test("a list with an element is not empty", () => {
  expect(solve([not(every(5)), equalTo(variable(sizeName("l")), at(0))]).kind).toBe("impossible");
});

test("nothing is claimed when the steps are used up", () => {
  const choices = Array.from({ length: 30 }, (_, index) =>
    or(and(flag(`a${index}`), flag(`b${index}`)), and(flag(`c${index}`), flag(`d${index}`))),
  );
  const clash = choices.map((_, index) =>
    implies(
      or(flag(`a${index}`), flag(`c${index}`)),
      lessThan(variable(`n${index}`), variable(`n${(index + 1) % 30}`)),
    ),
  );
  expect(solve([...choices, ...clash], { steps: 5 }).kind).toBe("spent");
});
