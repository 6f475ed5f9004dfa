import { describe, expect, test } from "vitest";
import { MODES } from "../modes.ts";
import * as policies from "../review/policies.ts";
import * as proofs from "../review/proofs.ts";
import { Reviewer } from "../review/review.ts";
import * as upgrades from "../review/upgrades.ts";
import { askCommandLine } from "./command-line.testing.ts";
import { loadExamples } from "./examples.testing.ts";

const parts = {
  policies: () => Promise.resolve(policies),
  proofs: () => Promise.resolve(proofs),
  upgrades: () => Promise.resolve(upgrades),
};
const reviewer = new Reviewer(() => new Date().toISOString().slice(0, 10), parts);
const examples = loadExamples();

test("there are examples of every mode, each with a unique name", () => {
  expect(examples.length).toBeGreaterThanOrEqual(40);
  expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  for (const mode of MODES) expect(examples.filter(({ state }) => state.mode === mode).length).toBeGreaterThan(3);
});

describe("the page shows what the command line prints", () => {
  test.each(examples)("$name", async ({ state }) => {
    const [{ outcome }, answer] = [await reviewer.review(state), await askCommandLine(state)];
    expect(outcome.verdict.tone === "accepted" || outcome.verdict.tone === "warned").toBe(answer.isAccepted);
    if (answer.findings !== undefined) {
      const findings = outcome.problems.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`);
      expect(findings.sort()).toEqual(answer.findings);
    } else {
      expect(outcome.verdict.transcripts.map(({ output }) => output).join("\n")).toBe(answer.output);
    }
  });
});
