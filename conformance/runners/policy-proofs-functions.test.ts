/** Conditions on a request that are rare and exclude one another: a proof that one of them never holds is wrong. */
import { expect, test } from "vitest";
import { ATTACK_CRDS } from "./policy/attack-objects.ts";
import { compareAmong, rule, type Side } from "./policy/proof-pair.ts";
import { RARE_CONDITIONS } from "./policy/rare-conditions.ts";

const denying = (condition: string): Side => ({
  fp: "Ignore",
  rules: [rule("numbers", ["CREATE"])],
  e: `!(${condition})`,
});

/** Each with its neighbour, which most often calls the same function with another constant. */
const PAIRS = RARE_CONDITIONS.map((each, at) => [each, RARE_CONDITIONS.at(at - 1) ?? ""] as const);

test.each(PAIRS)("%s holds for some request, without %s", async (condition, other) => {
  const { newlyDenied, newlyAllowed } = await compareAmong(ATTACK_CRDS, "numbers", denying(condition), denying(other));
  expect([newlyDenied.verdict, newlyAllowed.verdict]).not.toContain("none");
});
