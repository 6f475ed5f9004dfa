import { verdictCases } from "@portcullis/checker/internal/check/verdicts.testing";
import { expect, test } from "vitest";
import { EMPTY_STATE } from "../state.ts";
import * as policies from "./policies.ts";
import * as proofs from "./proofs.ts";
import { Reviewer } from "./review.ts";
import * as upgrades from "./upgrades.ts";

const parts = {
  policies: () => Promise.resolve(policies),
  proofs: () => Promise.resolve(proofs),
  upgrades: () => Promise.resolve(upgrades),
};
const reviewer = new Reviewer(() => "2026-01-01", parts);

test.each(verdictCases)("$name", async ({ manifest, errors, warnings }) => {
  const { outcome } = await reviewer.review({ ...EMPTY_STATE, texts: { object: manifest } });
  const [transcript] = outcome.verdict.transcripts;
  expect(transcript?.isRefusal).toBe(errors.length > 0);
  for (const text of [...errors, ...warnings]) expect(transcript?.output).toContain(text);
  expect(outcome.problems).toHaveLength(errors.length + warnings.length);
});
