/** `startsWith`, `endsWith` and `contains`, without going through the general dispatch. */
import type { Value } from "../values/value.ts";
import type { Run } from "./frame.ts";
import { mismatch } from "./mismatch.ts";
import type { Plan, Planning } from "./plan.ts";
import { traversalOf } from "./price.ts";

export function planStringTest(
  planning: Planning,
  functionName: string,
  args: readonly [Plan, Plan],
): Plan | undefined {
  const make = TESTS[functionName];
  return make === undefined ? undefined : planning.node(make(args[0].run, args[1].run), 0, args);
}

type Make = (text: Run, part: Run) => Run;

const TESTS: Readonly<Record<string, Make>> = {
  startsWith: (runText, runPart) => (frame) => {
    const text = runText(frame);
    const part = runPart(frame);
    frame.cost += traversalOf(text);
    return typeof text === "string" && typeof part === "string"
      ? text.startsWith(part)
      : refuse("startsWith", text, part);
  },
  endsWith: (runText, runPart) => (frame) => {
    const text = runText(frame);
    const part = runPart(frame);
    frame.cost += traversalOf(text);
    return typeof text === "string" && typeof part === "string" ? text.endsWith(part) : refuse("endsWith", text, part);
  },
  contains: (runText, runPart) => (frame) => {
    const text = runText(frame);
    const part = runPart(frame);
    frame.cost += traversalOf(text) * traversalOf(part);
    return typeof text === "string" && typeof part === "string" ? text.includes(part) : refuse("contains", text, part);
  },
};

function refuse(functionName: string, text: Value, part: Value): Value {
  return mismatch(functionName, [text, part]);
}
