/** Pairs of policies and facts about policies, with their truth: no verdict may be wrong, few may be unknown. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { proofInputs } from "@portcullis/checker/internal/prove/proof-inputs";
import { comparePolicies } from "@portcullis/engine/internal/prove/compare-policies";
import { type Fact, oppositeOf, type ValidationFacts, validationFacts } from "@portcullis/engine/internal/prove/facts";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { expect, test } from "vitest";
import { processorMillis } from "./policy/processor-time.ts";
import { RECORDED_VERSION } from "./recorded-version.ts";
import { committedScoreboard, score } from "./scoreboard.ts";

interface Side {
  readonly policy: object;
  readonly binding: object;
}

interface PairCase {
  readonly id: string;
  readonly category: string;
  readonly old: Side;
  readonly new: Side;
  readonly truth: { readonly newDenies: string; readonly newAllows: string };
  readonly objects: readonly string[];
}

interface FactCase extends Side {
  readonly id: string;
  readonly validationIndex: number;
  readonly fact: string;
  readonly truth: boolean;
  readonly objects: readonly string[];
}

const folder = path.join(import.meta.dirname, "../corpora/policy-proofs");
const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");
const lines = <T>(name: string): T[] =>
  read(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): T => JSON.parse(line));

const shared: Record<string, object> = JSON.parse(read("objects.json"));
const engine = engineOptions(RECORDED_VERSION, undefined);

const toObject = (plain: object): JsonObject => {
  const made = fromPlain(plain);
  if (!isObject(made)) throw new Error("a case holds objects");
  return made;
};

function inputsOf(sides: readonly Side[], objects: readonly string[]) {
  const own = sides.map(({ policy, binding }) => [toObject(policy), toObject(binding)]);
  const others = objects.map((name) => toObject(shared[name] ?? {}));
  return proofInputs(own, others, { engine, seconds: 20, bindsAll: false, now: processorMillis });
}

const verdicts = new Map<string, { passed: string[]; failed: string[] }>();

function count(topic: string, id: string, isDecided: boolean): void {
  const scores = verdicts.get(topic) ?? { passed: [], failed: [] };
  verdicts.set(topic, scores);
  scores[isDecided ? "passed" : "failed"].push(id);
}

test.each(lines<PairCase>("pairs.jsonl"))("$id", async ({ id, category, truth, objects, ...sides }) => {
  const { sides: compared, options } = await inputsOf([sides.old, sides.new], objects);
  const [old, next] = compared;
  if (old === undefined || next === undefined) throw new Error("a pair has two sides");
  const { newlyDenied, newlyAllowed } = comparePolicies(old, next, options);
  expect(["unknown", truth.newDenies]).toContain(newlyDenied.verdict);
  expect(["unknown", truth.newAllows]).toContain(newlyAllowed.verdict);
  count(category, `${id} newlyDenied`, newlyDenied.verdict !== "unknown");
  count(category, `${id} newlyAllowed`, newlyAllowed.verdict !== "unknown");
});

const FACTS: Readonly<Record<string, (facts: ValidationFacts) => Fact>> = {
  "never-denies": ({ neverDenies }) => neverDenies,
  "always-denies": ({ alwaysDenies }) => alwaysDenies,
  "may-fail-at-runtime": ({ mayFailAtRuntime }) => mayFailAtRuntime,
  "never-fails-at-runtime": ({ mayFailAtRuntime }) => oppositeOf(mayFailAtRuntime),
  "implied-by-another": ({ impliedBy }) => impliedBy,
};

test.each(lines<FactCase>("facts.jsonl"))("$id", async ({ id, validationIndex, fact, truth, objects, ...side }) => {
  const { sides, options } = await inputsOf([side], objects);
  const [only] = sides;
  const facts = only && validationFacts(only, options)[validationIndex];
  const found = facts && FACTS[fact]?.(facts);
  expect(["unknown", String(truth)]).toContain(found?.verdict);
  count(`fact ${fact}`, id, found?.verdict !== "unknown");
});

test("the scoreboard is as committed", () => {
  const current = score("v1.36.4", verdicts);
  expect(committedScoreboard("policy-proofs", current)).toEqual(current);
});
