/** Rules whose cost depends on the size of the data. */
import { expect, test } from "vitest";
import { decodeDefinition } from "../crd/decode.ts";
import { isObject } from "../value/json.ts";
import type { UpgradeFinding } from "./finding.ts";
import { compareDefinitions } from "./questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "./upgrade.testing.ts";

function costFindings(before: PlainSchema, after: PlainSchema): readonly UpgradeFinding[] {
  const crd = (schema: PlainSchema) => decodeDefinition(crdOf({ type: "object", properties: { spec: schema } })).value;
  const { findings } = compareDefinitions(crd(before), crd(after), { ...ENGINE, writersOnly: true });
  return findings.filter(({ change }) => change?.detail === "cost");
}

const withRule = (schema: PlainSchema, rule: string): PlainSchema => ({
  ...schema,
  "x-kubernetes-validations": [{ rule }],
});

test("a string without a bound makes a pattern too expensive, and the witness has such a string", () => {
  const object = (text: PlainSchema): PlainSchema => ({ type: "object", properties: { image: text } });
  const pattern = `self.matches('^${"[a-z]+(/[a-z]+)*".repeat(6)}$')`;
  const before = object({ type: "string" });
  const [found] = costFindings(before, object(withRule({ type: "string" }, pattern)));
  expect(found?.verdict).toBe("unsafe");
  const spec = found?.witness?.object["spec"];
  expect(isObject(spec) && String(spec["image"]).length).toBeGreaterThan(100_000);
  expect(found?.witness?.errors.join()).toContain("cost");
});

test("a bound that keeps the pattern cheap needs no finding", () => {
  const text: PlainSchema = { type: "string", maxLength: 2000 };
  const object = (inner: PlainSchema): PlainSchema => ({ type: "object", properties: { image: inner } });
  expect(costFindings(object(text), object(withRule(text, "self.matches('^[a-z]+(/[a-z]+)*$')")))).toEqual([]);
});

/** The rule looks at every item of a list that only the size of an object in etcd bounds. */
function listOf(fields: readonly string[], rules: readonly string[]): PlainSchema {
  const properties = Object.fromEntries(fields.map((name) => [name, { type: "string" }]));
  const items: PlainSchema = { type: "object", required: fields, properties };
  const list: PlainSchema = { type: "array", items };
  return {
    type: "object",
    properties: { list },
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  };
}

test("fields that every item must have bound the number of items", () => {
  const rule = "!has(self.list) || self.list.exists(x, has(x.other)) || true";
  const small = listOf(["other"], []);
  const large = listOf(["nameOfTheJob", "templateOfTheJob", "other"], []);
  expect(costFindings(large, listOf(["nameOfTheJob", "templateOfTheJob", "other"], [rule]))).toEqual([]);
  expect(costFindings(small, listOf(["other"], [rule])).every(({ verdict }) => verdict !== "safe")).toBe(true);
});

/** An unchanged rule that compares all pairs of items. */
function pairsOf(text: PlainSchema, most: number): PlainSchema {
  const items: PlainSchema = { type: "object", properties: { key: { type: "integer" }, text } };
  const rule =
    "self.list.all(a, self.list.all(b, !has(a.text) || !has(b.text) || a.text == b.text || a.text != b.text))";
  return withRule({ type: "object", properties: { list: { type: "array", maxItems: most, items } } }, rule);
}

test("an unchanged rule is too expensive if a default makes its strings long", () => {
  const text: PlainSchema = { type: "string", maxLength: 1000 };
  const filled: PlainSchema = { ...text, default: "x".repeat(1000) };
  const [found] = costFindings(pairsOf(text, 100), pairsOf(filled, 100));
  expect(found?.verdict).toBe("unsafe");
  expect(costFindings(pairsOf(text, 40), pairsOf(filled, 40))).toEqual([]);
});

test("an unchanged rule over unchanged data costs what it did", () => {
  const text: PlainSchema = { type: "string", maxLength: 1000 };
  const { properties, ...rest } = pairsOf(text, 100);
  const more = { ...rest, properties: { ...(properties as object), other: { type: "string", default: "a" } } };
  expect(costFindings(pairsOf(text, 100), more as PlainSchema)).toEqual([]);
});

test("rules over a long list in a default are decided in time", () => {
  const three = "self.list.all(a, self.list.all(b, self.list.all(c, a <= b || b <= c || c <= a)))";
  const of = (list: PlainSchema): PlainSchema =>
    withRule({ type: "object", properties: { list } }, `!has(self.list) || ${three}`);
  const list: PlainSchema = { type: "array", maxItems: 90, items: { type: "integer" } };
  const filled: PlainSchema = { ...list, default: Array.from({ length: 90 }, (_, index) => index) };
  const [found] = costFindings(of(list), of(filled));
  expect(found?.verdict).not.toBe("safe");
});
