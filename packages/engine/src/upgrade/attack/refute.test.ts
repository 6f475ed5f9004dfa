/** Which change a refused object is attributed to. */
import { expect, test } from "vitest";
import { compareDefinitions } from "../questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "../upgrade.testing.ts";

function verdictsOf(old: PlainSchema, next: PlainSchema): string[] {
  const root = (spec: PlainSchema): PlainSchema => ({ type: "object", properties: { spec } });
  const { findings } = compareDefinitions(crdOf(root(old)), crdOf(root(next)), { ...ENGINE, writersOnly: true });
  return findings
    .filter(({ change }) => change !== undefined)
    .map(
      ({ change, verdict, path }) => `${path} ${change?.keyword} ${verdict}${change?.isContradicted ? " refuted" : ""}`,
    );
}

const object = (members: PlainSchema, own: PlainSchema = {}): PlainSchema => ({
  type: "object",
  properties: members,
  ...own,
});

test.each(["not", "oneOf", "anyOf", "allOf"])(
  "an error of `%s` in a field does not refute a proof about its parent",
  (keyword) => {
    const branch = (schema: PlainSchema): PlainSchema => ({ [keyword]: keyword === "not" ? schema : [schema] });
    const harmless = branch(keyword === "not" ? { required: ["q"] } : { maxProperties: 9 });
    const breaking = branch(keyword === "not" ? { pattern: "^a" } : { pattern: "^b" });
    const text: PlainSchema = { type: "string", maxLength: 3 };
    const found = verdictsOf(
      object({ o: object({ a: text, c: { type: "integer" } }) }),
      object({ o: object({ a: { ...text, ...breaking }, c: { type: "integer" } }, harmless) }),
    );
    expect(found.filter((each) => each.includes("refuted"))).toEqual([]);
    expect(found).toContain(`.spec.o.a ${keyword} unsafe`);
    expect(found).not.toContain(`.spec.o ${keyword} unsafe`);
  },
);
