/** Pairs of policies and facts about what policies often compute: sums, digits, quantities, unique keys. */
import { expect, test } from "vitest";
import { ATTACK_CRDS } from "./policy/attack-objects.ts";
import { EXAMINED_FACTS } from "./policy/examined-facts.ts";
import { MORE_EXAMINED_ROWS } from "./policy/examined-more-rows.ts";
import { EXAMINED_ROWS } from "./policy/examined-rows.ts";
import { factsAmong, givenObjects } from "./policy/proof-pair.ts";
import { expectRow, isRight } from "./policy/row-verdict.ts";

const OBJECTS = [...givenObjects, ...ATTACK_CRDS];
const ROWS = [...EXAMINED_ROWS, ...MORE_EXAMINED_ROWS];

test.each(ROWS.map((row) => [row[0], row[1], row] as const))("%s (%s)", (_name, _resource, row) =>
  expectRow(row, OBJECTS),
);

test.each(EXAMINED_FACTS)("%s (%s)", async (_name, resource, side, fact, truth) => {
  const [first] = await factsAmong(OBJECTS, resource, side);
  const found = first?.[fact].verdict ?? "none";
  expect(isRight(found, truth) ? truth : found).toBe(truth);
});
