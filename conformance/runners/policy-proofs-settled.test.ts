/** Pairs and facts about features that policies use: matching, requests, values and kinds. */
import { expect, test } from "vitest";
import { factsAmong, givenObjects, maximum } from "./policy/proof-pair.ts";
import { expectRow, isRight } from "./policy/row-verdict.ts";
import { SETTLED_FACTS } from "./policy/settled-facts.ts";
import { KIND_ROWS } from "./policy/settled-kind-rows.ts";
import { MATCHING_ROWS } from "./policy/settled-matching-rows.ts";
import { REQUEST_ROWS } from "./policy/settled-request-rows.ts";
import { VALUE_ROWS } from "./policy/settled-value-rows.ts";

const PARAMS = [maximum("lim5", "5", { lim: "yes" }), maximum("lim3", "3", { lim: "yes" })];
const ROWS = [...MATCHING_ROWS, ...REQUEST_ROWS, ...VALUE_ROWS, ...KIND_ROWS];

test.each(ROWS.map((row) => [row[0], row[1], row] as const))("%s (%s)", (_name, _resource, row) =>
  expectRow(row, [...givenObjects, ...PARAMS]),
);

test.each(SETTLED_FACTS)("%s (%s)", async (_name, resource, side, fact, truth) => {
  const [first] = await factsAmong(givenObjects, resource, side);
  const found = first?.[fact].verdict ?? "none";
  expect(isRight(found, truth) ? truth : found).toBe(truth);
});
