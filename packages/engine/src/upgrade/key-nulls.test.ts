/** A null value is dropped from a map together with its key, so the key is only checked once the null is kept. */
import { expect, test } from "vitest";
import { decodeDefinition } from "../crd/decode.ts";
import { compareDefinitions } from "./questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "./upgrade.testing.ts";

function verdicts(values: PlainSchema, next: PlainSchema, names: PlainSchema): string[] {
  const crd = (inner: PlainSchema) =>
    decodeDefinition(
      crdOf({
        type: "object",
        properties: {
          m: {
            type: "object",
            additionalProperties: inner,
            "x-kubernetes-property-names": { type: "string", ...names },
          },
        },
      }),
    ).value;
  const { findings } = compareDefinitions(crd(values), crd(next), { ...ENGINE, writersOnly: true });
  return findings
    .filter(({ change }) => change?.keyword === "x-kubernetes-property-names")
    .map(({ verdict, path }) => `${verdict} ${path}`);
}

const text = { type: "string" };

// biome-ignore format: a table
test.each([
  { name: "a default replaces the null", old: text, next: { ...text, default: "x" }, names: { pattern: "^a" }, want: ["unsafe .m"] },
  { name: "the null is allowed", old: text, next: { ...text, nullable: true }, names: { maxLength: 3 }, want: ["unsafe .m"] },
  { name: "every key is allowed", old: text, next: { ...text, nullable: true }, names: { pattern: "" }, want: ["safe .m"] },
  { name: "the null was allowed", old: { ...text, nullable: true }, next: text, names: { pattern: "^a" }, want: [] },
  { name: "the null was replaced", old: { ...text, default: "x" }, next: { ...text, nullable: true }, names: { pattern: "^a" }, want: [] },
])("$name", ({ old, next, names, want }) => {
  expect(verdicts(old, next, names)).toEqual(want);
});
