/** More pairs of policies, some of them replayed on kube-apiserver. `some?` and `none?` may also be unknown. */
import { expect, test } from "vitest";
import { comparePair } from "./policy/proof-pair.ts";
import { SERVER_ROWS } from "./policy/proof-rows.ts";

const CASES = SERVER_ROWS.map(([name, resource, old, next, denied, allowed]) => ({
  name,
  resource,
  old,
  next,
  want: { denied, allowed },
}));

/** `some?` is settled, but a proof or an example need not be found. */
function isRight(found: string, wanted: string): boolean {
  return wanted.endsWith("?") ? found === "unknown" || `${found}?` === wanted : found === wanted;
}

test.each(CASES)("$name ($resource)", async ({ resource, old, next, want }) => {
  const { newlyDenied, newlyAllowed } = await comparePair(resource, old, next);
  const found = { denied: newlyDenied.verdict, allowed: newlyAllowed.verdict };
  expect(isRight(found.denied, want.denied) && isRight(found.allowed, want.allowed) ? want : found).toEqual(want);
});
