import { expect, test } from "vitest";
import type { CostModel } from "../types/cost.ts";
import { fixedRange, multiplyByCostFactor } from "../types/range.ts";
import { checkedText, testHints } from "./check.testing.ts";
import { type CostOptions, estimateCost } from "./cost.ts";

const OPTIONS: CostOptions = {
  hints: testHints,
  presenceTestHasCost: false,
  celGo: "0.29",
  overloadCosts: () => undefined,
};

/** What cel-go answers for the same expressions and the same sizes. */
// biome-ignore format: a table
const ESTIMATES: readonly (readonly [text: string, min: bigint, max: bigint])[] = [
  ["1 + 2", 1n, 1n],
  ["s", 1n, 1n],
  ["self.name", 2n, 2n],
  ["has(self.name)", 1n, 1n],
  ["self.name == \"abc\"", 3n, 3n],
  ["self.name == self.sub.text", 6n, 12n],
  ["self.name != s", 4n, 10n],
  ["self.name.startsWith(\"abc\")", 3n, 3n],
  ["self.name.contains(self.sub.text)", 5n, 75n],
  ["self.name.matches(\"^[a-z]+$\")", 4n, 16n],
  ["s.matches(\"^[a-z]+$\")", 3n, 3689348814741910529n],
  ["self.sub.text + self.name", 6n, 22n],
  ["s + self.name", 3n, 1844674407370955267n],
  ["size(self.items) > 1", 4n, 4n],
  ["[1, 2, 3]", 10n, 10n],
  ["{\"a\": s, \"bc\": self.name}", 33n, 33n],
  ["\"a\" in ls", 1n, 1001n],
  ["i in l", 2n, 9223372036854775810n],
  ["\"k\" in self.labels", 3n, 3n],
  ["self.labels[\"k\"] == self.name", 6n, 9n],
  ["ls[0] == self.name", 5n, 6n],
  ["mm[\"a\"][0] == self.name", 6n, 6n],
  ["[self.name, \"b\"][0] == self.sub.text", 17n, 23n],
  ["{\"a\": self.name}[\"a\"].contains(\"x\")", 33n, 40n],
  ["self.name == \"a\" || self.sub.text == \"b\"", 3n, 7n],
  ["self.name == \"a\" && (b || self.count > 1)", 3n, 7n],
  ["b ? self.name : self.sub.text", 3n, 4n],
  ["(b ? self.name : self.sub.text) == s", 5n, 15n],
  ["self.items.all(x, x.a == x.b)", 3n, 83n],
  ["self.items.exists(x, x.tags.exists(t, t.contains(x.a)))", 3n, 473n],
  ["self.items.map(x, x.a).exists(a, a == self.name)", 14n, 234n],
  ["self.items.filter(x, x.n > 1).size() == 1", 15n, 175n],
  ["self.labels.all(k, k.contains(\"x\"))", 3n, 143n],
  ["self.labels.all(k, self.labels[k] == \"x\")", 3n, 163n],
  ["self.items.exists_one(x, x.a == \"q\")", 4n, 54n],
  ["[1, 2, 3].map(x, [x, x]).map(y, y.size())", 146n, 146n],
  ["ls.all(x, ls.all(y, ls.all(z, x == y && y == z)))", 2n, 11005005002n],
  ["l.all(x, l.all(y, x > y))", 2n, 18446744073709551615n],
  ["dyn(self.name) == \"x\"", 4n, 4n],
  ["d.x.y == 1", 2n, 2n],
  ["string(bs) == \"a\"", 2n, 1844674407370955266n],
  ["bytes(self.name).size() > 1", 4n, 11n],
  ["string(self.count).size() > 1", 5n, 5n],
  ["duration(\"1h\") < dur", 3n, 3n],
  ["self.?name.orValue(\"x\") == \"y\"", 4n, 4n],
  ["[[self.name]].all(x, x.all(y, y == s))", 26n, 1844674407370955297n],
  ["(self.items + self.items).all(x, x.a == \"z\")", 6n, 126n],
  ["(b ? [self.name] : [\"x\"]).all(x, x.contains(self.name))", 15n, 69n],
  ["self.items.map(x, x.n > 1, x.a).map(y, y + y)[0] == s", 27n, 347n],
];

test.each(ESTIMATES)("%s costs from %d to %d", (text, min, max) => {
  expect(estimateCost(checkedText(text), OPTIONS)).toEqual({ min, max });
});

test("a presence test costs one more if the environment has that setting", () => {
  const checked = checkedText("has(self.name)");
  expect(estimateCost(checked, { ...OPTIONS, presenceTestHasCost: true })).toEqual({ min: 2n, max: 2n });
});

test("a library's cost takes precedence over the cost model's, which takes precedence over the language's", () => {
  const model: CostModel = {
    estimateCall: (name) => (name === "size" ? { cost: fixedRange(100) } : undefined),
    callPrice: () => undefined,
  };
  const checked = checkedText("size(s)");
  expect(estimateCost(checked, { ...OPTIONS, model }).max).toBe(101n);
  const overloadCosts = () => ({ estimate: () => ({ cost: fixedRange(1000) }) });
  expect(estimateCost(checked, { ...OPTIONS, model, overloadCosts }).max).toBe(1001n);
});

test("two fields of one loop variable share a path where upstream's slices do", () => {
  const model: CostModel = {
    estimateCall: (_name, overloadId, _target, [arg]) => {
      if (overloadId !== "ends_with_string" || arg === undefined) return undefined;
      return { cost: multiplyByCostFactor(testHints.estimateSize(arg) ?? fixedRange(1), 3) };
    },
    callPrice: () => undefined,
  };
  const checked = checkedText("self.items.all(x, x.a.endsWith(x.b))");
  // The argument x.b is read as x.a, the receiver, whose path was written last.
  expect(estimateCost(checked, { ...OPTIONS, model })).toEqual({ min: 3n, max: 223n });
});
