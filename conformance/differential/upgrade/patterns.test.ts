/** Inclusion of random patterns, with lengths, compared with matching every short string. */

import { compileRegexp } from "@portcullis/gostd/regexp";
import { compileAutomaton, findText } from "@portcullis/gostd/regexp/automaton";
import { expect, test } from "vitest";
import { Random } from "../apply/random.ts";

const PAIRS = Number(process.env["PATTERN_PAIRS"] ?? 400);
const LETTERS = [..."abA-\n"];
const LONGEST = 4;
const texts = allTexts();

test("automata and the matcher agree on every short string", () => {
  const random = new Random(Number(process.env["PATTERN_SEED"] ?? 1));
  const answers = { none: 0, found: 0 };
  for (let pair = 0; pair < PAIRS; pair++) {
    const [before, after] = [pattern(random, 3), pattern(random, 3)];
    const [minLength, span] = [random.below(3), random.below(3)];
    const maxLength = random.bool(0.5) ? minLength + span : LONGEST;
    const [from, to] = [before, after].map((source) => compileRegexp(source).pattern);
    const [accept, reject] = [before, after].map((source) => compileAutomaton(source));
    const name = `${before} -> ${after} (${minLength}..${maxLength})`;
    if (from === undefined || to === undefined || accept === undefined || reject === undefined) throw new Error(name);
    const lost = texts.find(
      (text) => text.length >= minLength && text.length <= maxLength && from.matches(text) && !to.matches(text),
    );
    const answer = findText({ accept: [accept], reject: [reject], minLength, maxLength });
    if (answer.kind === "unknown") throw new Error(`undecided: ${name}`);
    answers[answer.kind]++;
    if (answer.kind === "none") expect(lost, name).toBeUndefined();
    else {
      // Shortest strings first: one of our letters may do, or a letter we did not try.
      expect([from.matches(answer.text), to.matches(answer.text)], `${name}: ${answer.text}`).toEqual([true, false]);
      expect([...answer.text].length, name).toBeLessThanOrEqual(lost?.length ?? Number.POSITIVE_INFINITY);
    }
  }
  expect(answers.none).toBeGreaterThan(PAIRS / 20);
  expect(answers.found).toBeGreaterThan(PAIRS / 20);
});

function allTexts(): string[] {
  const all = [""];
  let last = [""];
  for (let length = 1; length <= LONGEST; length++) {
    last = last.flatMap((text) => LETTERS.map((letter) => text + letter));
    all.push(...last);
  }
  return all;
}

function pattern(random: Random, depth: number): string {
  const body = part(random, depth);
  const flags = random.bool(0.15) ? random.pick(["(?i)", "(?s)", "(?m)"]) : "";
  return `${flags}${random.bool(0.6) ? "^" : ""}${body}${random.bool(0.6) ? "$" : ""}`;
}

function part(random: Random, depth: number): string {
  if (depth === 0) return random.pick(["a", "b", "A", "-", ".", "[ab]", "[^a]", "\\w", "[a-z]", "\\b", "(?:)"]);
  const inner = (): string => part(random, depth - 1);
  switch (random.below(6)) {
    case 0:
      return `(?:${inner()}|${inner()})`;
    case 1:
      return `(?:${inner()})${random.pick(["*", "+", "?", "{2}", "{1,2}"])}`;
    case 2:
      return `(${inner()})`;
    default:
      return inner() + inner();
  }
}
