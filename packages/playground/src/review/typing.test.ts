import fc from "fast-check";
import { expect, test } from "vitest";
import { Completer } from "../complete/complete.ts";
import { loadExamples } from "../examples/examples.testing.ts";
import { MODE_INFO } from "../modes.ts";
import type { State } from "../state.ts";
import * as policies from "./policies.ts";
import * as proofs from "./proofs.ts";
import { Reviewer } from "./review.ts";
import * as upgrades from "./upgrades.ts";

const reviewer = new Reviewer(() => "2026-01-01", {
  policies: () => Promise.resolve(policies),
  proofs: () => Promise.resolve(proofs),
  upgrades: () => Promise.resolve(upgrades),
});
const completer = new Completer();
const examples = loadExamples();

const BITS = [
  "{",
  "]",
  ":",
  "- ",
  "\n  ",
  "'",
  '"',
  "null",
  "1e999",
  "\t",
  "é🛡",
  "&a",
  "*a",
  "|\n",
  "---\n",
  "#",
  "self.",
];

/** One text of an example, with parts removed and inserted. */
const typed = fc
  .tuple(
    fc.constantFrom(...examples),
    fc.nat(),
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom("", ...BITS)), { minLength: 1, maxLength: 4 }),
  )
  .map(([{ state }, pick, edits]) => {
    const { fields } = MODE_INFO[state.mode];
    const field = fields[pick % fields.length] ?? "object";
    let text = state.texts[field] ?? "";
    let cursor = 0;
    for (const [at, removed, added] of edits) {
      const start = at % (text.length + 1);
      text = text.slice(0, start) + added + text.slice(start + removed);
      cursor = start + added.length;
    }
    return { state: { ...state, texts: { ...state.texts, [field]: text } } satisfies State, field, cursor };
  });

test("every intermediate text has a verdict with valid places, and completion never fails", async () => {
  await fc.assert(
    fc.asyncProperty(typed, async ({ state, field, cursor }) => {
      const { outcome, schemaPlaces } = await reviewer.review(state);
      expect(outcome.verdict.headline).not.toBe("");
      const places = [...outcome.diagnostics, ...schemaPlaces().flatMap((place) => place ?? [])];
      for (const { field: of, from, to } of places) {
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual((state.texts[of] ?? "").length);
      }
      await reviewer.details(state, () => true);
      completer.complete({ state, field, offset: cursor });
    }),
    { numRuns: 100, seed: 20 },
  );
});
