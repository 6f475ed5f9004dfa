import { expect, test } from "vitest";
import { schemaDeclType } from "../kubecel/decl-type.ts";
import { parseSchema } from "../schema/parse.ts";
import { type CompiledRule, compileRules } from "./compile.ts";
import { declTypeKey, RuleCache } from "./rule-cache.ts";

const RULE = "self.size() < 3";

function compile(
  cache: RuleCache<CompiledRule>,
  json: object,
  options: { rule?: object; version?: "1.30" | "1.36"; stored?: boolean } = {},
) {
  const schema = parseSchema({ ...json, "x-kubernetes-validations": [{ rule: RULE, ...options.rule }] });
  const declared = schemaDeclType(schema, { resourceRoot: false });
  if (declared === undefined) throw new Error("no declared type");
  const isStored = (): boolean => options.stored === true;
  const [compiled] = compileRules(schema, schema.validations, declared, {
    version: options.version ?? "1.36",
    isStored,
    ruleCache: cache,
  });
  return compiled;
}

const BASE = { type: "string", maxLength: 5 };

test.each([
  { name: "the same again", json: BASE, options: {}, isSame: true },
  { name: "another message", json: BASE, options: { rule: { message: "no" } }, isSame: true },
  { name: "another pattern, which no rule can see", json: { ...BASE, pattern: "a" }, options: {}, isSame: true },
  { name: "another bound, which changes the cost", json: { ...BASE, maxLength: 6 }, options: {}, isSame: false },
  { name: "another type", json: { type: "array", items: { type: "string" } }, options: {}, isSame: false },
  { name: "another rule", json: BASE, options: { rule: { rule: "self.size() < 4" } }, isSame: false },
  { name: "another version", json: BASE, options: { version: "1.30" as const }, isSame: false },
  { name: "as stored", json: BASE, options: { stored: true }, isSame: false },
  { name: "with an optional oldSelf", json: BASE, options: { rule: { optionalOldSelf: true } }, isSame: false },
  { name: "with a message expression", json: BASE, options: { rule: { messageExpression: "self" } }, isSame: false },
])("a rule is cached by everything it depends on: $name", ({ json, options, isSame }) => {
  const cache = new RuleCache<CompiledRule>();
  const first = compile(cache, BASE);
  const second = compile(cache, json, options);
  expect(first?.program).toBeDefined();
  expect(second?.program === first?.program).toBe(isSame);
});

test("a cached rule is reported with its current text", () => {
  const cache = new RuleCache<CompiledRule>();
  compile(cache, BASE, { rule: { message: "old" } });
  expect(compile(cache, BASE, { rule: { message: "new" } })?.rule.message).toBe("new");
});

test("types differ by their fields, their elements and their sizes", () => {
  const keyOf = (json: Parameters<typeof parseSchema>[0]): string => {
    const declared = schemaDeclType(parseSchema(json), { resourceRoot: false });
    return declared === undefined ? "" : declTypeKey(declared);
  };
  const keys = [
    { type: "object", properties: { a: { type: "string" } } },
    { type: "object", properties: { b: { type: "string" } } },
    { type: "object", properties: { a: { type: "integer" } } },
    { type: "object", additionalProperties: { type: "string" } },
    { type: "array", items: { type: "string" } },
    { type: "array", items: { type: "string", maxLength: 3 } },
    { type: "array", maxItems: 3, items: { type: "string" } },
  ].map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
});
