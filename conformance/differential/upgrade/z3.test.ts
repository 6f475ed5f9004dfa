/** Compares the arithmetic and boolean core with an SMT solver: what we call impossible is unsatisfiable for Z3 too. */
import type { Formula, Linear } from "@portcullis/engine/internal/symbolic/formula";
import { and, flag, literal, not, or } from "@portcullis/engine/internal/symbolic/formula";
import { atMost, constantLinear, equalTo, linearText } from "@portcullis/engine/internal/symbolic/linear";
import { solve } from "@portcullis/engine/internal/symbolic/solve";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../apply/random.ts";

const TRIALS = Number(process.env["Z3_TRIALS"] ?? 120);

type Check = (text: string) => Promise<string>;
let check: Check;
let stop: () => void = () => undefined;

beforeAll(async () => {
  const { init } = await import("z3-solver");
  const { Context, em } = await init();
  const context = Context("main");
  stop = () => em.PThread.terminateAllThreads();
  check = async (text) => {
    const solver = new context.Solver();
    solver.fromString(text);
    return solver.check();
  };
}, 60_000);

afterAll(() => stop());

test("nothing that Z3 satisfies is called impossible", { timeout: 600_000 }, async () => {
  const counts = { impossible: 0, missed: 0 };
  for (let seed = 1; seed <= TRIALS; seed++) {
    const random = new Random(seed);
    const formulas = Array.from({ length: 3 + random.below(4) }, () => randomFormula(random, 3));
    const { kind } = solve(formulas, { steps: 4000 });
    const text = script(formulas);
    const answer = await check(text);
    if (kind === "impossible") {
      counts.impossible++;
      expect(answer, `seed ${seed}\n${text}`).toBe("unsat");
    } else if (answer === "unsat") counts.missed++;
  }
  expect(counts.impossible).toBeGreaterThan(TRIALS / 10);
  // Integer gaps that only follow from several sums together are not detected.
  expect(counts.missed).toBeLessThan(TRIALS / 20);
});

const NAMES = ["a", "b", "c"];

function randomFormula(random: Random, depth: number): Formula {
  if (depth > 0 && random.bool(0.6)) {
    const parts = Array.from({ length: 2 }, () => randomFormula(random, depth - 1));
    return random.bool(0.5) ? and(...parts) : or(...parts);
  }
  const atom = randomAtom(random);
  return random.bool(0.4) ? not(atom) : atom;
}

function randomAtom(random: Random): Formula {
  if (random.bool(0.2)) return flag(random.pick(["p", "q"]));
  if (random.bool(0.15))
    return literal({ kind: "multiple", name: random.pick(NAMES), factor: BigInt(2 + random.below(3)) });
  const sum = randomLinear(random);
  return random.bool(0.7) ? atMost(sum, constantLinear(0n)) : equalTo(sum, constantLinear(0n));
}

function randomLinear(random: Random): Linear {
  const names = random.some(NAMES, 2);
  const terms = new Map(
    (names.length > 0 ? names : ["a"]).map((name) => [name, BigInt(random.pick([-2, -1, 1, 1, 2, 3]))]),
  );
  return { terms, constant: BigInt(random.below(13) - 6) };
}

function script(formulas: readonly Formula[]): string {
  const declared = [
    ...NAMES.map((name) => `(declare-const ${name} Int)`),
    "(declare-const p Bool)",
    "(declare-const q Bool)",
  ];
  return [...declared, ...formulas.map((formula) => `(assert ${smt(formula)})`)].join("\n");
}

function smt(formula: Formula): string {
  switch (formula.op) {
    case "true":
    case "false":
      return formula.op;
    case "and":
    case "or":
      return `(${formula.op} ${formula.parts.map(smt).join(" ")})`;
    case "not":
      return `(not ${smt(formula.part)})`;
    case "literal":
      return smtLiteral(formula.literal);
    default:
      throw new Error("not part of this test");
  }
}

function smtLiteral(each: Extract<Formula, { op: "literal" }>["literal"]): string {
  if (each.kind === "flag") return each.name;
  if (each.kind === "multiple") return `(= (mod ${each.name} ${each.factor}) 0)`;
  if (each.kind !== "int") throw new Error(`${each.kind} is not part of this test`);
  const terms = [...each.linear.terms].map(([name, factor]) => `(* ${smtNumber(factor)} ${name})`);
  const sum = `(+ ${[...terms, smtNumber(each.linear.constant)].join(" ")})`;
  return `(${each.relation === "<=" ? "<=" : "="} ${sum} 0)`;
}

function smtNumber(value: bigint): string {
  return value < 0n ? `(- ${-value})` : String(value);
}

test("sums are written in one order", () => {
  const sum: Linear = {
    terms: new Map([
      ["b", 1n],
      ["a", 2n],
    ]),
    constant: 3n,
  };
  expect(linearText(sum)).toBe("2*a + 1*b + 3");
});
