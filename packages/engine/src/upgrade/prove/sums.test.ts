/** Sums with many cases, values that defaults fill in, and what the scale subresource requires. */
import { expect, test } from "vitest";
import { decodeDefinition } from "../../crd/decode.ts";
import { compareDefinitions } from "../questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "../upgrade.testing.ts";

function verdicts(before: PlainSchema, after: PlainSchema, version: PlainSchema = {}): string[] {
  const crd = (schema: PlainSchema) =>
    decodeDefinition(crdOf({ type: "object", properties: { spec: schema } }, version)).value;
  const { findings } = compareDefinitions(crd(before), crd(after), { ...ENGINE, writersOnly: true });
  const changes = findings.filter(({ change }) => change?.axis === "validity");
  return changes.map(({ verdict, path }) => `${verdict} ${path}`);
}

const ITEMS = 12;
const terms = Array.from({ length: ITEMS }, (_, index) => {
  const count = `(has(self[${index}].matches) ? self[${index}].matches.size() : 0)`;
  return `(self.size() > ${index} ? ${count} : 0)`;
});

function rulesOf(most: number, rules: readonly string[], defaults: PlainSchema = {}): PlainSchema {
  const matches: PlainSchema = { type: "array", maxItems: most, items: { type: "integer" }, ...defaults };
  const items: PlainSchema = { type: "object", properties: { matches } };
  const validations = rules.map((rule) => ({ rule }));
  return {
    type: "object",
    properties: { list: { type: "array", maxItems: ITEMS, items, "x-kubernetes-validations": validations } },
  };
}

// biome-ignore format: a table
test.each([
  { name: "the largest sum is allowed", most: 8, limit: 96, defaults: {}, isProved: true },
  { name: "the largest sum is refused", most: 8, limit: 95, defaults: {}, isProved: false },
  { name: "lists have no bound", most: 1000, limit: 96, defaults: {}, isProved: false },
  { name: "a default counts", most: 8, limit: 96, defaults: { default: [1, 2] }, isProved: true },
])("the sum of the sizes of many lists: $name", ({ most, limit, defaults, isProved }) => {
  const rule = `${terms.join(" + ")} <= ${limit}`;
  const found = verdicts(rulesOf(most, [], defaults), rulesOf(most, [rule], defaults));
  expect(found.includes("safe .spec.list")).toBe(isProved);
  expect(found).toHaveLength(1);
});

const positive = { rule: "duration(self) > duration('0s')" };
const period = (rest: PlainSchema): PlainSchema => ({
  type: "object",
  properties: { period: { type: "string", maxLength: 20, pattern: "^[0-9]+s$", ...rest } },
});

test.each([
  { name: "a default is removed", before: { default: "5s" }, after: {} },
  { name: "a default is added", before: {}, after: { default: "5s" } },
  { name: "nulls are no longer kept", before: { nullable: true }, after: {} },
])("a rule of a value that is given stays true: $name", ({ before, after }) => {
  const rules = { "x-kubernetes-validations": [positive] };
  expect(verdicts(period({ ...before, ...rules }), period({ ...after, ...rules }))).toEqual([]);
});

test("a rule of the object that reads what a default filled in does not stay true", () => {
  const rule = { "x-kubernetes-validations": [{ rule: "duration(self.period) > duration('0s')" }] };
  const found = verdicts({ ...period({ default: "5s" }), ...rule }, { ...period({}), ...rule });
  expect(found).toContain("unsafe .spec");
});

test("replicas of a scale subresource are never negative", () => {
  const replicas = (rest: PlainSchema): PlainSchema => ({
    type: "object",
    properties: { replicas: { type: "integer", ...rest } },
  });
  const paths = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const version = { subresources: { status: {}, scale: paths } };
  expect(verdicts(replicas({}), replicas({ minimum: 0 }), version)).toEqual(["safe .spec.replicas"]);
  expect(verdicts(replicas({}), replicas({ minimum: 1 }), version)).toEqual(["unsafe .spec.replicas"]);
  expect(verdicts(replicas({}), replicas({ minimum: 0 }))).toEqual(["unsafe .spec.replicas"]);
});
