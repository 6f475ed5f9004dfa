import { expect, test } from "vitest";
import { costReport, type RuleCost } from "./cost-report.ts";
import { decodeDefinition } from "./decode.ts";
import {
  createErrors,
  definitionOf,
  definitionWith,
  OPTIONS,
  ROOT,
  specOf,
  versionWith,
} from "./definition.testing.ts";

const rule = (text: string) => ({ "x-kubernetes-validations": [{ rule: text }] });

function reportOf(schema: object): RuleCost {
  const { schemas } = costReport(decodeDefinition(definitionOf(specOf({ ...schema }))).value, OPTIONS);
  const found = schemas[0]?.rules[0];
  if (found === undefined) throw new Error("no rule");
  return found;
}

test("a cheap rule has a small share and no cause", () => {
  const found = reportOf({ type: "string", maxLength: 10, ...rule("self.size() < 5") });
  expect(found).toMatchObject({ estimate: 3n, cardinality: 1n, total: 3n, isCardinalityBounded: true, causes: [] });
  expect(found.ruleShare).toBeCloseTo(3e-7);
});

const mapRule = "self.all(k, self[k].matches('^a+$'))";
const mapOf = (map: object, value: object) => ({
  type: "object",
  additionalProperties: { type: "string", ...value },
  ...map,
  ...rule(mapRule),
});

test("operands without a bound are named with the largest bound that fits", () => {
  const { causes, boundForAll } = reportOf(mapOf({}, {}));
  expect(causes).toEqual([
    {
      path: `${ROOT}.properties[spec]`,
      field: "spec",
      keyword: "maxProperties",
      declared: undefined,
      role: "operand",
      largestBound: 31,
    },
    {
      path: `${ROOT}.properties[spec].additionalProperties`,
      field: "spec[*]",
      keyword: "maxLength",
      declared: undefined,
      role: "operand",
      largestBound: 47,
    },
  ]);
  expect(boundForAll).toBeUndefined();
});

test.each([
  { map: { maxProperties: 31 }, value: {}, isAccepted: true },
  { map: { maxProperties: 32 }, value: {}, isAccepted: false },
  { map: {}, value: { maxLength: 47 }, isAccepted: true },
  { map: {}, value: { maxLength: 48 }, isAccepted: false },
])("bounds $map $value decide as the report says", ({ map, value, isAccepted }) => {
  expect(createErrors(definitionOf(specOf(mapOf(map, value)))).length === 0).toBe(isAccepted);
});

const hosts = (bounds: { items?: number; name?: number; tags?: number }) => ({
  type: "array",
  ...(bounds.items === undefined ? {} : { maxItems: bounds.items }),
  items: {
    type: "object",
    properties: {
      name: { type: "string", ...(bounds.name === undefined ? {} : { maxLength: bounds.name }) },
      tags: {
        type: "array",
        items: { type: "string" },
        ...(bounds.tags === undefined ? {} : { maxItems: bounds.tags }),
      },
    },
    ...rule("self.tags.all(t, t.startsWith(self.name))"),
  },
});

test("lists around a rule multiply its cost; if no single bound is enough, a common one is given", () => {
  const { causes, boundForAll, isCardinalityBounded } = reportOf(hosts({}));
  expect(causes.map(({ field, role, largestBound }) => [field, role, largestBound])).toEqual([
    ["spec", "repetition", undefined],
    ["spec[*].name", "operand", undefined],
    ["spec[*].tags", "operand", undefined],
  ]);
  expect(isCardinalityBounded).toBe(false);
  expect(boundForAll).toBe(287);
  const accepts = (n: number): boolean =>
    createErrors(definitionOf(specOf(hosts({ items: n, name: n, tags: n })))).length === 0;
  expect([accepts(287), accepts(288)]).toEqual([true, false]);
});

test("a schema is reported once for the versions that share it", () => {
  const schema = { openAPIV3Schema: specOf(mapOf({ maxProperties: 3 }, { maxLength: 3 })) };
  const versions = [versionWith({ schema }), versionWith({ schema, name: "v2", storage: false })];
  const { schemas } = costReport(decodeDefinition(definitionWith({ versions })).value, OPTIONS);
  expect(schemas.map(({ path, versions: names }) => [path, names])).toEqual([[ROOT, ["v1", "v2"]]]);
});
