import { expect, test } from "vitest";
import { newSchema } from "../../schema/structural.ts";
import { canonicalJson } from "../../value/text.ts";
import { leastBytes } from "./least-bytes.ts";
import { LocalCheck } from "./local-check.ts";
import { Sampler } from "./sample.ts";

const text = newSchema({ type: "string", minLength: 3 });
const named = newSchema({ type: "object", required: ["name"], properties: new Map([["name", text]]) });

// biome-ignore format: a table
const ROWS = [
  { name: "anything", schema: newSchema({}), bytes: 1 },
  { name: "an integer or a string", schema: newSchema({ intOrString: true }), bytes: 1 },
  { name: "a string of three characters", schema: text, bytes: 5 },
  { name: "a string that may be a list because of its format", schema: newSchema({ ...text, format: "ipv4" }), bytes: 2 },
  { name: "a string that may be null", schema: newSchema({ ...text, nullable: true }), bytes: 4 },
  { name: "a boolean", schema: newSchema({ type: "boolean" }), bytes: 4 },
  { name: "a list of two strings", schema: newSchema({ type: "array", minItems: 2, items: text }), bytes: 13 },
  { name: "an object with a required field", schema: named, bytes: 14 },
  { name: "a required field that a default fills in", schema: newSchema({ ...named, properties: new Map([["name", newSchema({ ...text, default: "abc" })]]) }), bytes: 2 },
] as const;

test.each(ROWS)("$name takes at least $bytes bytes", ({ schema, bytes }) => {
  expect(leastBytes(schema)).toBe(bytes);
});

test.each(ROWS)("no sample of $name is smaller", ({ schema }) => {
  const samples = new Sampler(new LocalCheck(36)).samples(schema, 12);
  expect(samples.length).toBeGreaterThan(0);
  for (const value of samples) expect(canonicalJson(value).length).toBeGreaterThanOrEqual(leastBytes(schema));
});
