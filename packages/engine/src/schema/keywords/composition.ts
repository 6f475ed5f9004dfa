/**
 * The combinators `anyOf`, `oneOf`, `allOf` and `not`, in the order upstream runs them.
 *
 * Where no branch of `anyOf` or `oneOf` is valid, the findings of the branch with the most matches are shown, the
 * earliest of equals. Nothing inside a combinator is compared with an old value.
 */

import { countWork } from "@portcullis/gostd/work";
import { append } from "../../value/append.ts";
import type { JsonValue } from "../../value/json.ts";
import type { Finding, Place } from "../finding.ts";
import { mustNotValidate, noBranchValid, notAllValid, notExactlyOne } from "../messages.ts";

export interface Combinators<Node> {
  readonly anyOf: readonly Node[];
  readonly oneOf: readonly Node[];
  readonly allOf: readonly Node[];
  readonly not: Node | undefined;
}

/** Validates one branch: adds what it finds and returns the matches. */
export type Branch<Node> = (node: Node, value: JsonValue, place: Place | undefined, found: Finding[]) => number;

const WORK_OF_BRANCH = 8;

export function checkCombinators<Node>(
  combinators: Combinators<Node>,
  value: JsonValue,
  place: Place | undefined,
  found: Finding[],
  branch: Branch<Node>,
): number {
  const { anyOf, oneOf, allOf } = combinators;
  countWork(WORK_OF_BRANCH * (anyOf.length + oneOf.length + allOf.length + 1));
  let matches = 1;
  if (combinators.anyOf.length > 0) matches += checkAnyOf(combinators.anyOf, value, place, found, branch);
  if (combinators.oneOf.length > 0) matches += checkOneOf(combinators.oneOf, value, place, found, branch);
  if (combinators.allOf.length > 0) matches += checkAllOf(combinators.allOf, value, place, found, branch);
  if (combinators.not !== undefined) {
    const inner: Finding[] = [];
    branch(combinators.not, value, place, inner);
    if (inner.length === 0) found.push(mustNotValidate(place));
  }
  return matches;
}

interface Outcome {
  readonly matches: number;
  readonly found: readonly Finding[];
}

function checkAnyOf<Node>(
  nodes: readonly Node[],
  value: JsonValue,
  place: Place | undefined,
  found: Finding[],
  branch: Branch<Node>,
): number {
  let best: Outcome | undefined;
  for (const node of nodes) {
    const inner: Finding[] = [];
    const matches = branch(node, value, place, inner);
    if (inner.length === 0) return matches;
    if (best === undefined || matches > best.matches) best = { matches, found: inner };
  }
  found.push(noBranchValid(place), ...(best?.found ?? []));
  return best?.matches ?? 0;
}

function checkOneOf<Node>(
  nodes: readonly Node[],
  value: JsonValue,
  place: Place | undefined,
  found: Finding[],
  branch: Branch<Node>,
): number {
  let valid = 0;
  let first: Outcome | undefined;
  let best: Outcome | undefined;
  for (const node of nodes) {
    const inner: Finding[] = [];
    const outcome = { matches: branch(node, value, place, inner), found: inner };
    if (inner.length === 0) {
      valid++;
      first ??= outcome;
    } else if (best === undefined || outcome.matches > best.matches) best = outcome;
  }
  if (valid === 1) return first?.matches ?? 0;
  found.push(notExactlyOne(place, valid));
  if (valid > 0 || best === undefined) return 0;
  append(found, best.found);
  return best.matches;
}

function checkAllOf<Node>(
  nodes: readonly Node[],
  value: JsonValue,
  place: Place | undefined,
  found: Finding[],
  branch: Branch<Node>,
): number {
  let valid = 0;
  let matches = 0;
  for (const node of nodes) {
    const before = found.length;
    matches += branch(node, value, place, found);
    if (found.length === before) valid++;
  }
  if (valid < nodes.length) found.push(notAllValid(place, valid === 0));
  return matches;
}
