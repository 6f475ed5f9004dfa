import { expect, test } from "vitest";
import { loadExamples } from "../examples/examples.testing.ts";
import { EMPTY_STATE, type State } from "../state.ts";
import type { Outcome, ProofRow } from "./outcome.ts";
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
const states = new Map(
  loadExamples()
    .filter(({ state }) => state.mode === "proof")
    .map(({ name, state }) => [name, state]),
);
const stateOf = (name: string): State => states.get(name) ?? EMPTY_STATE;

async function toneOf(state: State, { witness }: ProofRow): Promise<string | undefined> {
  if (witness === undefined) return undefined;
  const { mode, fieldValidation, texts } = witness;
  const { outcome } = await reviewer.review({ ...state, mode, fieldValidation, texts: { ...state.texts, ...texts } });
  return outcome.verdict.headline === "Not readable"
    ? outcome.problems.map(({ message }) => message).join()
    : outcome.verdict.headline;
}

test("each request that is found decides as its direction says", async () => {
  for (const [name, state] of states) {
    const { proof } = (await reviewer.review(state)).outcome;
    for (const row of proof?.directions ?? []) {
      if (row.witness === undefined) continue;
      expect(await toneOf(state, row), name).toBe(row.title === "Newly denied" ? "Denied" : "Allowed");
    }
    expect(proof?.facts.every(({ rows }) => rows.length === 4)).toBe(true);
  }
});

test("the directions are shown before the facts, and a review can be cancelled", async () => {
  const state = stateOf("policy-change-limit");
  const partial: Outcome[] = [];
  const whole = await reviewer.review(state, (soFar) => partial.push(soFar()) > 0);
  expect(partial.map(({ proof }) => proof?.directions.length)).toEqual([1, 2]);
  expect(partial.at(-1)?.proof?.facts).toEqual([]);
  expect(whole?.outcome.proof?.facts.length).toBe(2);
  expect(await reviewer.review(state, () => false)).toBeUndefined();
});

test("without old policies only facts are shown", async () => {
  const state = stateOf("policy-change-limit");
  const { proof, verdict } = (await reviewer.review({ ...state, texts: { policy: state.texts.policy ?? "" } })).outcome;
  expect(verdict.headline).toBe("Nothing to compare");
  expect(proof?.directions).toEqual([]);
  expect(proof?.facts[1]?.rows[0]).toMatchObject({ title: "never denies", answer: "yes" });
});

test("a policy that the API server refuses is reported", async () => {
  const state = stateOf("policy-change-limit");
  const policy = (state.texts.policy ?? "").replace("object.spec.replicas <= 10", "object.spec.replicas <=");
  const { verdict } = (await reviewer.review({ ...state, texts: { ...state.texts, policy } })).outcome;
  expect(verdict).toMatchObject({ tone: "refused", headline: "Refused" });
});
