import { expect, test } from "vitest";
import { jsonObject } from "../crd/definition.testing.ts";
import { parseSchema } from "../schema/parse.ts";
import { describeKeys } from "./key-constraints.ts";

test.each([
  { keys: { maxLength: 63 }, says: "Keys must have at most 63 characters." },
  { keys: { minLength: 1, pattern: "^a" }, says: "Keys must have at least 1 character and match the pattern ^a." },
  { keys: { format: "k8s-label-key" }, says: "Keys must have the format k8s-label-key." },
  { keys: { enum: ["a", "b", "c"] }, says: 'Keys must be one of "a", "b" or "c".' },
  { keys: { description: "the zone" }, says: "Keys: the zone" },
  {
    keys: { not: { enum: ["x"] }, anyOf: [{ pattern: "^a" }, { maxLength: 2 }] },
    says: 'Keys must satisfy at least one of: match the pattern ^a; have at most 2 characters and not be one of "x".',
  },
  {
    keys: { "x-kubernetes-validations": [{ rule: "self != ''" }, { rule: "self != 'a'", message: "not a" }] },
    says: "Keys must satisfy the rule self != '' and satisfy the rule \"not a\".",
  },
  { keys: {}, says: "" },
])("the keys of a map are described: $says", ({ keys, says }) => {
  const schema = parseSchema(jsonObject({ type: "string", ...keys }));
  expect(describeKeys("", schema)).toBe(says);
  expect(describeKeys("Limits by zone.", schema)).toBe(says === "" ? "Limits by zone." : `Limits by zone.\n\n${says}`);
});
