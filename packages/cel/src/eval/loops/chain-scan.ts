/**
 * Conditions that compare several fields of the element with constants:
 * `items.all(i, i.port > 0 && i.port < 65536 && i.name != '')`. The data must be ints or strings, as the constants are.
 */
import { isBare } from "../../values/json.ts";
import type { Frame } from "../frame.ts";
import type { Plan } from "../plan.ts";
import { lesserTextTraversal } from "../price.ts";
import type { LoopVariables } from "./entries.ts";
import type { Scan, StartScan } from "./scan.ts";

/** A comparison of one field. */
interface FieldTest {
  /** Undefined if the element itself is compared. */
  readonly name: string | undefined;
  /** Whether the test before it reads the same. */
  readonly isSame: boolean;
  /** A constant that is a string. */
  readonly text: string | undefined;
  /** A constant that is an int. */
  readonly int: number;
  readonly less: boolean;
  readonly equal: boolean;
  readonly greater: boolean;
  /** The cost if the field is an int. */
  readonly cost: number;
  readonly isPriced: boolean;
}

export function planChainScan({ conjuncts }: Plan, { first }: LoopVariables): StartScan | undefined {
  if (conjuncts === undefined) return undefined;
  const tests: FieldTest[] = [];
  for (const operand of conjuncts) {
    const test = fieldTest(operand, first, tests.at(-1));
    if (test === undefined) return undefined;
    tests.push(test);
  }
  return (_frame, { data }) => (data === undefined ? undefined : new ChainScan(data, tests));
}

function fieldTest({ comparison, fixed }: Plan, slot: number, previous: FieldTest | undefined): FieldTest | undefined {
  if (comparison === undefined || comparison.left.slot !== slot) return undefined;
  const { left, right, outcomes, isEquality, isPriced } = comparison;
  const { constant } = right;
  const text = typeof constant === "string" && isEquality ? constant : undefined;
  if (text === undefined && typeof constant !== "number") return undefined;
  const name = left.read?.name;
  return {
    name,
    isSame: previous !== undefined && previous.name === name,
    text,
    int: typeof constant === "number" ? constant : 0,
    ...outcomes,
    // What is fixed in the first operand of a chain is charged by the caller.
    cost: (previous === undefined ? 0 : fixed) + (isPriced ? 1 : 0),
    isPriced,
  };
}

class ChainScan implements Scan {
  readonly #data: readonly unknown[];
  readonly #tests: readonly FieldTest[];

  constructor(data: readonly unknown[], tests: readonly FieldTest[]) {
    this.#data = data;
    this.#tests = tests;
  }

  next(frame: Frame, from: number, wanted: boolean, fixed: number): number {
    const data = this.#data;
    for (let position = from; position < data.length; position++) {
      const { cost } = frame;
      frame.cost = cost + fixed;
      const holds = this.#test(frame, data[position]);
      if (holds === wanted) return position;
      if (holds !== undefined) continue;
      frame.cost = cost;
      return ~position;
    }
    return data.length;
  }

  /** Undefined if the condition must be run. */
  #test(frame: Frame, element: unknown): boolean | undefined {
    const bare = isBare(element) ? element : undefined;
    const tests = this.#tests;
    let left: unknown;
    let cost = 0;
    for (let index = 0; index < tests.length; index++) {
      const test = tests[index];
      if (test === undefined) break;
      const { name, text } = test;
      if (!test.isSame) left = name === undefined ? element : bare?.[name];
      let holds: boolean;
      cost += test.cost;
      if (typeof left === "number" && text === undefined) {
        if ((left | 0) !== left) return undefined;
        holds = left < test.int ? test.less : left === test.int ? test.equal : test.greater;
      } else if (typeof left === "string" && text !== undefined) {
        // The cost is that of an int, 1.
        if (test.isPriced) cost += lesserTextTraversal(left, text) - 1;
        holds = (left === text) === test.equal;
      } else return undefined;
      if (!holds) {
        frame.cost += cost;
        return false;
      }
    }
    frame.cost += cost;
    return true;
  }
}
