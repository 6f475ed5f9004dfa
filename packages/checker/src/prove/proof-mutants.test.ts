/**
 * Tries to refute proofs: the example policies, each with one edit, are compared with the originals. A proof is
 * attacked with other requests, and a witness is replayed. `POLICY_PAIRS=20000` sets the number of pairs.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { attack, Random } from "@portcullis/engine/internal/prove/attack";
import {
  type ComparedSide,
  type CompareOptions,
  comparePolicies,
} from "@portcullis/engine/internal/prove/compare-policies";
import { denialQuestions, type Verdict } from "@portcullis/engine/internal/prove/difference";
import { verdictOf, type Witness } from "@portcullis/engine/internal/prove/witness";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { loadObjects } from "../policy/load.ts";
import { policyCluster } from "../policy/policy-cluster.ts";
import { refusedPolicies } from "../policy/policy-objects.ts";
import { proofInputs } from "./proof-inputs.ts";
import { MUTATION_OPERATORS, mutate, PROOF_ENGINE } from "./proof-mutants.testing.ts";

const PAIRS = Number(process.env["POLICY_PAIRS"] ?? 25);
const ENGINE = PROOF_ENGINE;
const FOLDER = path.join(import.meta.dirname, "../../../../examples/policies");
const FOLDERS = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test("there are more than twenty kinds of edits", () => {
  expect(MUTATION_OPERATORS.length).toBeGreaterThan(20);
});

test("no verdict about an edited policy is contradicted by a request", { timeout: PAIRS * 20_000 }, async () => {
  const random = new Random(2026);
  for (let made = 0; made < PAIRS; ) {
    const folder = random.pick(FOLDERS)?.name ?? "";
    const objects = loadObjects([path.join(FOLDER, folder)]);
    const mutant = mutate(objects, random.pick(MUTATION_OPERATORS) ?? "", random);
    if (mutant !== undefined && (await compareMutant(objects, mutant.objects, `${folder}: ${mutant.operator}`))) made++;
  }
});

/** False if the API server refuses the edited objects. */
async function compareMutant(old: readonly JsonObject[], next: readonly JsonObject[], name: string): Promise<boolean> {
  const { cluster } = policyCluster(next, ENGINE);
  if ((await refusedPolicies(next, cluster)).length > 0) return false;
  const now = (): number => performance.now();
  const { sides, options } = await proofInputs([old, next], [], { engine: ENGINE, seconds: 2, bindsAll: false, now });
  const [before, after] = sides;
  if (before === undefined || after === undefined) throw new Error("there are two sides");
  const { newlyDenied, newlyAllowed } = comparePolicies(before, after, options);
  expect(contradictionOf(newlyDenied, after, before, options), `${name}, newly denied`).toBeUndefined();
  expect(contradictionOf(newlyAllowed, before, after, options), `${name}, newly allowed`).toBeUndefined();
  return true;
}

function contradictionOf(
  verdict: Verdict<Witness>,
  denying: ComparedSide,
  other: ComparedSide,
  options: CompareOptions,
): unknown {
  const differs = (witness: Witness): boolean =>
    !verdictOf(denying.policies, denying.context, witness).allowed &&
    verdictOf(other.policies, other.context, witness).allowed;
  if (verdict.verdict === "some") return differs(verdict.witness) ? undefined : verdict.witness.attributes;
  if (verdict.verdict === "unknown") return undefined;
  const all = denialQuestions(
    { ...denying, environment: "denying" },
    { ...other, environment: "other" },
    options.kinds,
  );
  return attack(all, differs, options.replay, 60)?.attributes;
}
