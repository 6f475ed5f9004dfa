/** `startsWith`, `endsWith` and `contains`, without going through the general dispatch. */
import type { CelGoVersion } from "../../types/cel-go.ts";
import type { Value } from "../../values/value.ts";
import type { Frame, Run } from "../frame.ts";
import { mismatch } from "../mismatch.ts";
import { type FieldRead, type Plan, type Planning, readOf, type TextTest } from "../plan.ts";
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
  const cost = costOf(test, planning.environment.celGo);
  const call = { functionName, test, cost };
  if (typeof constant !== "string" || constant === "")
    return planning.node(generalRun(call, text.run, part.run), 0, [text, part]);
  // The cost of a constant part is known now.
  const fixed = cost === "part" ? traversalOf(constant) : 0;
  const rest = fixed === 0 ? call : { ...call, cost: "none" as const };
  const any: Fallback = (frame, value) => testResult(frame, rest, value, constant);
  const not: Fallback = (frame, value) => negatedValue(any(frame, value));
  const read = readOf(text);
  const charges = cost !== "part";
  const plan = planning.node(test.against(read, constant, { wanted: true, charges, fallback: any }), fixed, [
    text,
    part,
  ]);
  const inverse = test.against(read, constant, { wanted: false, charges, fallback: not });
  if (planning.exact || read.slot < 0) return { ...plan, inverse };
  const times = { product: traversalOf(constant), text: 1, part: 0 }[cost];
  return { ...plan, inverse, textTest: { read, place: test.place, part: constant, wanted: true, times } };
}

/** The result for a value of any type. */
type Fallback = (frame: Frame, value: Value) => Value;

interface StringTest {
  readonly holds: (text: string, part: string) => boolean;
  readonly place: TextTest["place"];
  /** Whether the cost is the product of both lengths rather than that of one. */
  readonly isProduct: boolean;
  /** A run for a constant part that is not empty. */
  readonly against: (text: FieldRead, part: string, options: TestOptions) => Run;
}

interface TestOptions {
  /** The outcome for which the run is true. */
  readonly wanted: boolean;
  /** Whether the length of the text is charged. */
  readonly charges: boolean;
  readonly fallback: Fallback;
}

/** What is counted: the length of the text, that of the part, or their product. */
type TestCost = "text" | "part" | "product";

/** Since 0.29 a prefix or suffix costs as much as it is long; before that, as much as the text is. */
function costOf({ isProduct }: StringTest, celGo: CelGoVersion): TestCost {
  if (isProduct) return "product";
  return celGo === "0.29" ? "part" : "text";
}

const TESTS: Readonly<Record<string, StringTest>> = {
  startsWith: {
    isProduct: false,
    holds: (text, part) => text.startsWith(part),
    place: "start",
    against: startsWith,
  },
  endsWith: {
    isProduct: false,
    holds: (text, part) => text.endsWith(part),
    place: "end",
    against: endsWith,
  },
  // Not `includes`: JavaScript engines optimize `indexOf` better.
  contains: {
    isProduct: true,
    holds: (text, part) => text.indexOf(part) !== -1,
    place: "anywhere",
    against: contains,
  },
};

// One character distinguishes most texts, in less time than a call takes. V8 replaces `startsWith` by a loop over single
// characters, but not `endsWith`, which compares many at once.
function startsWith({ slot, name, otherwise }: FieldRead, part: string, options: TestOptions): Run {
  const { wanted, charges, fallback } = options;
  const { length } = part;
  const first = part.charCodeAt(0);
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const text = found === undefined ? otherwise(frame) : found;
    if (typeof text !== "string" || text === "") return fallback(frame, text);
    if (charges) frame.chargeText(text, 1);
    return (text.charCodeAt(0) === first && (length === 1 || text.endsWith(part, length))) === wanted;
  };
}

function endsWith({ slot, name, otherwise }: FieldRead, part: string, options: TestOptions): Run {
  const { wanted, charges, fallback } = options;
  const last = part.charCodeAt(part.length - 1);
  const isOne = part.length === 1;
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const text = found === undefined ? otherwise(frame) : found;
    if (typeof text !== "string" || text === "") return fallback(frame, text);
    if (charges) frame.chargeText(text, 1);
    return (text.charCodeAt(text.length - 1) === last && (isOne || text.endsWith(part))) === wanted;
  };
}

function contains({ slot, name, otherwise }: FieldRead, part: string, { wanted, fallback }: TestOptions): Run {
  const times = traversalOf(part);
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const text = found === undefined ? otherwise(frame) : found;
    if (typeof text !== "string") return fallback(frame, text);
    frame.chargeText(text, times);
    return (text.indexOf(part) !== -1) === wanted;
  };
}

interface StringCall {
  readonly functionName: string;
  readonly test: StringTest;
  /** `none` if it was charged already. */
  readonly cost: TestCost | "none";
}

function generalRun(call: StringCall, runText: Run, runPart: Run): Run {
  return (frame) => {
    const text = runText(frame);
    return testResult(frame, call, text, runPart(frame));
  };
}

function testResult(frame: Frame, { functionName, test, cost }: StringCall, text: Value, part: Value): Value {
  if (cost !== "none") {
    frame.cost += (cost === "part" ? 1 : traversalOf(text)) * (cost === "text" ? 1 : traversalOf(part));
  }
  if (typeof text === "string" && typeof part === "string") return test.holds(text, part);
  return mismatch(functionName, [text, part]);
}
