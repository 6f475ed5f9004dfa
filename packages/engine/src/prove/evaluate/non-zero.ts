/** `optional.ofNonZeroValue`. */
import { isEqual, kindName } from "./relate.ts";
import { sizeOf } from "./sizes.ts";
import type { State } from "./state.ts";
import { constant, type Sym } from "./symbolic.ts";

/** An optional without a value if it is the zero value of its type. */
export function nonZero(state: State, sym: Sym): Sym | undefined {
  const value = state.resolve(sym);
  if (value.k === "const") return undefined;
  const kind = kindName(value);
  const isSized = kind === "list" || (value.k === "mapnode" && value.alternative.open !== undefined);
  const zero = ZEROS[kind];
  if (isSized) return optionalUnless(isEqual(state, sizeOf(state, value), constant(0)), value);
  return zero === undefined ? undefined : optionalUnless(isEqual(state, value, zero), value);
}

const ZEROS: Readonly<Record<string, Sym>> = { string: constant(""), number: constant(0), bool: constant(false) };

function optionalUnless(isZero: boolean, value: Sym): Sym {
  return { k: "optional", value: isZero ? undefined : value };
}
