/** `startsWith`, `endsWith` and `contains`, without going through the general dispatch. */
import type { Value } from "../values/value.ts";
import type { Run } from "./frame.ts";
import { mismatch } from "./mismatch.ts";
import type { Plan, Planning } from "./plan.ts";
import { traversalOf } from "./price.ts";

export function planStringTest(
  planning: Planning,
  functionName: string,
  [text, part]: readonly [Plan, Plan],
): Plan | undefined {
  const test = TESTS[functionName];
  if (test === undefined) return undefined;
  const constant = part.constant;
  const run =
    typeof constant === "string"
      ? test.runConstant(text.run, constant, test.isProduct ? traversalOf(constant) : 1)
      : generalRun(functionName, test, text.run, part.run);
  return planning.node(run, 0, [text, part]);
}

interface StringTest {
  readonly holds: (text: string, part: string) => boolean;
  /** Whether the price is the product of both lengths rather than that of the text alone. */
  readonly isProduct: boolean;
  /** `factor` is what the part contributes to the price. */
  readonly runConstant: (text: Run, part: string, factor: number) => Run;
}

// biome-ignore format: a table
const TESTS: Readonly<Record<string, StringTest>> = {
  startsWith: {
    isProduct: false,
    holds: (text, part) => text.startsWith(part),
    runConstant: (runText, part, factor) => (frame) => { const text = runText(frame); frame.cost += traversalOf(text) * factor; return typeof text === "string" ? text.startsWith(part) : refuse("startsWith", text, part); },
  },
  endsWith: {
    isProduct: false,
    holds: (text, part) => text.endsWith(part),
    runConstant: (runText, part, factor) => (frame) => { const text = runText(frame); frame.cost += traversalOf(text) * factor; return typeof text === "string" ? text.endsWith(part) : refuse("endsWith", text, part); },
  },
  contains: {
    isProduct: true,
    // Not `includes`, which engines do not optimise as well.
    holds: (text, part) => text.indexOf(part) !== -1,
    runConstant: (runText, part, factor) => (frame) => { const text = runText(frame); frame.cost += traversalOf(text) * factor; return typeof text === "string" ? text.indexOf(part) !== -1 : refuse("contains", text, part); },
  },
};

function generalRun(functionName: string, { holds, isProduct }: StringTest, runText: Run, runPart: Run): Run {
  return (frame) => {
    const text = runText(frame);
    const part = runPart(frame);
    frame.cost += traversalOf(text) * (isProduct ? traversalOf(part) : 1);
    return typeof text === "string" && typeof part === "string" ? holds(text, part) : refuse(functionName, text, part);
  };
}

function refuse(functionName: string, text: Value, part: Value): Value {
  return mismatch(functionName, [text, part]);
}
