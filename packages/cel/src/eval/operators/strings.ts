/** `startsWith`, `endsWith` and `contains`, without going through the general dispatch. */
import type { Value } from "../../values/value.ts";
import type { Frame, Run } from "../frame.ts";
import { mismatch } from "../mismatch.ts";
import { type FieldRead, type Plan, type Planning, readOf } from "../plan.ts";
import { traversalOf } from "../price.ts";
import { negatedValue } from "./logic.ts";

export function planStringTest(
  planning: Planning,
  functionName: string,
  [text, part]: readonly [Plan, Plan],
): Plan | undefined {
  const test = TESTS[functionName];
  if (test === undefined) return undefined;
  const { constant } = part;
  if (typeof constant !== "string" || constant === "")
    return planning.node(generalRun(functionName, test, text.run, part.run), 0, [text, part]);
  const any: Fallback = (frame, value) => testResult(frame, functionName, test, value, constant);
  const not: Fallback = (frame, value) => negatedValue(any(frame, value));
  const read = readOf(text);
  const plan = planning.node(test.against(read, constant, true, any), 0, [text, part]);
  const inverse = test.against(read, constant, false, not);
  if (planning.exact || read.slot < 0) return { ...plan, inverse };
  const holds = test.holdsFor(constant);
  const times = test.isProduct ? traversalOf(constant) : 1;
  return { ...plan, inverse, textTest: { read, holds, wanted: true, times } };
}

/** The result for a value of any type. */
type Fallback = (frame: Frame, value: Value) => Value;

interface StringTest {
  readonly holds: (text: string, part: string) => boolean;
  readonly holdsFor: (part: string) => (text: string) => boolean;
  /** Whether the cost is the product of both lengths rather than that of the text alone. */
  readonly isProduct: boolean;
  /** A run for a constant part that is not empty; true if the outcome is `wanted`. */
  readonly against: (text: FieldRead, part: string, wanted: boolean, fallback: Fallback) => Run;
}

const TESTS: Readonly<Record<string, StringTest>> = {
  startsWith: {
    isProduct: false,
    holds: (text, part) => text.startsWith(part),
    holdsFor: startsWithPart,
    against: startsWith,
  },
  endsWith: {
    isProduct: false,
    holds: (text, part) => text.endsWith(part),
    holdsFor: endsWithPart,
    against: endsWith,
  },
  // Not `includes`: JavaScript engines optimize `indexOf` better.
  contains: {
    isProduct: true,
    holds: (text, part) => text.indexOf(part) !== -1,
    holdsFor: (part) => (text) => text.indexOf(part) !== -1,
    against: contains,
  },
};

function startsWithPart(part: string): (text: string) => boolean {
  const first = part.charCodeAt(0);
  const isOne = part.length === 1;
  return (text) => text.charCodeAt(0) === first && (isOne || text.startsWith(part));
}

function endsWithPart(part: string): (text: string) => boolean {
  const last = part.charCodeAt(part.length - 1);
  const isOne = part.length === 1;
  return (text) => text.charCodeAt(text.length - 1) === last && (isOne || text.endsWith(part));
}

// One character distinguishes most texts, in less time than a call takes.
function startsWith({ slot, name, otherwise }: FieldRead, part: string, wanted: boolean, fallback: Fallback): Run {
  const first = part.charCodeAt(0);
  const isOne = part.length === 1;
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const text = found === undefined ? otherwise(frame) : found;
    if (typeof text !== "string" || text === "") return fallback(frame, text);
    frame.chargeText(text, 1);
    return (text.charCodeAt(0) === first && (isOne || text.startsWith(part))) === wanted;
  };
}

function endsWith({ slot, name, otherwise }: FieldRead, part: string, wanted: boolean, fallback: Fallback): Run {
  const last = part.charCodeAt(part.length - 1);
  const isOne = part.length === 1;
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const text = found === undefined ? otherwise(frame) : found;
    if (typeof text !== "string" || text === "") return fallback(frame, text);
    frame.chargeText(text, 1);
    return (text.charCodeAt(text.length - 1) === last && (isOne || text.endsWith(part))) === wanted;
  };
}

function contains({ slot, name, otherwise }: FieldRead, part: string, wanted: boolean, fallback: Fallback): Run {
  const times = traversalOf(part);
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const text = found === undefined ? otherwise(frame) : found;
    if (typeof text !== "string") return fallback(frame, text);
    frame.chargeText(text, times);
    return (text.indexOf(part) !== -1) === wanted;
  };
}

function generalRun(functionName: string, test: StringTest, runText: Run, runPart: Run): Run {
  return (frame) => {
    const text = runText(frame);
    return testResult(frame, functionName, test, text, runPart(frame));
  };
}

function testResult(
  frame: Frame,
  functionName: string,
  { holds, isProduct }: StringTest,
  text: Value,
  part: Value,
): Value {
  frame.cost += traversalOf(text) * (isProduct ? traversalOf(part) : 1);
  if (typeof text === "string" && typeof part === "string") return holds(text, part);
  return mismatch(functionName, [text, part]);
}
