/**
 * Loops that are decided on the data of their elements have the value and the cost of the plain path, on random
 * conditions, nested in each other, over random lists: uniform ones, which get an index, and hostile ones.
 */
import { expect, test } from "vitest";
import { Environment } from "../../env.ts";
import { DYN } from "../../types/type.ts";
import { CelError, Double, Uint } from "../../values/value.ts";
import { describe, exactEvaluator } from "../exact.testing.ts";
import { type Random, randomFrom } from "../expressions.testing.ts";

const environment = new Environment({
  variables: { l: DYN, o: DYN, s: DYN },
  settings: { crossTypeNumericComparisons: true, presenceTestHasCost: false },
});
const evaluateExactly = exactEvaluator(environment);

test("random loops", () => {
  const random = randomFrom(20261119);
  let errors = 0;
  let trues = 0;
  for (let round = 0; round < 2_500; round++) {
    const text = loop(random, "l", 0);
    for (let data = 0; data < 4; data++) {
      const value = compare(text, { l: randomList(random), o: randomList(random), s: randomScalar(random) });
      if (value.startsWith("bool true")) trues++;
      if (value.includes("error")) errors++;
    }
  }
  // So that a generator gone wrong does not pass for a proof.
  expect(errors).toBeGreaterThan(500);
  expect(trues).toBeGreaterThan(500);
}, 300_000);

function compare(text: string, variables: Record<string, unknown>): string {
  const compiled = environment.compile(text);
  if (!compiled.ok) throw new Error(`${text}\n${compiled.text}`);
  const made = environment.program(compiled.ast);
  if (!made.ok) throw new Error(`${text}\n${made.error.message}`);
  const exact = evaluateExactly(compiled.ast, variables);
  const { value, cost } = made.program.evaluate(variables);
  const quick = { text: describe(value), cost };
  expect(quick, text).toEqual(exact);
  const { exceeded } = made.program.evaluate(variables, { costLimit: cost - 1 });
  expect(exceeded, `${text} is stopped by the limit`).toBe(cost > 0);
  return quick.text;
}

function loop(random: Random, range: string, depth: number): string {
  const variable = `v${depth}`;
  const list = pick(random, depth === 0 ? ["l"] : [range, "l", "o"]);
  const condition = conditionOf(random, variable, depth);
  const macro = pick(random, MACROS).replace("C", condition).replaceAll("V", variable);
  return `${list}.${macro}`;
}

const MACROS = [
  ...["all(V, C)", "exists(V, C)", "exists_one(V, C)", "filter(V, C).size() > 1"],
  ...["map(V, C, V.n).exists(w, w == s)", "map(V, V.n).exists_one(w, w == s)"],
];

function conditionOf(random: Random, variable: string, depth: number): string {
  const kind = random();
  if (depth < 2 && kind < 0.5) return loop(random, "l", depth + 1);
  const terms = Array.from({ length: kind < 0.7 ? 1 : 1 + Math.floor(random() * 3) }, () => term(random, depth));
  return terms.join(random() < 0.9 ? " && " : " || ").replaceAll("V", variable);
}

function term(random: Random, depth: number): string {
  const left = pick(random, ["V", "V.n", "V.n", "V.m"]);
  const outer = depth > 0 ? [`v${depth - 1}`, `v${depth - 1}.n`, `v${depth - 1}.n`, `v${depth - 1}.n`] : [];
  const right = pick(random, [...outer, "1", "5", "'a'", "''", "'a text of more than ten'", "s", "1.0", "s.n", "true"]);
  const operator = pick(random, ["==", "==", "!=", "!=", "<", "<=", ">", ">="]);
  return random() < 0.8 ? `${left} ${operator} ${right}` : `${right} ${operator} ${left}`;
}

const TEXTS = ["a", "b", "", "a text of more than ten", "another text, which is even longer", "wörld 🛡 wörld 🛡 wörld"];
const INTS = [0, 1, 2, 5, -1, -0, 2 ** 31 - 1, -(2 ** 31)];
const HOSTILE: readonly unknown[] = [
  ...[1.5, 2 ** 31, 2 ** 53, 7n, 2n ** 60n, 2n ** 63n, Number.NaN, true, false, null, undefined],
  ...[[], [1], {}, new Uint(1), new Double(2), new CelError("bad data"), "\ud800", "__proto__"],
];

function randomScalar(random: Random): unknown {
  return pick(random, [...TEXTS, ...INTS, ...HOSTILE.filter((value) => value !== undefined), objectOf(random, 1)]);
}

function randomList(random: Random): readonly unknown[] {
  const of = pick<readonly unknown[]>(random, [TEXTS, TEXTS.slice(0, 2), INTS, [...TEXTS, ...INTS, ...HOSTILE]]);
  const isBroken = random() < 0.15;
  const isObjects = random() < 0.7;
  return Array.from({ length: Math.floor(random() * 9) }, () => {
    const value = isBroken && random() < 0.2 ? pick(random, HOSTILE) : pick(random, of);
    if (!isObjects) return value === undefined ? null : value;
    return objectOf(random, value);
  });
}

/** Mostly without a prototype, as a decoder makes it. */
function objectOf(random: Random, n: unknown): object {
  const fields = { n, ...(random() < 0.9 ? { m: pick(random, [1, 5, "a"]) } : {}) };
  return random() < 0.95 ? Object.assign(Object.create(null), fields) : fields;
}

function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)];
  // Undefined only where the list has it.
  return picked as T;
}
