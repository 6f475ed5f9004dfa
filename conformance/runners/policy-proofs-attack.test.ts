/** Pairs of policies and facts that attack proofs: versions, params, mutations, indexes, patterns, libraries. */
import { expect, test } from "vitest";
import { ATTACK_FACTS } from "./policy/attack-facts.ts";
import { ATTACK_CRDS, ATTACK_PARAMS } from "./policy/attack-objects.ts";
import { GIVEN_ROWS, OPEN_ROWS } from "./policy/attack-rows.ts";
import { factsAmong, givenObjects } from "./policy/proof-pair.ts";
import { expectRow, isRight } from "./policy/row-verdict.ts";

test.each(OPEN_ROWS.map((row) => [row[0], row[1], row] as const))("%s (%s)", (_name, _resource, row) =>
  expectRow(row, ATTACK_CRDS),
);

test.each(GIVEN_ROWS.map((row) => [row[0], row[1], row] as const))("%s (%s)", (_name, _resource, row) =>
  expectRow(row, [...givenObjects, ...ATTACK_CRDS, ...ATTACK_PARAMS]),
);

test.each(ATTACK_FACTS)("%s (%s)", async (_name, resource, side, fact, truth) => {
  const [first] = await factsAmong(ATTACK_CRDS, resource, side);
  const found = first?.[fact].verdict ?? "none";
  expect(isRight(found, truth) ? truth : found).toBe(truth);
});
