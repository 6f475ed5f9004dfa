import { describe, expect, test } from "vitest";
import { formatFieldError } from "../field/format.ts";
import { parseSchema } from "../schema/parse.ts";
import { fromPlain } from "../value/copy.ts";
import { Float64, type JsonValue } from "../value/json.ts";
import { evaluateRules, type RuleResult } from "./evaluate.ts";
import { compileRuleTree } from "./tree.ts";

function run(schema: unknown, value: JsonValue, oldValue?: JsonValue): RuleResult {
  const options = { version: "1.36", isStored: () => true, isResourceRoot: false } as const;
  const tree = compileRuleTree(parseSchema(fromPlain(schema)), options);
  if (tree === undefined) throw new Error("a schema without rules");
  return evaluateRules(tree, { value, oldValue, budget: 10_000_000 });
}

function errors(schema: unknown, value: unknown, oldValue?: unknown): string[] {
  const old = oldValue === undefined ? undefined : fromPlain(oldValue);
  return run(schema, fromPlain(value), old).kept.map(({ error }) => formatFieldError(error));
}

const optional = (rule: string) => [{ rule, optionalOldSelf: true }];

describe("an optional oldSelf is data without its schema", () => {
  test("a set is compared in order", () => {
    const items = { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } };
    const schema = { ...items, "x-kubernetes-validations": optional("oldSelf.orValue(self) == self") };
    expect(errors(schema, [2, 1], [1, 2])).toHaveLength(1);
    expect(errors(schema, [1, 2], [1, 2])).toEqual([]);
  });

  test("fields have unescaped names", () => {
    const properties = { type: "object", properties: { if: { type: "integer" } } };
    const schema = { ...properties, "x-kubernetes-validations": optional("oldSelf.value().__if__ == 1") };
    expect(errors(schema, { if: 1 }, { if: 1 })).toEqual([
      '<nil>: Invalid value: "object": no such key: __if__ evaluating rule: oldSelf.value().__if__ == 1',
    ]);
  });

  test("bad data is an error of the conversion", () => {
    const schema = { type: "string", "x-kubernetes-validations": optional("oldSelf.value() == self") };
    expect(errors(schema, "a", 1)).toEqual([
      '<nil>: Invalid value: "string": unsupported conversion to ref.Val: (*errors.errorString)invalid data, expected string, got int64 evaluating rule: oldSelf.value() == self',
    ]);
  });

  test("without an old value it is optional.none", () => {
    const schema = { type: "string", "x-kubernetes-validations": optional("!oldSelf.hasValue()") };
    expect(errors(schema, "a")).toEqual([]);
  });
});

test("a message expression that does not compile also drops the field path", () => {
  const rule = { rule: "false", fieldPath: ".a" };
  const schema = (more: object) => ({
    type: "object",
    properties: { a: { type: "string" } },
    "x-kubernetes-validations": [{ ...rule, ...more }],
  });
  expect(errors(schema({}), {})).toEqual(["a: Invalid value: failed rule: false"]);
  expect(errors(schema({ messageExpression: "nope" }), {})).toEqual(["<nil>: Invalid value: failed rule: false"]);
});

test("bad data is an error even for a presence test", () => {
  const map = {
    type: "object",
    additionalProperties: { type: "integer" },
    "x-kubernetes-validations": [{ rule: "'a' in self" }],
  };
  const object = {
    type: "object",
    properties: { a: { type: "integer" } },
    "x-kubernetes-validations": [{ rule: "has(self.a)" }],
  };
  for (const schema of [map, object]) {
    expect(errors(schema, { a: new Float64(1) })[0]).toContain("invalid data, expected int, got float64");
  }
});

test("paths name members, keys and items", () => {
  const leaf = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 1" }] };
  const schema = {
    type: "object",
    properties: { m: { type: "object", additionalProperties: { type: "array", items: leaf } } },
  };
  expect(errors(schema, { m: { "a.b": [2, 1] } })).toEqual(["m[a.b][1]: Invalid value: 1: failed rule: self > 1"]);
});

test("no rule runs after the budget is exhausted", () => {
  const rule = { rule: "self.all(x, self.all(y, x + y >= 0))" };
  const schema = {
    type: "array",
    items: { type: "array", items: { type: "integer" }, "x-kubernetes-validations": [rule] },
  };
  const result = run(schema, fromPlain(Array.from({ length: 14 }, () => Array(350).fill(1))));
  expect(result.kept.map(({ error }) => error.detail)).toEqual([
    "validation failed due to running out of cost budget, no further validation rules will be run",
  ]);
  expect(result.remaining).toBe(-1);
});
