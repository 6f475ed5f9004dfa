/** Every part of `x-kubernetes-property-names` is compared: keywords, formats, combinators and rules. */
import { expect, test } from "vitest";
import { decodeDefinition } from "../crd/decode.ts";
import { compareDefinitions } from "./questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "./upgrade.testing.ts";

const rules = (...texts: string[]): PlainSchema => ({
  maxLength: 9,
  "x-kubernetes-validations": texts.map((rule) => ({ rule })),
});

function withKeys(keys: PlainSchema | undefined): PlainSchema {
  const names = keys === undefined ? {} : { "x-kubernetes-property-names": { type: "string", ...keys } };
  const map = { type: "object", maxProperties: 5, additionalProperties: { type: "string" }, ...names };
  return { type: "object", properties: { spec: map } };
}

/** `verdict: message` of the finding about keys. */
function compare(old: PlainSchema | undefined, next: PlainSchema | undefined): string {
  const [before, after] = [old, next].map((keys) => decodeDefinition(crdOf(withKeys(keys))).value);
  if (before === undefined || after === undefined) return "";
  const found = compareDefinitions(before, after, ENGINE).findings.find(({ code }) => code.endsWith("/property-names"));
  return found === undefined ? "no finding" : `${found.verdict}: ${found.message}`;
}

const NAMES = "`x-kubernetes-property-names`";

test.each([
  { name: "a key schema is added", old: undefined, new: { maxLength: 5 }, is: `unsafe: ${NAMES} was added` },
  { name: "a key schema is removed", old: { maxLength: 5 }, new: undefined, is: `safe: ${NAMES} was removed` },
  { name: "a shorter limit", old: { maxLength: 5 }, new: { maxLength: 3 }, is: "unsafe: `maxLength`" },
  { name: "a longer limit", old: { maxLength: 3 }, new: { maxLength: 5 }, is: "safe: `maxLength`" },
  { name: "a minimum", old: {}, new: { minLength: 3 }, is: "unsafe: `minLength`" },
  { name: "a pattern", old: {}, new: { pattern: "^a" }, is: "unsafe: `pattern`" },
  { name: "a wider pattern", old: { pattern: "^ab" }, new: { pattern: "^a" }, is: "safe: `pattern`" },
  { name: "a format", old: {}, new: { format: "uuid" }, is: "unsafe: `format`" },
  { name: "no format any more", old: { format: "uuid" }, new: {}, is: "safe: `format`" },
  { name: "a narrower format", old: { format: "uuid" }, new: { format: "uuid4" }, is: "unsafe: `format`" },
  { name: "a wider format", old: { format: "uuid4" }, new: { format: "uuid" }, is: "safe: `format`" },
  { name: "label keys only", old: {}, new: { format: "k8s-label-key" }, is: "unsafe: `format`" },
  {
    name: "label values instead of short names",
    old: { format: "k8s-short-name" },
    new: { format: "k8s-label-value" },
    is: "safe: `format`",
  },
  { name: "another format", old: { format: "ipv4" }, new: { format: "cidr" }, is: "unsafe: `format`" },
  { name: "fewer values", old: { enum: ["a", "b"] }, new: { enum: ["a"] }, is: "unsafe: `enum`" },
  { name: "more values", old: { enum: ["a"] }, new: { enum: ["a", "b"] }, is: "safe: `enum`" },
  { name: "a rule", old: rules(), new: rules("self.startsWith('a')"), is: "unsafe: `x-kubernetes-validations`" },
  { name: "no rule any more", old: rules("self != 'a'"), new: rules(), is: "safe: `x-kubernetes-validations`" },
  {
    name: "a stricter rule",
    old: rules("self.startsWith('a')"),
    new: rules("self.startsWith('ab')"),
    is: "unsafe: `x-kubernetes-validations`",
  },
  {
    name: "a weaker rule",
    old: rules("self.startsWith('ab')"),
    new: rules("self.startsWith('a')"),
    is: "safe: `x-kubernetes-validations`",
  },
  { name: "an exclusion", old: {}, new: { not: { enum: ["x"] } }, is: "unsafe: `not`" },
  { name: "all of several", old: {}, new: { allOf: [{ pattern: "^a" }] }, is: "unsafe: `allOf`" },
  {
    name: "one more alternative",
    old: { anyOf: [{ pattern: "^a" }] },
    new: { anyOf: [{ pattern: "^a" }, { pattern: "^b" }] },
    is: "safe: `anyOf`",
  },
  { name: "one of several", old: {}, new: { oneOf: [{ pattern: "^a" }, { maxLength: 3 }] }, is: "unsafe: `oneOf`" },
  { name: "documentation", old: { description: "a" }, new: { description: "b" }, is: "no finding" },
])("keys: $name", ({ old, new: next, is }) => {
  expect(compare(old, next).replace(`${NAMES} changed: `, "")).toBe(is);
});
