/** Durations, timestamps and quantities: values with an order, as whole numbers of their smallest unit. */
import type { Expr } from "@portcullis/cel/internal";
import { parseDuration } from "@portcullis/gostd/duration";
import { parseRfc3339 } from "@portcullis/gostd/time";
import { parseQuantity } from "../value/quantity.ts";
import { isFirstFact, isInt64 } from "./data-terms.ts";
import { type Formula, not } from "./formula.ts";
import { constantLinear, equalTo, lessThan, variable } from "./linear.ts";
import { always, type Measure, type Term, type Terms } from "./term.ts";

const NANO = -9;
const MAX_EXPONENT = 60;

const MEASURES: Readonly<Record<string, Measure>> = {
  duration: "duration",
  timestamp: "timestamp",
  "kubernetes.Quantity": "quantity",
};

/** The same value as an amount, if its type is one of amounts; `facts` receives what is known about it. */
export function asMeasure(term: Term, type: string, facts: Formula[]): Term {
  const kind = Object.hasOwn(MEASURES, type) ? MEASURES[type] : undefined;
  if (kind === undefined || term.sort !== "other") return term;
  const name = `amount ${term.name}`;
  if (kind === "duration" && isFirstFact(facts, `int64 ${name}`)) facts.push(isInt64(name));
  return { sort: "measure", kind, linear: variable(name) };
}

/** `duration('1h')` and the like; undefined if it is not a constant, or not a valid one. */
export function constantMeasure(name: string, argument: Expr | undefined): Terms | undefined {
  if (argument?.kind !== "literal" || typeof argument.value !== "string" || !isMeasure(name)) return undefined;
  const amount = AMOUNTS[name](argument.value);
  return amount === undefined ? undefined : always({ sort: "measure", kind: name, linear: constantLinear(amount) });
}

function isMeasure(name: string): name is Measure {
  return Object.hasOwn(AMOUNTS, name);
}

const AMOUNTS: Readonly<Record<Measure, (text: string) => bigint | undefined>> = {
  duration: (text) => parseDuration(text).value,
  timestamp: (text) => {
    const { value } = parseRfc3339(text);
    return value === undefined ? undefined : value.seconds * 1_000_000_000n + BigInt(value.nanos);
  },
  quantity: (text) => {
    const { value } = parseQuantity(text);
    if (value === undefined || value.exponent < NANO || value.exponent > MAX_EXPONENT) return undefined;
    return value.unscaled * 10n ** BigInt(value.exponent - NANO);
  },
};

/** The functions that check whether a conversion of a string succeeds. */
const CHECKS: Readonly<Record<string, string>> = {
  quantity: "isQuantity",
  ip: "isIP",
  cidr: "isCIDR",
  url: "isURL",
};

/** The call that is true exactly if this one has a value. */
export function checkOf(expr: Expr): Expr | undefined {
  if (expr.kind !== "call" || expr.target !== undefined || expr.args.length !== 1) return undefined;
  const check = Object.hasOwn(CHECKS, expr.function) ? CHECKS[expr.function] : undefined;
  return check === undefined ? undefined : { ...expr, function: check };
}

/** Methods of quantities that compare two of them. */
export function compareMeasures(name: string, left: Term, right: Term): Terms | undefined {
  if (left.sort !== "measure" || right.sort !== "measure" || left.kind !== right.kind) return undefined;
  const isLess = lessThan(left.linear, right.linear);
  const isMore = lessThan(right.linear, left.linear);
  switch (name) {
    case "isLessThan":
      return always({ sort: "bool", yes: isLess, no: not(isLess) });
    case "isGreaterThan":
      return always({ sort: "bool", yes: isMore, no: not(isMore) });
    case "compareTo":
      return [
        { when: isLess, is: { sort: "int", linear: constantLinear(-1n) } },
        { when: equalTo(left.linear, right.linear), is: { sort: "int", linear: constantLinear(0n) } },
        { when: isMore, is: { sort: "int", linear: constantLinear(1n) } },
      ];
    default:
      return undefined;
  }
}
