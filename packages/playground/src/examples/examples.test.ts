import { describe, expect, test } from "vitest";
import { MODES } from "../modes.ts";
import * as policies from "../review/policies.ts";
import { Reviewer } from "../review/review.ts";
import * as upgrades from "../review/upgrades.ts";
import { askCommandLine } from "./command-line.testing.ts";
import { loadExamples } from "./examples.testing.ts";

const parts = { policies: () => Promise.resolve(policies), upgrades: () => Promise.resolve(upgrades) };
const reviewer = new Reviewer(() => new Date().toISOString().slice(0, 10), parts);
const examples = loadExamples();

test("there are examples of every mode, each with a name of its own", () => {
  expect(examples.length).toBeGreaterThanOrEqual(40);
  expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  for (const mode of MODES) expect(examples.filter(({ state }) => state.mode === mode).length).toBeGreaterThan(3);
});

describe("the page says what the command line says", () => {
  test.each(examples)("$name", async ({ state }) => {
    const [outcome, answer] = [await reviewer.review(state), await askCommandLine(state)];
    if (process.env["SHOW"]) {
      console.log(
        outcome.verdict.tone,
        "|",
        outcome.verdict.headline,
        "\n",
        outcome.verdict.transcripts.map((t) => `$ ${t.command}\n${t.output}`).join("\n"),
        "\n",
        outcome.problems
          .map(
            (p) =>
              `${p.severity} ${p.field} ${state.texts[p.field]?.slice(0, p.from).split("\n").length} [${state.texts[p.field]?.slice(p.from, p.to).slice(0, 50)}] ${p.message} (${p.hint}) -> ${p.schema && state.texts[p.schema.field]?.slice(p.schema.from, p.schema.to)}`,
          )
          .join("\n "),
        "\n",
        outcome.diagnostics
          .map((d) => `  D ${d.field} <${state.texts[d.field]?.slice(d.from, d.to)}> ${d.message}`)
          .join("\n"),
      );
    }
    expect(outcome.verdict.tone === "accepted" || outcome.verdict.tone === "warned").toBe(answer.isAccepted);
    if (answer.findings !== undefined) {
      const words = outcome.problems.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`);
      expect(words.sort()).toEqual(answer.findings);
    } else {
      expect(outcome.verdict.transcripts.map(({ output }) => output).join("\n")).toBe(answer.output);
    }
  });
});
