/** `+`, `-` and `*` on small ints, and `+` on strings, before the general dispatch is asked. */
import type { Value } from "../values/value.ts";
import { charge, type Frame, type Run } from "./frame.ts";
import type { Plan, Planning } from "./plan.ts";
import { joinCost, type Price, sumTraversal } from "./price.ts";

const MAX = Number.MAX_SAFE_INTEGER;

type General = (left: Value, right: Value) => Value;

/** Undefined where the operator has no short cut. */
export function planArithmetic(
  planning: Planning,
  functionName: string,
  price: Price,
  operands: readonly [Plan, Plan],
  general: General,
): Plan | undefined {
  const [left, right] = operands;
  const make = price.ofTwo === undefined ? FIXED_PRICE[functionName] : functionName === "_+_" ? joining : undefined;
  return make === undefined ? undefined : planning.node(make(left.run, right.run, general), price.fixed, operands);
}

type Make = (left: Run, right: Run, general: General) => Run;

const FIXED_PRICE: Readonly<Record<string, Make>> = {
  "_+_": (left, right, general) => (frame) => {
    const l = left(frame);
    const r = right(frame);
    if (typeof l === "number" && typeof r === "number") {
      const sum = l + r;
      if (sum <= MAX && sum >= -MAX) return sum;
    }
    return general(l, r);
  },
  "_-_": (left, right, general) => (frame) => {
    const l = left(frame);
    const r = right(frame);
    if (typeof l === "number" && typeof r === "number") {
      const difference = l - r;
      if (difference <= MAX && difference >= -MAX) return difference;
    }
    return general(l, r);
  },
  "_*_": (left, right, general) => (frame) => {
    const l = left(frame);
    const r = right(frame);
    if (typeof l === "number" && typeof r === "number") {
      const product = l * r;
      // Adding zero turns -0 into 0.
      if (product <= MAX && product >= -MAX) return product + 0;
    }
    return general(l, r);
  },
};

/** Strings and bytes. The limit is checked at once: strings can double with every `+`. */
function joining(left: Run, right: Run, general: General): Run {
  return (frame: Frame) => {
    const l = left(frame);
    const r = right(frame);
    if (typeof l === "string" && typeof r === "string") {
      const joined = l + r;
      charge(frame, joinCost(l, r, joined));
      return joined;
    }
    charge(frame, sumTraversal(l, r));
    return general(l, r);
  };
}
