/** Functions of quantities. */
import { add, scale, subtract, variable } from "../../symbolic/linear.ts";
import { type Call, type Known, termOf } from "../evaluate/call.ts";
import { threeWay } from "../evaluate/order.ts";
import type { State } from "../evaluate/state.ts";
import { constant, ERROR, type Sym, type Term, truth } from "../evaluate/symbolic.ts";
import { intDomain } from "../theory/int-theory.ts";
import { BILLION, isQuantity, ZERO } from "./quantity-terms.ts";
import { requireSign, sumOf, withForm } from "./sums.ts";

type Fails = (state: State, term: Term) => boolean;

/** The sum or difference of two quantities, or of a quantity and an int. */
export function quantitySum(factor: 1n | -1n): Known {
  return (_, call) => {
    const [left, right] = call.args;
    if (left === undefined || right === undefined || !isQuantity(left)) return undefined;
    if (left.k === "const" && right.k === "const") return undefined;
    const [first, second] = [sumOf(left), sumOf(right)];
    if (first === undefined || second === undefined) return undefined;
    const more = isQuantity(right) ? second : scale(second, BILLION);
    const sum = add(first, scale(more, factor));
    return { k: "scalar", kind: "other", type: "kubernetes.Quantity", term: termOf(call), sum };
  };
}

export const quantitySign: Known = (state, { args: [only] }) =>
  only?.k === "scalar" && isQuantity(only) ? constant(threeWay(state, only, ZERO)) : undefined;

/** `asInteger` fails for the same quantities for which `isInteger` is false. */
export function isInteger(fails: Fails): Known {
  return (state, call) => {
    const found = wholeOf(state, { ...call, name: "asInteger" }, fails);
    return found && truth(found.k !== "error");
  };
}

export function asInteger(fails: Fails): Known {
  return (state, call) => wholeOf(state, call, fails);
}

function wholeOf(state: State, call: Call, fails: Fails): Sym | undefined {
  const [only] = call.args;
  const billionths = only === undefined ? undefined : sumOf(only);
  if (only?.k !== "scalar" || !isQuantity(only) || billionths === undefined) return undefined;
  const term = termOf(call);
  if (fails(state, term)) return ERROR;
  const whole = variable(term.key);
  if (!state.ints.has(term.key)) {
    state.derived.set(term.key, term);
    state.setInt(term.key, intDomain({}));
    requireSign(state, subtract(billionths, scale(whole, BILLION)), 0);
  }
  return withForm({ k: "scalar", kind: "int", term }, whole);
}
