/** Schemas and rules that exceed the limits: the verdict is unknown, with a reason, and in bounded time. */
import { expect, test } from "vitest";
import { compareDefinitions } from "./questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "./upgrade.testing.ts";

function compare(old: PlainSchema, next: PlainSchema, isOver?: () => boolean) {
  const root = (spec: PlainSchema): PlainSchema => ({ type: "object", properties: { spec } });
  const report = compareDefinitions(crdOf(root(old)), crdOf(root(next)), { ...ENGINE, writersOnly: true, isOver });
  return report.findings.filter(({ change }) => change !== undefined);
}

const field = (schema: PlainSchema): PlainSchema => ({ type: "object", properties: { a: schema } });

/** Nested branches to the given depth. */
function nested(depth: number, keyword: string): PlainSchema {
  if (depth === 0) return { maxLength: 3 };
  return { [keyword]: [nested(depth - 1, keyword), { maxLength: depth }, { minLength: depth }] };
}

test("a pattern with too many states is unknown, with a reason", { timeout: 60_000 }, () => {
  const findings = compare(
    field({ type: "string", pattern: "^(a|b)*a(a|b){17}$" }),
    field({ type: "string", pattern: "^[ab]*[ab](a|b){17}$" }),
  );
  expect(findings.map(({ verdict, reason }) => [verdict, reason])).toEqual([["unknown", "budget"]]);
});

test.each(["anyOf", "oneOf", "allOf"])("the comparison of deeply nested %s ends", { timeout: 60_000 }, (keyword) => {
  const old = field({ type: "string", ...nested(9, keyword) });
  const findings = compare(old, field({ type: "string", ...nested(10, keyword) }));
  for (const { verdict, witness, reason } of findings)
    expect(verdict === "unsafe" ? witness : (reason ?? "proved")).toBeDefined();
});

test("the comparison of rules with very many parts ends", { timeout: 60_000 }, () => {
  const rule = Array.from({ length: 120 }, (_, index) => `(self.x != ${index} || self.y > ${index})`).join(" && ");
  const spec = (rules: readonly string[]): PlainSchema => ({
    type: "object",
    required: ["x", "y"],
    properties: { x: { type: "integer" }, y: { type: "integer" } },
    "x-kubernetes-validations": rules.map((each) => ({ rule: each })),
  });
  const findings = compare(spec([rule]), spec([`${rule} && self.x + self.y < 1000`]));
  expect(findings.some(({ verdict }) => verdict === "unsafe" || verdict === "unknown")).toBe(true);
});

test("the remaining questions are unknown when the time is over", () => {
  const findings = compare(field({ type: "integer", maximum: 9 }), field({ type: "integer", maximum: 10 }), () => true);
  expect(findings.map(({ verdict, reason }) => [verdict, reason])).toEqual([["unknown", "time"]]);
});
