/** Pairs of policies and facts that try to break proofs. `some?` and `none?` may also be unknown. */
import { expect, test } from "vitest";
import { HOSTILE_FACTS } from "./policy/hostile-facts.ts";
import { HOSTILE_ROWS } from "./policy/hostile-rows.ts";
import { factsOf } from "./policy/proof-pair.ts";
import { expectRow, isRight } from "./policy/row-verdict.ts";

test.each(HOSTILE_ROWS.map((row) => [row[0], row[1], row] as const))("%s (%s)", (_name, _resource, row) =>
  expectRow(row),
);

test.each(HOSTILE_FACTS)("%s (%s)", async (_name, resource, side, fact, truth) => {
  const [first] = await factsOf(resource, side);
  const found = first?.[fact].verdict ?? "none";
  expect(isRight(found, truth) ? truth : found).toBe(truth);
});
