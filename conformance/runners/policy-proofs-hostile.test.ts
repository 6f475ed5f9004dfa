/** Pairs of policies and facts that try to break proofs. `some?` and `none?` may also be unknown. */
import { expect, test } from "vitest";
import { HOSTILE_FACTS } from "./policy/hostile-facts.ts";
import { HOSTILE_ROWS } from "./policy/hostile-rows.ts";
import { comparePair, factsOf } from "./policy/proof-pair.ts";

const CASES = HOSTILE_ROWS.map(([name, resource, old, next, denied, allowed]) => ({
  name,
  resource,
  old,
  next,
  want: { denied, allowed },
}));

function isRight(found: string, wanted: string): boolean {
  return wanted.endsWith("?") ? found === "unknown" || `${found}?` === wanted : found === wanted;
}

test.each(CASES)("$name ($resource)", async ({ resource, old, next, want }) => {
  const { newlyDenied, newlyAllowed } = await comparePair(resource, old, next);
  const found = { denied: newlyDenied.verdict, allowed: newlyAllowed.verdict };
  expect(isRight(found.denied, want.denied) && isRight(found.allowed, want.allowed) ? want : found).toEqual(want);
});

test.each(HOSTILE_FACTS)("%s (%s)", async (_name, resource, side, fact, truth) => {
  const [first] = await factsOf(resource, side);
  const found = first?.[fact].verdict ?? "none";
  expect(isRight(found, truth) ? truth : found).toBe(truth);
});
