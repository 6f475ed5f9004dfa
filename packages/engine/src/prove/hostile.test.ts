/** Costly and circular policies: a reason within the time budget, never a proof that the cost would break. */
import { expect, test } from "vitest";
import { readBinding } from "../policy/binding.ts";
import { readPolicy } from "../policy/policy.ts";
import { PolicySet } from "../policy/policy-set.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { costBound } from "./cost/cost-bound.ts";
import { solveText, textDomain, withTextTest } from "./theory/text-theory.ts";
import { limitedBy, OutOfBudget, type QuestionBudget } from "./theory/time.ts";

function objectOf(plain: object): JsonObject {
  const made = fromPlain(plain);
  if (!isObject(made)) throw new Error("an object");
  return made;
}

function policiesOf(validation: string, variables: readonly (readonly [string, string])[] = []): PolicySet {
  const spec = {
    matchConstraints: { resourceRules: [] },
    variables: variables.map(([name, expression]) => ({ name, expression })),
    validations: [{ expression: validation }],
  };
  const policy = readPolicy(objectOf({ metadata: { name: "p" }, spec }));
  return new PolicySet([policy], [readBinding(objectOf({ metadata: { name: "b" }, spec: { policyName: "p" } }))]);
}

const LOOP = "object.spec.containers.all";

test("four loops in each other are bounded for small objects only", () => {
  const nested = `${LOOP}(a, ${LOOP}(b, ${LOOP}(c, ${LOOP}(d, a != b || c != d))))`;
  expect(costBound(policiesOf(nested))).toBeLessThan(4096);
});

test("a chain of variables that each double the work has a small bound, in little time", () => {
  const chain = Array.from({ length: 12 }, (_, at): [string, string] => [
    `v${at}`,
    at === 0 ? "object.spec.containers.map(c, c.name)" : `variables.v${at - 1} + variables.v${at - 1}`,
  ]);
  const started = performance.now();
  expect(costBound(policiesOf("variables.v11.all(x, x != 'a')", chain))).toBeLessThan(4096);
  expect(performance.now() - started).toBeLessThan(2000);
});

test("variables that refer to themselves or to later ones do not compile, so they have no bound to find", () => {
  const circular = policiesOf("variables.a == 'x'", [
    ["a", "variables.b"],
    ["b", "variables.a"],
  ]);
  expect(costBound(circular)).toBeGreaterThan(0);
});

test("a chain of variables whose cost no polynomial of use bounds has no bound, in little time", () => {
  const chain = Array.from({ length: 20 }, (_, at): [string, string] => [
    `v${at}`,
    at === 0 ? "string(object.spec.x)" : `variables.v${at - 1}.replace(variables.v${at - 1}, variables.v${at - 1})`,
  ]);
  const started = performance.now();
  expect(costBound(policiesOf("variables.v19 != 'a'", chain))).toBe(0);
  expect(performance.now() - started).toBeLessThan(2000);
});

test("the search for a text ends when the time is up", () => {
  const base = { kind: "string" } as const;
  const pattern = "(a|b|c)*a(a|b|c){14}x(a|b|c){30}y";
  const domain = withTextTest(textDomain(base), { key: pattern, pattern, holds: () => false }, false);
  let ticks = 0;
  const budget: QuestionBudget = {
    spend: () => undefined,
    tick: () => {
      if (ticks++ > 100) throw new OutOfBudget("out of time");
    },
    part: () => budget,
  };
  const other = withTextTest(domain, { key: "z", pattern: "\\A[abcxy]*a[abcxy]{15}y\\z", holds: () => false }, true);
  expect(() => limitedBy(budget, () => solveText(other))).toThrow("out of time");
});
