/** A condition that is decided on the data has the result and the cost of the same condition when it is run. */
import { expect, test } from "vitest";
import { Environment } from "../../env.ts";
import { DYN } from "../../types/type.ts";
import { displayText } from "../../values/text.ts";
import { CelError, Double, Uint, type Value } from "../../values/value.ts";

const environment = new Environment({
  variables: { l: DYN, m: DYN, s: DYN },
  settings: { crossTypeNumericComparisons: true, presenceTestHasCost: false },
});

function bare(fields: Record<string, unknown>): object {
  return Object.assign(Object.create(null), fields);
}

const LONG = "a text of more than ten code points";
const values: readonly unknown[] = [
  ...[0, -0, 1, 2, 5, 1.5, 2 ** 31, 2 ** 53, -1, 7n, 2n ** 60n],
  ...["", "a", "b", LONG, `${LONG}!`, "ä😀 and some more text"],
  ...[true, null, [1], bare({ n: 1 }), new Uint(1), new Double(2), new CelError("bad data")],
];

const lists: readonly (readonly unknown[])[] = [
  [],
  values,
  values.map((n) => bare({ n, o: 3 })),
  [...values.map((n) => ({ n })), bare({}), bare({ n: bare({ n: "a" }) })],
  ["a", "b", LONG].map((n) => bare({ n })),
  [1, 2, 3, 2].map((n) => bare({ n })),
];

const operands = [
  "1",
  "2",
  "'a'",
  "''",
  "'a text of more than ten code points'",
  "s",
  "s.n",
  "1.0",
  "true",
  "missing(s)",
];
const operators = ["==", "!=", "<", "<=", ">", ">="];
const macros = ["all(i, P)", "exists(i, P)", "exists_one(i, P)", "filter(i, P)", "map(i, P, i.n)", "map(i, P, i)"];

function conditions(): string[] {
  return operands.flatMap((operand) => {
    const right = operand.replace("missing(s)", "s.missing");
    return operators.flatMap((operator) => [
      `i ${operator} ${right}`,
      `i.n ${operator} ${right}`,
      `${right} ${operator} i.n`,
    ]);
  });
}

function programOf(text: string): (variables: Record<string, unknown>) => string {
  const compiled = environment.compile(text);
  if (!compiled.ok) return () => "not compiled";
  const made = environment.program(compiled.ast);
  if (!made.ok) return () => "not planned";
  return (variables) => {
    const { value, cost } = made.program.evaluate(variables);
    return `${show(value)} at ${cost}`;
  };
}

function outcome(text: string, variables: Record<string, unknown>): string {
  return programOf(text)(variables);
}

function show(value: Value): string {
  return value instanceof CelError ? `error: ${value.message}` : displayText(value);
}

/** `true` costs nothing, but the condition is not a single comparison any more. */
function unscanned(condition: string): string {
  return `(${condition}) && true`;
}

test.each(macros)("%s", (macro) => {
  let compared = 0;
  for (const condition of conditions()) {
    const run = programOf(`l.${macro.replace("P", unscanned(condition))}`);
    const scan = programOf(`l.${macro.replace("P", condition)}`);
    for (const l of lists) {
      for (const s of [1, "a", LONG, bare({ n: 2 }), bare({ n: "a" })]) {
        const expected = run({ l, s });
        const scanned = scan({ l, s });
        if (scanned !== expected) expect(scanned, `${macro} with ${condition}`).toBe(expected);
        if (expected !== "not compiled") compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(1000);
});

test("nested loops", () => {
  for (const l of lists) {
    for (const [inner, outer] of [
      ["j.n == i.n", "exists_one(j, P)"],
      ["i.n != j.n", "all(j, P)"],
      ["j == i", "exists(j, P)"],
      ["j.n == i.n", "filter(j, P).size() == 1"],
    ] as const) {
      const make = (condition: string) => `l.map(i, l.${outer.replace("P", condition)})`;
      expect(outcome(make(inner), { l })).toBe(outcome(make(unscanned(inner)), { l }));
    }
  }
});

test("the keys of a map", () => {
  const m = bare({ a: 1, b: 2, [LONG]: 3 });
  for (const condition of ["i == 'a'", "i != ''", "i == s", "i > 1"])
    expect(outcome(`m.exists(i, ${condition})`, { m, s: LONG })).toBe(
      outcome(`m.exists(i, ${unscanned(condition)})`, { m, s: LONG }),
    );
});
