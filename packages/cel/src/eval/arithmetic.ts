/** `+`, `-` and `*` on small ints, and `+` on strings, before the general dispatch is asked. */
import { joinedSize, rememberSize, runesIn, textSize } from "../values/text-size.ts";
import type { Value } from "../values/value.ts";
import { charge, type Frame, type Run } from "./frame.ts";
import type { Plan, Planning } from "./plan.ts";
import { type Price, sumTraversal, traversal } from "./price.ts";

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
  if (price.ofTwo !== undefined)
    return functionName === "_+_" ? planJoining(planning, left, right, general) : undefined;
  const make = FIXED_PRICE[functionName];
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

/** Strings and bytes. In `a + b + c` the parts are joined in one go, so that how long `a + b` is need not be counted. */
function planJoining(planning: Planning, left: Plan, right: Plan, general: General): Plan {
  const parts = [...(left.parts ?? [left.run]), right.run];
  const plan = planning.node(joining(planning.exact ? [left.run, right.run] : parts, general), 0, [left, right]);
  return planning.exact ? plan : { ...plan, parts };
}

function joining(parts: readonly Run[], general: General): Run {
  const [runFirst = NOTHING, ...others] = parts;
  const slowly = (frame: Frame, left: Value, right: Value, next: number): Value => {
    charge(frame, sumTraversal(left, right));
    let joined = general(left, right);
    for (const run of others.slice(next)) {
      const part = run(frame);
      charge(frame, sumTraversal(joined, part));
      joined = general(joined, part);
    }
    return joined;
  };
  return (frame) => {
    const first = runFirst(frame);
    let text = typeof first === "string" ? first : "";
    let size = textSize(text);
    for (let index = 0; index < others.length; index++) {
      const part = others[index]?.(frame) ?? null;
      if (typeof first !== "string" || typeof part !== "string")
        return slowly(frame, index === 0 ? first : text, part, index + 1);
      text += part;
      size = joinedSize(size, textSize(part));
      // At once: strings can double with every `+`.
      charge(frame, traversal(runesIn(size)));
    }
    rememberSize(text, size);
    return text;
  };
}

const NOTHING: Run = () => "";
