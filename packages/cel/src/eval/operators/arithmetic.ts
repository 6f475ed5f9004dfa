/** `+`, `-` and `*` on small ints, and `+` on strings, before the general dispatch. */
import { joinedSize, rememberSize, runesIn, textSize } from "../../values/text-size.ts";
import type { Value } from "../../values/value.ts";
import { charge, type Frame, type Run } from "../frame.ts";
import { type FieldRead, type Plan, type Planning, readOf } from "../plan.ts";
import { type Price, sumTraversal, traversal } from "../price.ts";

type General = (left: Value, right: Value) => Value;

/** Undefined if the operator has no fast path. */
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
  return make === undefined ? undefined : planning.node(make(left, right, general), price.fixed, operands);
}

type Make = (left: Plan, right: Plan, general: General) => Run;

// The bounds of safe integers as literals: closures read constants of the module more slowly.
const FIXED_PRICE: Readonly<Record<string, Make>> = {
  "_+_": (left, right, general) => {
    // Subtracting a constant is adding its negation.
    if (typeof right.constant === "number") return adding(readOf(left), right.constant, right.constant, general);
    const { run: runLeft } = left;
    const { run: runRight } = right;
    return (frame) => {
      const l = runLeft(frame);
      const r = runRight(frame);
      if (typeof l === "number" && typeof r === "number") {
        const sum = l + r;
        if (sum <= 9007199254740991 && sum >= -9007199254740991) return sum;
      }
      return general(l, r);
    };
  },
  "_-_": (left, right, general) => {
    if (typeof right.constant === "number") return adding(readOf(left), -right.constant, right.constant, general);
    const { run: runLeft } = left;
    const { run: runRight } = right;
    return (frame) => {
      const l = runLeft(frame);
      const r = runRight(frame);
      if (typeof l === "number" && typeof r === "number") {
        const difference = l - r;
        if (difference <= 9007199254740991 && difference >= -9007199254740991) return difference;
      }
      return general(l, r);
    };
  },
  "_*_": (left, right, general) => {
    const { slot, name, otherwise } = readOf(left);
    const { run: runRight, constant } = right;
    return (frame) => {
      const found = slot < 0 ? undefined : frame.field(slot, name);
      const l = found === undefined ? otherwise(frame) : found;
      const r = constant === undefined ? runRight(frame) : constant;
      if (typeof l === "number" && typeof r === "number") {
        const product = l * r;
        // Adding zero turns -0 into 0.
        if (product <= 9007199254740991 && product >= -9007199254740991) return product + 0;
      }
      return general(l, r);
    };
  },
};

/** `operand` is the right operand as it was written. */
function adding({ slot, name, otherwise }: FieldRead, addend: number, operand: number, general: General): Run {
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const l = found === undefined ? otherwise(frame) : found;
    if (typeof l === "number") {
      const sum = l + addend;
      if (sum <= 9007199254740991 && sum >= -9007199254740991) return sum;
    }
    return general(l, operand);
  };
}

/** Strings and bytes. In `a + b + c` the parts are joined at once, so that the length of `a + b` need not be counted. */
function planJoining(planning: Planning, left: Plan, right: Plan, general: General): Plan {
  const parts = planning.exact || left.parts === undefined ? [left] : left.parts;
  const joining = new Joining(
    parts.map(({ run }) => run),
    right.run,
    general,
  );
  const plan = planning.node((frame) => joining.run(frame), 0, [left, right]);
  return { ...plan, parts: [...parts, right] };
}

class Joining {
  readonly #first: Run;
  readonly #others: readonly Run[];
  readonly #general: General;

  constructor([first = NOTHING, ...others]: readonly Run[], last: Run, general: General) {
    this.#first = first;
    this.#others = [...others, last];
    this.#general = general;
  }

  run(frame: Frame): Value {
    const first = this.#first(frame);
    if (typeof first !== "string") return this.#joinAny(frame, first, 0);
    let text = first;
    let size = textSize(first);
    const others = this.#others;
    for (let index = 0; index < others.length; index++) {
      const part = others[index]?.(frame) ?? null;
      if (typeof part !== "string") return this.#joinAny(frame, this.#join(frame, text, part), index + 1);
      text += part;
      size = joinedSize(size, textSize(part));
      // Immediately: strings can double with every `+`.
      charge(frame, traversal(runesIn(size)));
    }
    rememberSize(text, size);
    return text;
  }

  /** Joins the parts from an index on to a value. */
  #joinAny(frame: Frame, start: Value, from: number): Value {
    let joined = start;
    for (const run of this.#others.slice(from)) joined = this.#join(frame, joined, run(frame));
    return joined;
  }

  #join(frame: Frame, left: Value, right: Value): Value {
    charge(frame, sumTraversal(left, right));
    return this.#general(left, right);
  }
}

const NOTHING: Run = () => "";
